import type { Operator } from './operator.ts';

export type ParquetCompression = 'none' | 'snappy' | 'gzip' | 'zstd' | 'lz4';

/** How a Parquet file is written. */
export interface ParquetWrite {
  readonly path: string;
  readonly compression: ParquetCompression;
  /** rows of a row group at most */
  readonly rowGroupRows: number;
  /** bytes of a row group at most: values in plain form and levels, before dictionaries and compression */
  readonly rowGroupBytes: number;
}

/** The input's rows as one Parquet file, in order; gives one row: how many there were. */
export interface WriteParquet extends ParquetWrite {
  readonly kind: 'write_parquet';
}

export const writeParquet: Operator<WriteParquet> = {
  explain: (node) => `${node.path} ${node.compression} rows=${node.rowGroupRows} bytes=${node.rowGroupBytes}`,
  encode: (node) => ({
    kind: 'write_parquet',
    path: node.path,
    compression: node.compression,
    group_rows: node.rowGroupRows,
    group_bytes: node.rowGroupBytes,
  }),
};
