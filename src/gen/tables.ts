/** One file that `quern gen tpcds` writes: DIR/name.parquet, or DIR/name/part.parquet where a table has several files. */
export interface GeneratedFile {
  readonly table: string;
  readonly path: string;
  /** name of the native generator */
  readonly generator: string;
  /** rows of a row group */
  readonly rowGroupRows: number;
}

/** Rows of a row group of wide or large tables; about 10 MB of store_sales. */
const FACT_ROWS = 122_880;

/** The tables, in the order in which they are written. */
export const TPCDS_FILES: readonly GeneratedFile[] = [
  { table: 'date_dim', path: 'date_dim.parquet', generator: 'date_dim', rowGroupRows: FACT_ROWS },
  { table: 'item', path: 'item.parquet', generator: 'item', rowGroupRows: FACT_ROWS },
  { table: 'store', path: 'store.parquet', generator: 'store', rowGroupRows: FACT_ROWS },
  { table: 'store_sales', path: 'store_sales.parquet', generator: 'store_sales', rowGroupRows: FACT_ROWS },
  { table: 'customer', path: 'customer.parquet', generator: 'customer', rowGroupRows: FACT_ROWS },
  {
    table: 'customer_address',
    path: 'customer_address.parquet',
    generator: 'customer_address',
    rowGroupRows: FACT_ROWS,
  },
  {
    table: 'customer_demographics',
    path: 'customer_demographics.parquet',
    generator: 'customer_demographics',
    rowGroupRows: FACT_ROWS,
  },
  {
    table: 'household_demographics',
    path: 'household_demographics.parquet',
    generator: 'household_demographics',
    rowGroupRows: FACT_ROWS,
  },
  { table: 'time_dim', path: 'time_dim.parquet', generator: 'time_dim', rowGroupRows: FACT_ROWS },
  { table: 'promotion', path: 'promotion.parquet', generator: 'promotion', rowGroupRows: FACT_ROWS },
  { table: 'store_returns', path: 'store_returns.parquet', generator: 'store_returns', rowGroupRows: FACT_ROWS },
  { table: 'basket', path: 'basket.parquet', generator: 'basket', rowGroupRows: FACT_ROWS },
  { table: 'item_vec', path: 'item_vec/part-0.parquet', generator: 'item_vec', rowGroupRows: 20_000 },
  { table: 'item_vec', path: 'item_vec/part-1.parquet', generator: 'item_vec_short', rowGroupRows: 20_000 },
];

export const TPCDS_TABLES: readonly string[] = [...new Set(TPCDS_FILES.map((file) => file.table))];
