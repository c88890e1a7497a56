import type { Operator } from './operator.ts';

export type ParquetCompression = 'none' | 'snappy' | 'gzip' | 'brotli' | 'zstd' | 'lz4';

/** What happens to the files of a folder that is there: an error, all are replaced, those of the same name are. */
export type ExistingFiles = 'refuse' | 'replace' | 'merge';

/** How Parquet is written: a file, or a folder of files when `fileBytes`, `perThread` or `partitionBy` say so. */
export interface ParquetWrite {
  readonly path: string;
  readonly compression: ParquetCompression;
  /** of gzip, brotli and zstd; null = one that is fast */
  readonly level: number | null;
  /** rows of a row group at most */
  readonly rowGroupRows: number;
  /** bytes of a row group in the file, of which it takes about so many: pages, dictionaries and bloom filters */
  readonly rowGroupBytes: number;
  /** bytes at which a file ends and the next one begins; 0 = never */
  readonly fileBytes: number;
  /** columns whose values are the names of folders; the input's last columns, in this order, are these values as text */
  readonly partitionBy: readonly string[];
  /** of a folder */
  readonly existing: ExistingFiles;
  /** name of a folder's files; {i} stands for their number, {uuid}, {uuidv4} and {uuidv7} for a random name */
  readonly fileName: string;
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
    partition_by: node.partitionBy,
    existing: node.existing,
    file_name: node.fileName,
  }),
};

function explainWrite(node: WriteParquet): string {
  const compression = node.level === null ? node.compression : `${node.compression}(${node.level})`;
  return [
    `${node.path} ${compression} rows=${node.rowGroupRows} bytes=${node.rowGroupBytes}`,
    ...(node.fileBytes > 0 ? [`file_bytes=${node.fileBytes}`] : []),
    ...(node.perThread ? ['per_thread'] : []),
    ...(node.partitionBy.length > 0 ? [`partition_by=(${node.partitionBy.join(', ')})`] : []),
    ...(node.existing === 'refuse' ? [] : [node.existing]),
  ].join(' ');
}
