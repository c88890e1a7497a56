import { chmodSync, existsSync, realpathSync, renameSync, unlinkSync } from 'node:fs';
import { QuernError } from '../common/error.ts';
import type { ParquetWrite } from '../session/types.ts';
import { alreadyThere, removeStale, tempName } from './file_target.ts';
import type { Interruption } from './interruption.ts';
import { ioError } from './io_error.ts';
import { checkTarget, isStdout } from './output_target.ts';
import type { OutputTarget } from './target.ts';
import { usageError } from './usage_error.ts';

/**
 * `-o x.parquet`: the engine writes the file beside it under a dot name; it is renamed when the whole script has run, for
 * a statement behind the result may fail. There is nothing to print.
 */
export class ParquetTarget implements OutputTarget {
  readonly #path: string;
  readonly #temp: string;
  /** permissions of the file that is replaced */
  readonly #mode: number | undefined;
  readonly #replace: boolean;
  readonly #forget: () => void;
  #asked = false;

  constructor(path: string, replace: boolean, interruption: Interruption) {
    const stats = checkTarget(path, replace);
    // A pipe or a device is written as it is, under the name that it was given: /dev/stdout may lead to what has none.
    const isStream = isStdout(path) || (stats !== undefined && !stats.isFile());
    // A link stays, the file that it names is replaced.
    this.#path = stats === undefined || isStream ? path : realpathSync(path);
    this.#temp = isStream ? path : tempName(this.#path);
    this.#mode = stats === undefined ? undefined : stats.mode & 0o777;
    this.#replace = replace;
    if (!isStream) removeStale(this.#path);
    this.#forget = interruption.onEnd(() => this.discard());
  }

  /** How the one result is written. */
  next(defaults: Omit<ParquetWrite, 'path'>): ParquetWrite {
    if (this.#asked)
      throw usageError('a Parquet file holds one result, the script has more', 'COPY (…) TO writes each');
    this.#asked = true;
    return { ...defaults, path: this.#temp };
  }

  /** An error of the engine with the name that the user gave the file. */
  named(error: unknown): unknown {
    if (!(error instanceof QuernError) || !error.message.includes(this.#temp)) return error;
    const { source, code, span, hint } = error;
    const message = error.message.replaceAll(this.#temp, this.#path);
    return new QuernError({ source, code, message, span, hint, cause: error });
  }

  async write(): Promise<void> {
    throw notRows();
  }

  async writeBytes(): Promise<void> {
    throw notRows();
  }

  async flush(): Promise<void> {}

  async commit(): Promise<void> {
    if (this.#temp === this.#path || !existsSync(this.#temp)) return this.#forget();
    try {
      if (this.#mode !== undefined) chmodSync(this.#temp, this.#mode);
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
    if (this.#temp !== this.#path && existsSync(this.#temp)) unlinkSync(this.#temp);
  }
}

const notRows = (): Error => usageError('this result cannot be written as Parquet', 'only rows of a query can');
