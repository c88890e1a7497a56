import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { columnsOf } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { inputsOf, outputOf, withInputs } from '../logical/node.ts';
import { baseRows, estimateRows } from '../physical/estimate.ts';
import { pushFilters } from './push_filters.ts';

/**
 * Inner joins of three and more relations in a cheaper order: the largest relation first, then of those that a condition
 * ties to what is joined the one that keeps the smallest share of rows. `FROM a, b, c WHERE a.x = c.x AND b.y = c.y` has
 * no product of a and b then.
 */
export function orderJoins(node: LogicalNode): LogicalNode {
  if (node.kind !== 'join' || node.type !== 'inner') {
    return withInputs(node, inputsOf(node).map(orderJoins));
  }
  const relations: LogicalNode[] = [];
  const conditions: BoundExpr[] = [];
  collect(node, relations, conditions);
  const ordered = relations.map(orderJoins);
  if (relations.length < 3 || conditions.some(isFallible)) {
    return withInputs(node, inputsOf(node).map(orderJoins));
  }
  return joined(ordered.map(relationOf), conditions, node);
}

/** Relations and conditions of a tree of inner joins. */
function collect(node: LogicalNode, relations: LogicalNode[], conditions: BoundExpr[]): void {
  if (node.kind !== 'join' || node.type !== 'inner') {
    relations.push(node);
    return;
  }
  collect(node.left, relations, conditions);
  collect(node.right, relations, conditions);
  conditions.push(...node.keys.map((key) => key.condition), ...node.residual);
}

interface Relation {
  readonly node: LogicalNode;
  readonly columns: ReadonlySet<ColumnId>;
  readonly rows: number;
  /** share of its rows that its own filters keep */
  readonly share: number;
}

/** Rows of a relation of which nothing is known. */
const UNKNOWN_ROWS = 100_000;

function relationOf(node: LogicalNode): Relation {
  const rows = estimateRows(node) ?? UNKNOWN_ROWS;
  const columns = new Set(outputOf(node).map((column) => column.id));
  return { node, columns, rows, share: rows / Math.max(1, baseRows(node) ?? rows) };
}

function joined(relations: readonly Relation[], conditions: readonly BoundExpr[], top: LogicalJoin): LogicalNode {
  const left = new Set(relations);
  const open = new Set(conditions);
  let node = take(largest(relations));
  const known = new Set<ColumnId>();
  const first = relations.find((relation) => relation.node === node) as Relation;
  for (const id of first.columns) known.add(id);
  while (left.size > 0) {
    const tied = [...left].filter((relation) => [...open].some((condition) => ties(condition, known, relation)));
    const next = tied.length > 0 ? cheapest(tied) : smallest([...left]);
    const right = take(next);
    for (const id of next.columns) known.add(id);
    const ready = [...open].filter((condition) => [...columnsOf(condition)].every((id) => known.has(id)));
    for (const condition of ready) open.delete(condition);
    node = {
      ...top,
      left: node,
      right,
      keys: [],
      residual: ready,
      columns: [...outputOf(node), ...outputOf(right)],
    };
  }
  // equalities become keys again, conditions of one relation go there
  return pushFilters(open.size === 0 ? node : { kind: 'filter', input: node, predicate: [...open] });

  function take(relation: Relation): LogicalNode {
    left.delete(relation);
    return relation.node;
  }
}

/** An equality between what is joined and the relation. */
function ties(condition: BoundExpr, known: ReadonlySet<ColumnId>, relation: Relation): boolean {
  if (condition.kind !== 'call' || !['eq', 'is_not_distinct_from'].includes(condition.fn)) return false;
  const columns = [...columnsOf(condition)];
  return (
    columns.some((id) => relation.columns.has(id)) &&
    columns.some((id) => known.has(id)) &&
    columns.every((id) => known.has(id) || relation.columns.has(id))
  );
}

const largest = (relations: readonly Relation[]): Relation => relations.reduce((a, b) => (b.rows > a.rows ? b : a));
const smallest = (relations: readonly Relation[]): Relation => relations.reduce((a, b) => (b.rows < a.rows ? b : a));
const cheapest = (relations: readonly Relation[]): Relation =>
  relations.reduce((a, b) => (b.share < a.share || (b.share === a.share && b.rows < a.rows) ? b : a));
