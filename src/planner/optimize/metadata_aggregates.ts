import type { DataType } from '../../common/data_type.ts';
import { INT64 } from '../../common/data_type.ts';
import type { LiteralValue } from '../../common/literal.ts';
import type { BoundExpr, BoundLiteral } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import type { AggregateColumn, LogicalNode, LogicalScan } from '../logical/node.ts';
import { rewriteUp } from '../logical/node.ts';

/** count(*), count, min and max over whole tables are read from footers where these are exact for all of them. */
export function metadataAggregates(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'aggregate' || node.keys.length > 0 || node.aggregates.length === 0) return node;
    const scan = plainScan(node.input);
    if (scan === null) return node;
    const values = node.aggregates.map((column) => fromFooters(column, scan));
    if (values.some((value) => value === null)) return node;
    return { kind: 'values', columns: node.aggregates, rows: [values as BoundLiteral[]] };
  });
}

/** A scan of all rows, seen through nothing but itself. */
function plainScan(node: LogicalNode): LogicalScan | null {
  const whole = node.kind === 'scan' && node.filter.length === 0 && node.limit === null;
  return whole && node.table.options.on_bad_file === 'error' ? node : null;
}

function fromFooters(column: AggregateColumn, scan: LogicalScan): BoundLiteral | null {
  const { call } = column;
  const { rows } = scan.table;
  if (rows === null || call.filter !== null) return null;
  if (call.fn === 'count_star') return literal(BigInt(rows), INT64, call.span);
  const [argument, ...others] = call.args;
  if (argument === undefined || others.length > 0 || call.distinct) return null;
  if (call.fn === 'count') return countOf(argument, scan, rows, call.span);
  if (call.fn === 'min' || call.fn === 'max') return boundOf(call.fn, argument, scan, column.type, rows);
  return null;
}

function boundsOf(expr: BoundExpr, scan: LogicalScan) {
  if (expr.kind !== 'column') return null;
  const column = scan.columns.find((c) => c.id === expr.column);
  const source = column === undefined ? undefined : scan.table.columns[column.index];
  return source?.source === 'field' ? source.bounds : null;
}

function countOf(expr: BoundExpr, scan: LogicalScan, rows: number, span: BoundExpr['span']): BoundLiteral | null {
  if (expr.kind === 'literal') return literal(expr.value === null ? 0n : BigInt(rows), INT64, span);
  const bounds = boundsOf(expr, scan);
  return bounds === null || bounds.nullCount === null ? null : literal(BigInt(rows - bounds.nullCount), INT64, span);
}

/** Types whose bounds in footers are values of the column, in the order of comparison. */
const ORDERED = new Set([
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'decimal',
  'date',
  'timestamp',
  'time',
  'bool',
  'string',
]);

function boundOf(
  fn: 'min' | 'max',
  expr: BoundExpr,
  scan: LogicalScan,
  type: DataType,
  rows: number,
): BoundLiteral | null {
  const bounds = boundsOf(expr, scan);
  if (bounds === null || !bounds.exact || bounds.mayHoldNan || !ORDERED.has(expr.type.kind)) return null;
  const value: LiteralValue = fn === 'min' ? bounds.min : bounds.max;
  if (value === null && rows > 0 && bounds.nullCount !== rows) return null;
  return literal(value, type, expr.span);
}
