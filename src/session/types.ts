import type { Result } from '../common/batch.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { ParquetWrite } from '../operators/write_parquet.ts';

export type { ParquetWrite };

export interface SessionOptions {
  /** default: cgroup quota, then CPU affinity */
  readonly threads?: number | undefined;
  /** bytes; default 80 % of the smaller of cgroup limit and RAM */
  readonly memoryLimit?: number | undefined;
  readonly tempDir?: string | undefined;
  readonly device?: 'auto' | 'cpu' | 'gpu' | number | undefined;
  /** an error where a node would run on the CPU, but for row sources and writers; needs device gpu */
  readonly strict?: boolean | undefined;
  /** engine settings by name, as text: `list.offset_limit`, `batch.rows`, … */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A value bound to `$name`: SQL text of a literal that the binder casts, or a vector. */
export type ParamValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ParamValue[]
  | Float32Array
  | Float64Array;

export interface QueryOptions {
  readonly params?: Readonly<Record<string, ParamValue>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** parse and bind only */
  readonly dryRun?: boolean | undefined;
  /** asked once a query whose rows are to become a Parquet file instead of a result */
  readonly writeTo?: (() => ParquetWrite) | undefined;
  /** writes the rows of a COPY whose format is not the engine's; without it such a COPY is unsupported */
  readonly writeRows?: ((result: Result, write: RowsWrite) => Promise<void>) | undefined;
}

/** A file that rows are written to; it appears complete or not at all. */
export interface RowsWrite {
  readonly path: string;
  readonly format: 'arrow';
}

/** One statement of a text, with its place in it. */
export interface StatementResult {
  readonly span: SourceSpan;
  readonly result: Result;
}

/** SQL text in, batches out; the only stateful object of the engine. */
export interface Session {
  /** Runs the statements of `sql` one by one, lazily: the next one starts when its result is asked for. */
  query(sql: string, options?: QueryOptions): AsyncIterable<StatementResult>;
  /** Makes `name` a view over files matching `glob` (read_parquet / Arrow by ending). */
  registerTable(name: string, glob: string): void;
  set(name: string, value: string): void;
  close(): Promise<void>;
}
