import type { ParquetWrite } from '../session/types.ts';
import { checkTarget } from './output_target.ts';
import type { OutputTarget } from './target.ts';
import { usageError } from './usage_error.ts';

/** `-o x.parquet`: the engine writes the file itself, complete or not at all; there is nothing to print. */
export class ParquetTarget implements OutputTarget {
  readonly #path: string;
  #asked = false;

  constructor(path: string, force: boolean) {
    checkTarget(path, force);
    this.#path = path;
  }

  /** How the one result is written. */
  next(defaults: Omit<ParquetWrite, 'path'>): ParquetWrite {
    if (this.#asked)
      throw usageError('a Parquet file holds one result, the script has more', 'COPY (…) TO writes each');
    this.#asked = true;
    return { ...defaults, path: this.#path };
  }

  async write(): Promise<void> {
    throw notRows();
  }

  async writeBytes(): Promise<void> {
    throw notRows();
  }

  async flush(): Promise<void> {}

  async commit(): Promise<void> {}

  discard(): void {}
}

const notRows = (): Error => usageError('this result cannot be written as Parquet', 'only rows of a query can');
