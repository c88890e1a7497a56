import type { WrittenBytes } from '../output/text_sink.ts';
import type { OutputTarget } from './target.ts';
import { usageError } from './usage_error.ts';

/** One result as Arrow, in whatever `inner` is. A script without a result leaves no file. */
export class ArrowTarget implements OutputTarget {
  readonly #inner: OutputTarget;
  #results = 0;

  constructor(inner: OutputTarget) {
    this.#inner = inner;
  }

  /** Called before each result. */
  next(): void {
    if (++this.#results > 1) {
      throw usageError('Arrow output holds one result, the script has more', 'COPY (…) TO writes each');
    }
  }

  async write(): Promise<void> {
    throw usageError('text cannot be written as Arrow');
  }

  writeBytes(parts: readonly Uint8Array[]): Promise<void> | void {
    return this.#inner.writeBytes(parts);
  }

  startOver(): WrittenBytes | undefined {
    return this.#inner.startOver?.();
  }

  flush(): Promise<void> {
    return this.#inner.flush();
  }

  async commit(): Promise<void> {
    if (this.#results === 0) this.#inner.discard();
    else await this.#inner.commit();
  }

  discard(): void {
    this.#inner.discard();
  }
}
