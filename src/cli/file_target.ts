import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  read,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  write,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { QuernError } from '../common/error.ts';
import type { WrittenBytes } from '../output/text_sink.ts';
import type { Interruption } from './interruption.ts';
import { ioError } from './io_error.ts';
import { nearestExisting } from './nearest_path.ts';
import { cutParts, type OutputTarget } from './target.ts';
import { usageError } from './usage_error.ts';

/** The dot name under which a process writes beside `target`. */
export const tempName = (target: string): string => join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);

/** Data for a file: written beside it under a dot name, renamed when complete. */
export class FileTarget implements OutputTarget {
  readonly #path: string;
  readonly #temp: string;
  #fd: number;
  readonly #replace: boolean;
  readonly #signal: AbortSignal;
  readonly #forget: () => void;
  #isOpen = true;

  constructor(path: string, replace: boolean, interruption: Interruption) {
    this.#path = path;
    this.#replace = replace;
    this.#signal = interruption.signal;
    this.#temp = tempName(path);
    removeStale(path);
    this.#fd = this.#create();
    this.#forget = interruption.onEnd(() => this.discard());
  }

  #create(): number {
    try {
      return openSync(this.#temp, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, modeOf(this.#path));
    } catch (error) {
      throw ioError(error, 'cannot write', this.#path, nearestExisting(this.#path));
    }
  }

  /** The old file has no name any more: it is gone with its last reader. */
  startOver(): WrittenBytes {
    unlinkSync(this.#temp);
    const created = this.#create();
    const old = this.#fd;
    this.#fd = created;
    return {
      read: (position, length) => readAll(old, position, length, this.#path),
      close: () => closeSync(old),
    };
  }

  write(text: string): Promise<void> {
    return this.#writeAll(Buffer.from(text));
  }

  async writeBytes(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of cutParts(parts)) await this.#writeAll(part);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    this.#signal.throwIfAborted();
    let rest = bytes;
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
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }
}

async function readAll(fd: number, position: number, length: number, path: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const count = await new Promise<number>((resolve, reject) => {
      read(fd, bytes, done, length - done, position + done, (error, got) => {
        if (error === null) resolve(got);
        else reject(ioError(error, 'cannot read', path));
      });
    });
    if (count === 0) throw new Error(`${path} is shorter than what was written`);
    done += count;
  }
  return bytes;
}

/** Permissions of the file that is replaced, else the usual ones. */
function modeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0o666 : stats.mode & 0o777;
}

/** Removes what a killed process left beside `path`. */
export function removeStale(path: string): void {
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

/** A file is replaced only on request. */
export function alreadyThere(path: string): QuernError {
  return usageError(`output file exists: ${path}`, '--force replaces it');
}
