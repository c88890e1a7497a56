import { writeSync } from 'node:fs';
import { ioError } from './io_error.ts';
import { closedPipe, cutParts, type OutputTarget } from './target.ts';

/** Output up to this size is written at once, without opening a stream. */
const SMALL_OUTPUT = 4096;

/** Data on stdout. Short output costs one write; longer output goes through Node's stream, which never blocks. */
export class StdoutTarget implements OutputTarget {
  readonly #signal: AbortSignal;
  #pending = '';
  #stream: NodeJS.WriteStream | undefined;
  #failure: unknown;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async write(text: string): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#stream === undefined) {
      this.#pending += text;
      if (this.#pending.length <= SMALL_OUTPUT) return;
      const first = this.#pending;
      this.#pending = '';
      await this.#send(first);
      return;
    }
    await this.#send(text);
  }

  async writeBytes(parts: readonly Uint8Array[]): Promise<void> {
    this.#signal.throwIfAborted();
    await this.flush();
    for (const part of cutParts(parts)) await this.#send(part);
  }

  async flush(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    if (text === '') return;
    if (this.#stream !== undefined) return this.#send(text);
    const rest = writeSmall(Buffer.from(text));
    if (rest !== undefined) await this.#send(rest);
  }

  async commit(): Promise<void> {
    await this.flush();
    const stream = this.#stream;
    if (stream === undefined) return;
    await this.#until((resolve) => stream.write('', () => resolve()));
  }

  discard(): void {}

  #open(): NodeJS.WriteStream {
    if (this.#stream === undefined) {
      this.#stream = process.stdout;
      this.#stream.on('error', (error) => {
        this.#failure ??= stdoutError(error);
      });
    }
    return this.#stream;
  }

  async #send(data: string | Uint8Array): Promise<void> {
    const stream = this.#open();
    if (this.#failure !== undefined) throw this.#failure;
    if (!stream.write(data)) await this.#until((resolve) => stream.once('drain', resolve));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits for the stream, but not longer than for a cancellation or a failure. */
  #until(arm: (resolve: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(this.#signal.reason);
      const fail = (): void => reject(this.#failure);
      this.#signal.addEventListener('abort', stop, { once: true });
      this.#stream?.once('error', fail);
      arm(() => {
        this.#signal.removeEventListener('abort', stop);
        this.#stream?.removeListener('error', fail);
        if (this.#failure === undefined) resolve();
        else reject(this.#failure);
      });
    });
  }
}

/** Writes to fd 1; returns what a full pipe did not take. */
function writeSmall(bytes: Uint8Array): Uint8Array | undefined {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return rest;
    throw stdoutError(error);
  }
}

function stdoutError(error: unknown): unknown {
  const errno = (error as NodeJS.ErrnoException).code;
  // A reader that has gone, and a descriptor closed from the start (`>&-`), alike.
  if (errno === 'EPIPE' || errno === 'EBADF' || errno === 'ECONNRESET') return closedPipe('stdout');
  return ioError(error, 'cannot write', 'stdout');
}
