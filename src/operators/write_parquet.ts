import type { Operator } from './operator.ts';

export type ParquetCompression = 'none' | 'snappy' | 'gzip' | 'brotli' | 'zstd' | 'lz4';

/** How Parquet is written: a file, or a folder of files when `fileBytes` or `perThread` say so. */
export interface ParquetWrite {
  readonly path: string;
  readonly compression: ParquetCompression;
  /** of gzip, brotli and zstd; null = one that is fast */
  readonly level: number | null;
  /** rows of a row group at most */
  readonly rowGroupRows: number;
  /** bytes of a row group at most: values in plain form and levels, before dictionaries and compression */
  readonly rowGroupBytes: number;
  /** bytes at which a file ends and the next one begins; 0 = never */
  readonly fileBytes: number;
  /** each thread writes files of its own, in no order */
  readonly perThread: boolean;
  /** wrong hits of the bloom filters that stand beside dictionaries; 0 = no filters */
  readonly bloomRatio: number;
}

/** The input's rows as Parquet, in order unless each thread writes for itself; gives one row: how many there were. */
export interface WriteParquet extends ParquetWrite {
  readonly kind: 'write_parquet';
}

export const writeParquet: Operator<WriteParquet> = {
  explain: explainWrite,
  encode: (node) => ({
    kind: 'write_parquet',
    path: node.path,
    compression: node.compression,
    level: node.level,
    group_rows: node.rowGroupRows,
    group_bytes: node.rowGroupBytes,
    file_bytes: node.fileBytes,
    per_thread: node.perThread,
    bloom_ratio: node.bloomRatio,
  }),
};

function explainWrite(node: WriteParquet): string {
  const compression = node.level === null ? node.compression : `${node.compression}(${node.level})`;
  return [
    `${node.path} ${compression} rows=${node.rowGroupRows} bytes=${node.rowGroupBytes}`,
    ...(node.fileBytes > 0 ? [`file_bytes=${node.fileBytes}`] : []),
    ...(node.perThread ? ['per_thread'] : []),
  ].join(' ');
}
