import type { DataType } from '../../common/data_type.ts';
import { isInteger } from '../../functions/argument.ts';
import { isSafeCast } from '../../functions/cast_cost.ts';
import type { PlanJoinFilter } from '../../operators/hash_join.ts';
import type { ScanJoinFilter } from '../../operators/scan_files.ts';
import { estimateRows } from '../estimate/rows.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { JoinKey, LogicalJoin, LogicalNode, LogicalScan } from '../logical/node.ts';
import { inputsOf, outputOf } from '../logical/node.ts';
import { joinInputs, joinTypeOf } from './join.ts';

/** Which scans leave out rows that a join would drop, because the keys of its second input are known before. */
export interface JoinFilterPlan {
  ofKey(key: JoinKey): PlanJoinFilter | null;
  ofScan(scan: LogicalScan): readonly ScanJoinFilter[];
}

/** Share of its rows up to which a second input is worth a look at every row of the first. */
const WORTHWHILE_SHARE = 0.9;

/** Filters from every join that drops rows without a match to the scans that give its keys. */
export function planJoinFilters(root: LogicalNode): JoinFilterPlan {
  const readers = countReaders(root);
  const keys = new Map<JoinKey, PlanJoinFilter>();
  const scans = new Map<LogicalScan, ScanJoinFilter[]>();
  for (const node of readers.keys()) {
    if (node.kind !== 'join' || !['inner', 'right', 'semi'].includes(joinTypeOf(node))) continue;
    const [probe, build] = joinInputs(node);
    for (const key of node.keys) {
      const expr = probe === node.left ? key.left : key.right;
      const column = comparedColumn(expr);
      if (key.nullSafe || column === null || keys.has(key)) continue;
      const targets = scansOf(probe, column, readers);
      if (targets.length === 0) continue;
      const rows = isSelective(build);
      if (!rows && !hasBounds(expr.type)) continue;
      const filter = { number: keys.size, rows };
      keys.set(key, filter);
      for (const { scan, column } of targets) {
        const uses = scans.get(scan) ?? [];
        uses.push({ column, filter: filter.number, rows: filter.rows });
        scans.set(scan, uses);
      }
    }
  }
  return { ofKey: (key) => keys.get(key) ?? null, ofScan: (scan) => scans.get(scan) ?? [] };
}

/** The column that a key is, or an integer one that it widens: the engine compares the values of both. */
function comparedColumn(expr: BoundExpr): ColumnId | null {
  if (expr.kind === 'column') return expr.column;
  if (expr.kind !== 'cast' || expr.operand.kind !== 'column') return null;
  const { column, type } = expr.operand;
  return isInteger(type) && isInteger(expr.type) && isSafeCast(type, expr.type) ? column : null;
}

/** Every node with the number of nodes that read it. */
function countReaders(root: LogicalNode): ReadonlyMap<LogicalNode, number> {
  const readers = new Map<LogicalNode, number>();
  const visit = (node: LogicalNode): void => {
    const seen = readers.get(node) ?? 0;
    readers.set(node, seen + 1);
    if (seen === 0) (node.kind === 'shared' ? [node.body] : inputsOf(node)).forEach(visit);
  };
  visit(root);
  return readers;
}

interface Target {
  readonly scan: LogicalScan;
  /** position in the scan's columns */
  readonly column: number;
}

/**
 * Scans whose rows may be left out by the value of a column of `node`: every step between must give the same for the
 * rows that stay, and raise no error for those that go.
 */
function scansOf(node: LogicalNode, column: ColumnId, readers: ReadonlyMap<LogicalNode, number>): Target[] {
  if ((readers.get(node) ?? 0) !== 1) return [];
  switch (node.kind) {
    case 'scan': {
      const at = node.columns.findIndex(({ id }) => id === column);
      if (at < 0 || node.limit !== null || node.filter.some(isFallible)) return [];
      return [{ scan: node, column: at }];
    }
    case 'filter':
      return node.predicate.some(isFallible) ? [] : scansOf(node.input, column, readers);
    case 'project': {
      const source = node.columns.find(({ id }) => id === column)?.expr;
      if (source?.kind !== 'column' || node.columns.some(({ expr }) => isFallible(expr))) return [];
      return scansOf(node.input, source.column, readers);
    }
    case 'union_all': {
      const at = node.columns.findIndex(({ id }) => id === column);
      return node.inputs.flatMap((input) => {
        const source = outputOf(input)[at];
        return source === undefined ? [] : scansOf(input, source.id, readers);
      });
    }
    case 'join':
      return scansBelowJoin(node, column, readers);
    default:
      return [];
  }
}

function scansBelowJoin(node: LogicalJoin, column: ColumnId, readers: ReadonlyMap<LogicalNode, number>): Target[] {
  const conditions: readonly BoundExpr[] = [...node.keys.flatMap(({ left, right }) => [left, right]), ...node.residual];
  if (conditions.some(isFallible)) return [];
  const has = (side: LogicalNode): boolean => outputOf(side).some(({ id }) => id === column);
  if (has(node.left)) {
    return ['inner', 'left', 'semi', 'anti', 'mark'].includes(node.type) ? scansOf(node.left, column, readers) : [];
  }
  return node.type === 'inner' && has(node.right) ? scansOf(node.right, column, readers) : [];
}

const NO_BOUNDS: ReadonlySet<DataType['kind']> = new Set([
  'uint64',
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'string',
  'binary',
  'uuid',
  'interval',
  'list',
  'struct',
  'map',
]);

/** Whether the engine compares the bounds of keys with those of row groups: whole numbers of up to 64 bits. */
function hasBounds(type: DataType): boolean {
  return !NO_BOUNDS.has(type.kind) && (type.kind !== 'decimal' || type.precision <= 18);
}

/** Whether filters or joins leave out a part of the rows, so that some keys of the other side have no match. */
function isSelective(build: LogicalNode): boolean {
  const [rows, table] = [estimateRows(build), tableRows(build)];
  return table === 'none' || (rows !== null && table !== null && rows <= table * WORTHWHILE_SHARE);
}

/** Rows of the largest table that a node reads before filters; null = unknown, 'none' = its rows are made by the query. */
function tableRows(node: LogicalNode): number | null | 'none' {
  switch (node.kind) {
    case 'scan':
      return node.table.rows;
    case 'values':
    case 'range':
    case 'generate':
    case 'unnest':
      return 'none';
    case 'shared':
      return tableRows(node.body);
    case 'filter':
    case 'project':
    case 'sort':
    case 'aggregate':
    case 'limit':
    case 'top_k':
    case 'union_all':
    case 'join': {
      const tables = inputsOf(node).map(tableRows);
      if (tables.includes(null)) return null;
      const known = tables.filter((rows): rows is number => typeof rows === 'number');
      return known.length === 0 ? 'none' : Math.max(...known);
    }
  }
}
