import { closeSync, openSync, write } from 'node:fs';
import { ioError } from './io_error.ts';
import { closedPipe, cutParts, type OutputTarget } from './target.ts';

/** A device or a pipe is written directly: there is nothing to rename. */
export class DeviceTarget implements OutputTarget {
  readonly #path: string;
  readonly #fd: number;
  readonly #signal: AbortSignal;

  constructor(path: string, signal: AbortSignal) {
    this.#path = path;
    this.#signal = signal;
    try {
      this.#fd = openSync(path, 'w');
    } catch (error) {
      throw ioError(error, 'cannot write', path);
    }
  }

  write(text: string): Promise<void> {
    return this.#writeAll(Buffer.from(text));
  }

  async writeBytes(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of cutParts(parts)) await this.#writeAll(part);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    this.#signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const step = (from: number): void => {
        write(this.#fd, bytes, from, bytes.length - from, null, (error, written) => {
          if (error !== null)
            reject(error.code === 'EPIPE' ? closedPipe(this.#path) : ioError(error, 'cannot write', this.#path));
          else if (from + written < bytes.length) step(from + written);
          else resolve();
        });
      };
      step(0);
    });
  }

  async flush(): Promise<void> {}

  async commit(): Promise<void> {
    closeSync(this.#fd);
  }

  discard(): void {
    closeSync(this.#fd);
  }
}
