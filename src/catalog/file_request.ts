/** Files that a query asks for, before any of them is looked at. */
export interface FileRequest {
  /** paths, globs, folders, or '-' for standard input */
  readonly patterns: readonly string[];
  /** null = by ending */
  readonly format: 'parquet' | 'arrow' | null;
  /** null = when every path has the same keys */
  readonly hivePartitioning: boolean | null;
  readonly unionByName: boolean;
  /** name of a column with the path of each row's file */
  readonly filename: string | null;
  readonly fileRowNumber: boolean;
  readonly binaryAsString: boolean;
  readonly bfloat16: readonly string[];
  /** how the SQL text names them */
  readonly label: string;
}
