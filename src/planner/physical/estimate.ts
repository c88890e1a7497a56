import type { LogicalJoin, LogicalNode } from '../logical/node.ts';

/** Share of rows that one conjunct is taken to keep. */
const SELECTIVITY = 0.2;
/** Elements that a list is taken to have. */
const LIST_LENGTH = 8;

/** Rough number of output rows, from footers and rules of thumb; null = unknown. */
export function estimateRows(node: LogicalNode): number | null {
  switch (node.kind) {
    case 'scan':
      return bounded(filtered(node.table.rows, node.filter.length), node.limit);
    case 'values':
      return node.rows.length;
    case 'range': {
      const steps = (node.stop - node.start) / node.step;
      const rest = (node.stop - node.start) % node.step === 0n ? 0n : 1n;
      return Number(steps < 0n ? 0n : steps + (steps >= 0n ? rest : 0n));
    }
    case 'generate':
      return null;
    case 'filter':
      return filtered(estimateRows(node.input), node.predicate.length);
    case 'project':
    case 'sort':
      return estimateRows(node.input);
    case 'aggregate': {
      if (node.keys.length === 0) return 1;
      const rows = estimateRows(node.input);
      return rows === null ? null : Math.ceil(rows / 10);
    }
    case 'limit':
    case 'top_k': {
      const rows = estimateRows(node.input);
      return bounded(rows === null ? null : Math.max(0, rows - node.offset), node.limit);
    }
    case 'union_all': {
      const rows = node.inputs.map(estimateRows);
      return rows.includes(null) ? null : rows.reduce((sum: number, count) => sum + (count ?? 0), 0);
    }
    case 'join':
      return joinRows(node);
    case 'shared':
      return estimateRows(node.body);
    case 'unnest': {
      const rows = estimateRows(node.input);
      return rows === null ? null : rows * LIST_LENGTH;
    }
  }
}

/** Rows before filters, the largest table of a join; null = unknown. */
export function baseRows(node: LogicalNode): number | null {
  switch (node.kind) {
    case 'scan':
      return node.table.rows;
    case 'filter':
    case 'project':
    case 'sort':
      return baseRows(node.input);
    case 'shared':
      return baseRows(node.body);
    case 'join': {
      const [left, right] = [baseRows(node.left), baseRows(node.right)];
      return left === null || right === null ? null : Math.max(left, right);
    }
    default:
      return estimateRows(node);
  }
}

/** An equality is taken for one with the key of the smaller table. */
function joinRows(node: LogicalJoin): number | null {
  const [left, right] = [estimateRows(node.left), estimateRows(node.right)];
  if (left === null || right === null) return null;
  const keys = Math.max(1, Math.min(baseRows(node.left) ?? left, baseRows(node.right) ?? right));
  const pairs = node.keys.length > 0 ? (left * right) / keys : left * right;
  const inner = filtered(Math.ceil(pairs), node.residual.length) ?? 0;
  switch (node.type) {
    case 'inner':
      return inner;
    case 'left':
      return Math.max(left, inner);
    case 'full':
      return Math.max(left, right, inner);
    case 'semi':
    case 'anti':
      return Math.ceil(left / 2);
    case 'mark':
    case 'single':
      return left;
  }
}

function filtered(rows: number | null, conjuncts: number): number | null {
  return rows === null ? null : Math.ceil(rows * SELECTIVITY ** Math.min(conjuncts, 3));
}

function bounded(rows: number | null, limit: number | null): number | null {
  if (limit === null) return rows;
  return rows === null ? limit : Math.min(rows, limit);
}
