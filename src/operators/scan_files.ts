import type { DataType } from '../common/data_type.ts';
import { quoteIdentifier } from '../common/data_type.ts';
import type { PlanEncoder } from './encoder.ts';
import type { PlanExpr } from './expression.ts';
import { conjunctionText } from './expression.ts';
import type { Operator, WireBody } from './operator.ts';
import type { WireScanColumn, WireScanOptions } from './wire.ts';

export interface ScanFileColumn {
  readonly name: string;
  readonly type: DataType;
  readonly source: WireScanColumn['source'];
  readonly field: string;
  /** which of the file's fields of this name, 0 = the first */
  readonly nth: number;
}

export interface ScanJoinFilter {
  readonly column: number;
  /** number of the filter in the plan */
  readonly filter: number;
  /** it looks at rows, not only at row groups and pages */
  readonly rows: boolean;
}

/** Parameters of both file scans, scan_parquet and scan_arrow. */
export interface ScanFiles {
  readonly files: readonly string[];
  readonly columns: readonly ScanFileColumn[];
  readonly options: WireScanOptions;
  /** conjuncts over `columns` */
  readonly filter: readonly PlanExpr[];
  readonly limit: number | null;
  /** columns that a join compares with its keys */
  readonly joinFilters: readonly ScanJoinFilter[];
  /** as the SQL text names the files */
  readonly label: string;
}

/** Files and columns shown before the rest is only counted. */
const SHOWN_COLUMNS = 12;

export function explainScan(scan: ScanFiles): string {
  const parts = [scan.label];
  if (scan.files.length !== 1) parts.push(`files=${scan.files.length}`);
  const names = scan.columns.slice(0, SHOWN_COLUMNS).map((column) => quoteIdentifier(column.name));
  if (scan.columns.length > SHOWN_COLUMNS) names.push(`… ${scan.columns.length - SHOWN_COLUMNS} more`);
  parts.push(`columns=[${names.join(', ')}]`);
  if (scan.filter.length > 0) parts.push(`filter=[${conjunctionText(scan.filter)}]`);
  if (scan.joinFilters.length > 0)
    parts.push(`join_filter=[${scan.joinFilters.map((use) => joinFilterText(scan, use)).join(', ')}]`);
  if (scan.limit !== null) parts.push(`limit=${scan.limit}`);
  return parts.join(' ');
}

function joinFilterText(scan: ScanFiles, use: ScanJoinFilter): string {
  const name = quoteIdentifier(scan.columns[use.column]?.name ?? '');
  return use.rows ? name : `${name} bounds`;
}

function encodeScan(kind: 'scan_parquet' | 'scan_arrow', scan: ScanFiles, encoder: PlanEncoder): WireBody {
  return {
    kind,
    files: scan.files,
    columns: scan.columns.map(({ name, type, source, field, nth }) => {
      const column = { name, type: encoder.type(type), source, field };
      return nth === 0 ? column : { ...column, nth };
    }),
    options: scan.options,
    filter: encoder.exprList(scan.filter),
    limit: scan.limit,
    ...(scan.joinFilters.length === 0
      ? {}
      : { joinFilters: scan.joinFilters.map(({ column, filter }) => ({ column, filter })) }),
  };
}

export function scanOperator(kind: 'scan_parquet' | 'scan_arrow'): Operator<ScanFiles> {
  return { explain: explainScan, encode: (node, encoder) => encodeScan(kind, node, encoder) };
}
