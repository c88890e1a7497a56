import type { Operator } from './operator.ts';
import type { ScanFiles } from './scan_files.ts';
import { scanOperator } from './scan_files.ts';

/** Reads projected columns of Parquet files; its filter prunes row groups and pages, and wide columns are fetched last. */
export interface ScanParquet extends ScanFiles {
  readonly kind: 'scan_parquet';
}

export const scanParquet: Operator<ScanParquet> = scanOperator('scan_parquet');
