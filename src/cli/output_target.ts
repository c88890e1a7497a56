/** Where data goes: stdout, or a file that appears complete or not at all. */
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { QuernError } from '../common/error.ts';
import type { TextSink } from '../output/text_sink.ts';
import type { Interruption } from './interruption.ts';
import { ioError } from './io_error.ts';
import { nearestExisting } from './nearest_path.ts';
import { usageError } from './usage_error.ts';

/** Thrown when the reader of stdout has gone: ends the run silently with exit code 141. */
export class ClosedPipe extends Error {
  constructor() {
    super('the reader of stdout is gone');
    this.name = 'ClosedPipe';
  }
}

export interface OutputTarget extends TextSink {
  /** Hands on what is collected, so that an error on stderr comes after the rows before it. */
  flush(): Promise<void>;
  /** Everything is written: make it visible. */
  commit(): Promise<void>;
  /** Something failed: leave nothing behind. */
  discard(): void;
}

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
  if (errno === 'EPIPE' || errno === 'EBADF' || errno === 'ECONNRESET') return new ClosedPipe();
  return ioError(error, 'cannot write', 'stdout');
}

const tempName = (target: string): string => join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);

/** Data for a file: written beside it under a dot name, renamed when complete. */
class FileTarget implements OutputTarget {
  readonly #path: string;
  readonly #temp: string;
  readonly #fd: number;
  readonly #replace: boolean;
  readonly #signal: AbortSignal;
  readonly #forget: () => void;
  #open = true;

  constructor(path: string, replace: boolean, interruption: Interruption) {
    this.#path = path;
    this.#replace = replace;
    this.#signal = interruption.signal;
    this.#temp = tempName(path);
    removeStale(path);
    try {
      this.#fd = openSync(this.#temp, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, modeOf(path));
    } catch (error) {
      throw ioError(error, 'cannot write', path, nearestExisting(path));
    }
    this.#forget = interruption.onEnd(() => this.discard());
  }

  async write(text: string): Promise<void> {
    this.#signal.throwIfAborted();
    let rest: Uint8Array = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(await this.#writeSome(rest));
  }

  #writeSome(bytes: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#fd, bytes, (error, written) => {
        if (error === null) resolve(written);
        else reject(ioError(error, 'cannot write', this.#path));
      });
    });
  }

  async flush(): Promise<void> {}

  async commit(): Promise<void> {
    try {
      fsyncSync(this.#fd);
      this.#close();
      if (!this.#replace && existsSync(this.#path)) throw alreadyThere(this.#path);
      renameSync(this.#temp, this.#path);
    } catch (error) {
      this.discard();
      throw ioError(error, 'cannot write', this.#path);
    }
    this.#forget();
  }

  discard(): void {
    this.#forget();
    this.#close();
    if (existsSync(this.#temp)) unlinkSync(this.#temp);
  }

  #close(): void {
    if (this.#open) closeSync(this.#fd);
    this.#open = false;
  }
}

/** A device or a pipe is written directly: there is nothing to rename. */
class DeviceTarget implements OutputTarget {
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
    this.#signal.throwIfAborted();
    const bytes = Buffer.from(text);
    return new Promise((resolve, reject) => {
      const step = (from: number): void => {
        write(this.#fd, bytes, from, bytes.length - from, null, (error, written) => {
          if (error !== null)
            reject(error.code === 'EPIPE' ? new ClosedPipe() : ioError(error, 'cannot write', this.#path));
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

/** Permissions of the file that is replaced, else the usual ones. */
function modeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0o666 : stats.mode & 0o777;
}

/** Removes what a killed process left beside `path`. */
function removeStale(path: string): void {
  const directory = dirname(path);
  if (!existsSync(directory)) return;
  const start = `.${basename(path)}.`;
  for (const name of listNames(directory)) {
    const pid = name.startsWith(start) ? /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) unlinkSync(join(directory, name));
  }
}

/** Names in a directory; one that may be written but not listed has nothing we could remove. */
function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw ioError(error, 'cannot read', directory);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function alreadyThere(path: string): QuernError {
  return usageError(`output file exists: ${path}`, '--force replaces it');
}

/** Opens the target of `-o`; `-` is stdout. Throws before the query runs when it cannot be written. */
export function openTarget(path: string | undefined, force: boolean, interruption: Interruption): OutputTarget {
  if (path === undefined || path === '-') return new StdoutTarget(interruption.signal);
  if (path === 'stdout') throw usageError('-o stdout would make a file of that name', '-o - writes to stdout');
  const link = lstatSync(path, { throwIfNoEntry: false });
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    throw new QuernError({ source: 'io', code: 'io', message: `cannot write: is a directory: ${path}` });
  }
  if (stats !== undefined && !stats.isFile()) return new DeviceTarget(path, interruption.signal);
  if (stats !== undefined && !force) throw alreadyThere(path);
  const target = link?.isSymbolicLink() && stats !== undefined ? realpathSync(path) : path;
  return new FileTarget(target, force, interruption);
}
