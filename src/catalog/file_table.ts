import type { DataType } from '../common/data_type.ts';
import type { LiteralValue } from '../common/literal.ts';

/** What fills a column: a top-level field of the file, its path, the row's number in it or in all files, or a hive key. */
export type ColumnSource = 'field' | 'filename' | 'file_row_number' | 'row_number' | 'hive';

/** How files are read; the plan document has the same fields. */
export interface FileOptions {
  readonly binary_as_string: boolean;
  readonly union_by_name: boolean;
  readonly hive_partitioning: boolean;
  /** fields of 16 bits to be read as BFLOAT16 */
  readonly bfloat16: readonly string[];
  /** stop at the first bad file, or leave it out and list it in the metrics */
  readonly on_bad_file: 'error' | 'skip';
}

/** A column that a scan of the table can produce. */
export interface TableColumn {
  readonly name: string;
  readonly type: DataType;
  readonly source: ColumnSource;
  /** file's top-level field, or hive key */
  readonly field: string;
  /** which of the file's fields of this name, 0 = the first */
  readonly nth: number;
  /** why the column cannot be read; null = it can */
  readonly unsupported: string | null;
  /** over all files; null = unknown */
  readonly bounds: ColumnBounds | null;
  /** about how many distinct values it has; null = unknown */
  readonly distinct: number | null;
}

/** Bounds over all rows of all files, from footers. `exact` = both values occur (or there is no value at all). */
export interface ColumnBounds {
  readonly min: LiteralValue;
  readonly max: LiteralValue;
  readonly exact: boolean;
  /** null = unknown */
  readonly nullCount: number | null;
  /** floats: NaN may be present beyond the bounds */
  readonly mayHoldNan: boolean;
}

/** Files with one schema. */
export interface FileTable {
  readonly format: 'parquet' | 'arrow';
  /** in the order in which their rows come */
  readonly files: readonly string[];
  readonly options: FileOptions;
  readonly columns: readonly TableColumn[];
  /** of all files together; null = unknown (a stream) */
  readonly rows: number | null;
  /** how the SQL text names it */
  readonly label: string;
}
