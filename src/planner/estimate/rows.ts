import type { BoundExpr } from '../logical/expression.ts';
import type { LogicalAggregate, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';
import type { ColumnFacts } from './column_facts.ts';
import { commonRange, domainWithin, expressionFacts, factsOf, shareOf } from './column_facts.ts';
import { selectivity } from './selectivity.ts';

/** Elements that a list is taken to have. */
const LIST_LENGTH = 8;
/** Rows of a group whose keys are unknown. */
const GROUP_ROWS = 10;

const KNOWN = new WeakMap<LogicalNode, number | null>();

/** Number of output rows by footers, dictionaries and rules of thumb; null = unknown. */
export function estimateRows(node: LogicalNode): number | null {
  const known = KNOWN.get(node);
  if (known !== undefined) return known;
  const rows = estimate(node);
  KNOWN.set(node, rows);
  return rows;
}

function estimate(node: LogicalNode): number | null {
  switch (node.kind) {
    case 'scan': {
      const table: LogicalNode = { ...node, filter: [], limit: null };
      return bounded(
        node.filter.length === 0 ? node.table.rows : kept(node.table.rows, node.filter, table),
        node.limit,
      );
    }
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
      return kept(estimateRows(node.input), node.predicate, node.input);
    case 'project':
    case 'sort':
      return estimateRows(node.input);
    case 'shared':
      return estimateRows(node.body);
    case 'aggregate':
      return groups(node);
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

function kept(rows: number | null, predicate: readonly BoundExpr[], input: LogicalNode): number | null {
  return rows === null ? null : whole(rows * selectivity(predicate, (id) => factsOf(input, id)));
}

/** Up to the next whole number, but for what rounding added. */
const whole = (rows: number): number => Math.ceil(rows * (1 - 1e-9));

/** The key with the most values counts in full, the others by their square root: keys depend on each other. */
function groups(node: LogicalAggregate): number | null {
  if (node.keys.length === 0) return 1;
  const rows = estimateRows(node.input);
  if (rows === null) return null;
  const counts = node.keys.map((key) => {
    const { distinct, nulls } = expressionFacts(key.expr, node.input);
    return distinct === null ? null : distinct + ((nulls ?? 0) > 0 ? 1 : 0);
  });
  if (counts.includes(null)) return whole(rows / GROUP_ROWS);
  const sorted = (counts as number[]).sort((a, b) => b - a);
  return whole(
    Math.min(
      rows,
      sorted.reduce((product, count, i) => product * (i === 0 ? count : Math.sqrt(count)), 1),
    ),
  );
}

/** One key of a join: the facts of both sides. */
export type KeyFacts = readonly [left: ColumnFacts, right: ColumnFacts];

/** An input of a join. `tableRows`: of its largest table, before filters. */
export interface JoinInput {
  readonly rows: number;
  readonly tableRows: number;
}

/**
 * Pairs that equalities leave of two inputs. Rows whose keys lie outside of the range of the other side have none: a
 * calendar of 200 years has few days with sales, and filters are taken to have left those first. Of the pairs of the
 * others one is left of so many: the larger domain of the key within that range, where unknown the rows of the smaller
 * table, as if it were its key; several keys together at most the rows of the larger input.
 */
export function equalPairs(keys: readonly KeyFacts[], left: JoinInput, right: JoinInput): number {
  const smallerTable = Math.max(1, Math.min(left.tableRows, right.tableRows));
  let leftShare = 1;
  let rightShare = 1;
  let product = 1;
  let largest = 0;
  // keys depend on each other: the share of rows within all ranges is the smallest of them
  for (const key of keys) {
    const own = key[0];
    const other = key[1];
    const range = commonRange(own, other);
    leftShare = Math.min(leftShare, shareOf(own, range) ?? 1);
    rightShare = Math.min(rightShare, shareOf(other, range) ?? 1);
    const a = domainWithin(own, range);
    const b = domainWithin(other, range);
    const values = a === null || b === null ? smallerTable : Math.max(a, b);
    product *= values;
    largest = Math.max(largest, values);
  }
  const leftRows = Math.min(left.rows, left.tableRows * leftShare);
  const rightRows = Math.min(right.rows, right.tableRows * rightShare);
  const divisor = keys.length > 1 ? Math.min(product, Math.max(leftRows, rightRows, largest)) : product;
  return (leftRows * rightRows) / Math.max(1, divisor);
}

function joinRows(node: LogicalJoin): number | null {
  const [left, right] = [estimateRows(node.left), estimateRows(node.right)];
  if (left === null || right === null) return null;
  const sides = node.keys.map(
    (key) => [expressionFacts(key.left, node.left), expressionFacts(key.right, node.right)] as const,
  );
  const facts = (id: number) => {
    const side = hasColumn(node.left, id) ? node.left : node.right;
    return factsOf(side, id);
  };
  const input = (side: LogicalNode, rows: number): JoinInput => ({
    rows,
    tableRows: Math.max(rows, baseRows(side) ?? rows),
  });
  const pairs = equalPairs(sides, input(node.left, left), input(node.right, right));
  const inner = whole(pairs * selectivity(node.residual, facts));
  switch (node.type) {
    case 'inner':
      return inner;
    case 'left':
      return Math.max(left, inner);
    case 'full':
      return Math.max(left, right, inner);
    case 'semi':
      return whole(left * matchedShare(sides, left, inner));
    case 'anti':
      return whole(left * Math.max(1 - matchedShare(sides, left, inner), LEAST_ANTI));
    case 'mark':
    case 'single':
      return left;
  }
}

/** An anti join is taken to keep this share at least. */
const LEAST_ANTI = 0.1;

/** Share of the left rows that have a pair. */
function matchedShare(
  keys: readonly (readonly [left: ColumnFacts, right: ColumnFacts])[],
  left: number,
  pairs: number,
): number {
  const [key, more] = keys;
  if (key !== undefined && more === undefined) {
    const [own, other] = key;
    const domain = domainWithin(own, commonRange(own, other));
    if (domain !== null && other.distinct !== null) {
      return Math.min(1, other.distinct / domain, pairs / Math.max(1, left));
    }
  }
  return Math.min(0.5, pairs / Math.max(1, left));
}

function hasColumn(node: LogicalNode, id: number): boolean {
  return outputOf(node).some((column) => column.id === id);
}

function bounded(rows: number | null, limit: number | null): number | null {
  if (limit === null) return rows;
  return rows === null ? limit : Math.min(rows, limit);
}
