import type { DataType } from './data_type.ts';

/** Name and type of one output column. Names may repeat at the top level. */
export interface Field {
  readonly name: string;
  readonly type: DataType;
}

export type Schema = readonly Field[];

/**
 * One column of a result batch: Arrow layout with these fixed choices.
 * - `validity`: bit i (LSB first) = row i is not null; undefined = no nulls.
 * - bool: `values` is a bitmap (LSB first).
 * - int8..uint64, float32/64: the matching typed array. float16, bfloat16: Uint16Array of raw bits.
 * - decimal: BigInt64Array, two words a value (low, high) = int128 two's complement, unscaled.
 * - date: Int32Array of days; time, timestamp: BigInt64Array of the type's unit.
 * - interval: DataView-free Int32Array, four words a value: months, days, microseconds low, microseconds high.
 * - uuid: Uint8Array, 16 bytes a value in text order (big-endian).
 * - string, binary: `offsets` (rows + 1) into `values` (Uint8Array).
 * - list, map: `offsets` (rows + 1) into `children[0]` (for map a struct column of key and value).
 * - struct: `children` in field order, each with the same number of rows.
 * `offsets` is a BigInt64Array when the child has more elements than `list.offset_limit`, else an Int32Array.
 */
export interface ResultColumn {
  readonly type: DataType;
  readonly rows: number;
  readonly nullCount: number;
  readonly validity?: Uint8Array | undefined;
  readonly values?: ArrayBufferView | undefined;
  readonly offsets?: Int32Array | BigInt64Array | undefined;
  readonly children?: readonly ResultColumn[] | undefined;
}

/** Rows of a result in order. At most 8 MiB of buffers unless one row is larger. */
export interface ResultBatch {
  readonly rows: number;
  readonly columns: readonly ResultColumn[];
}

/** What one query did, read after its last batch. Bytes unless said otherwise. */
export interface QueryMetrics {
  readonly elapsedMs: number;
  readonly rows: number;
  readonly bytesRead: number;
  readonly peakMemory: number;
  readonly pagesRead: number;
  readonly pagesSkipped: number;
  readonly rowGroupsRead: number;
  readonly rowGroupsSkipped: number;
  /** pairs of rows whose keys are equal in joins (without keys: all pairs) */
  readonly pairsTested: number;
  /** pairs of rows that joins gave */
  readonly pairsWritten: number;
  /** files that could not be read and were left out (`on_bad_file = skip`) */
  readonly skippedFiles?: readonly { readonly path: string; readonly reason: string }[] | undefined;
}

/** A running statement: schema first, batches in order, metrics after the last one. */
export interface Result {
  /** 'rows' for a query, 'none' for a statement without a result (SET, CREATE VIEW) */
  readonly kind: 'rows' | 'none';
  readonly schema: Schema;
  /** Cancels the query when the consumer returns early. */
  batches(): AsyncIterable<ResultBatch>;
  metrics(): QueryMetrics;
}
