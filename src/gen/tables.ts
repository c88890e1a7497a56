/** One file that `quern gen tpcds` writes: DIR/name.parquet, or DIR/name/part.parquet where a table has several files. */
export interface GeneratedFile {
  readonly table: string;
  readonly path: string;
  /** name of the native generator */
  readonly generator: string;
  /** rows of a row group */
  readonly rowGroupRows: number;
}

/** A table laid out once more, as hive partitions by year and month of the sale: DIR/table/year_key=Y/month_key=M/part-0.parquet. */
export interface MonthlyTable {
  readonly table: string;
  /** the generated table that it repeats; its rows stand in the order of `date` */
  readonly of: string;
  /** column with the day of the sale, a Julian day number; NULL goes to a partition of its own */
  readonly date: string;
  readonly yearKey: string;
  readonly monthKey: string;
}

/** Rows of a row group of wide or large tables; about 10 MB of store_sales. */
const FACT_ROWS = 122_880;
/** Rows of a row group of a monthly partition: some days of store_sales at scale 1. */
export const MONTHLY_ROWS = 8_192;

const oneFile = (table: string): GeneratedFile => ({
  table,
  path: `${table}.parquet`,
  generator: table,
  rowGroupRows: FACT_ROWS,
});

const monthly = (of: string, prefix: string): MonthlyTable => ({
  table: `${of}_by_month`,
  of,
  date: `${prefix}_sold_date_sk`,
  yearKey: `${prefix}_sold_year`,
  monthKey: `${prefix}_sold_month`,
});

/** The tables, in the order in which they are written. */
export const TPCDS_FILES: readonly GeneratedFile[] = [
  oneFile('date_dim'),
  oneFile('item'),
  oneFile('store'),
  oneFile('store_sales'),
  oneFile('customer'),
  oneFile('customer_address'),
  oneFile('customer_demographics'),
  oneFile('household_demographics'),
  oneFile('time_dim'),
  oneFile('promotion'),
  oneFile('store_returns'),
  oneFile('web_sales'),
  oneFile('web_returns'),
  oneFile('catalog_sales'),
  oneFile('catalog_returns'),
  oneFile('inventory'),
  oneFile('warehouse'),
  oneFile('income_band'),
  oneFile('reason'),
  oneFile('ship_mode'),
  oneFile('web_site'),
  oneFile('web_page'),
  oneFile('call_center'),
  oneFile('catalog_page'),
  oneFile('basket'),
  { table: 'item_vec', path: 'item_vec/part-0.parquet', generator: 'item_vec', rowGroupRows: 20_000 },
  { table: 'item_vec', path: 'item_vec/part-1.parquet', generator: 'item_vec_short', rowGroupRows: 20_000 },
];

/** Written after the files that they repeat. */
export const TPCDS_MONTHLY: readonly MonthlyTable[] = [
  monthly('store_sales', 'ss'),
  monthly('web_sales', 'ws'),
  monthly('catalog_sales', 'cs'),
];

export const TPCDS_TABLES: readonly string[] = [
  ...new Set([...TPCDS_FILES, ...TPCDS_MONTHLY].map((file) => file.table)),
];
