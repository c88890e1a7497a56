import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { columnsOf } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { JoinKey, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';

type Push = (node: LogicalNode, filters: readonly BoundExpr[]) => LogicalNode;

/** Which side of a join an expression reads. */
type Side = 'left' | 'right' | 'both' | 'none' | 'other';

/**
 * Filters above a join and its own conditions, each as far down as it goes: those of one side to that side, equalities
 * between the sides to the keys. A condition that may fail stays a test of pairs, so that it sees only rows that meet.
 */
export function pushJoin(node: LogicalJoin, filters: readonly BoundExpr[], push: Push): LogicalNode {
  const sides = new Sides(node);
  if (node.type === 'inner') return pushInner(node, filters, sides, push);
  if (node.type === 'left' && filters.some((filter) => rejectsMissing(filter, sides))) {
    return pushInner({ ...node, type: 'inner' }, filters, sides, push);
  }
  if (node.type === 'mark') {
    const decided = decidedMark(node, filters);
    if (decided !== null) return pushJoin(decided.node, decided.filters, push);
  }
  const split = { left: [] as BoundExpr[], right: [] as BoundExpr[], above: [] as BoundExpr[] };
  for (const filter of filters) {
    const passes = node.type !== 'full' && sides.of(filter) === 'left' && !isFallible(filter);
    (passes ? split.left : split.above).push(filter);
  }
  const own: BoundExpr[] = [];
  for (const condition of node.residual) {
    const side = isFallible(condition) ? 'both' : sides.of(condition);
    if (side === 'right' && node.type !== 'full') split.right.push(condition);
    else if (side === 'left' && node.type === 'semi') split.left.push(condition);
    else own.push(condition);
  }
  const { keys, residual } = takeKeys(own, sides);
  const joined: LogicalJoin = {
    ...node,
    left: push(node.left, split.left),
    right: push(node.right, split.right),
    keys: [...node.keys, ...keys],
    residual,
  };
  return split.above.length === 0 ? joined : { kind: 'filter', input: joined, predicate: split.above };
}

/** A filter that a mark alone decides makes a semi join of it, or an anti join where NULL cannot come up. */
function decidedMark(
  node: LogicalJoin,
  filters: readonly BoundExpr[],
): { node: LogicalJoin; filters: readonly BoundExpr[] } | null {
  const isMark = (expr: BoundExpr | undefined): boolean => expr?.kind === 'column' && expr.column === node.mark?.id;
  const wanted = filters.find(
    (filter) =>
      isMark(filter) || (!node.nullAware && filter.kind === 'call' && filter.fn === 'not' && isMark(filter.args[0])),
  );
  if (wanted === undefined) return null;
  const type = isMark(wanted) ? 'semi' : 'anti';
  const columns = node.columns.filter((column) => column.id !== node.mark?.id);
  return {
    node: { ...node, type, columns, mark: null, nullAware: false },
    filters: filters.filter((filter) => filter !== wanted),
  };
}

function pushInner(node: LogicalJoin, filters: readonly BoundExpr[], sides: Sides, push: Push): LogicalNode {
  const left: BoundExpr[] = [];
  const right: BoundExpr[] = [];
  const own: BoundExpr[] = [];
  for (const condition of [...node.residual, ...filters]) {
    const side = isFallible(condition) ? 'both' : sides.of(condition);
    if (side === 'left') left.push(condition);
    else if (side === 'right') right.push(condition);
    else own.push(condition);
  }
  const { keys, residual } = takeKeys(own, sides);
  return {
    ...node,
    left: push(node.left, left),
    right: push(node.right, right),
    keys: [...node.keys, ...keys],
    residual,
  };
}

class Sides {
  readonly left: ReadonlySet<ColumnId>;
  readonly right: ReadonlySet<ColumnId>;

  constructor(node: LogicalJoin) {
    this.left = new Set(outputOf(node.left).map((column) => column.id));
    this.right = new Set(outputOf(node.right).map((column) => column.id));
  }

  of(expr: BoundExpr): Side {
    const columns = [...columnsOf(expr)];
    if (columns.length === 0) return 'none';
    const [left, right] = [this.left, this.right].map((side) => columns.filter((id) => side.has(id)).length);
    if ((left as number) + (right as number) < columns.length) return 'other';
    return right === 0 ? 'left' : left === 0 ? 'right' : 'both';
  }
}

/** Equalities between the sides; one that may fail only where no other condition stands before it. */
function takeKeys(conditions: readonly BoundExpr[], sides: Sides): { keys: JoinKey[]; residual: BoundExpr[] } {
  const keys: JoinKey[] = [];
  const residual: BoundExpr[] = [];
  for (const condition of conditions) {
    if (condition.kind === 'literal' && condition.value === true) continue;
    const key = residual.length === 0 || !isFallible(condition) ? asKey(condition, sides) : null;
    if (key === null) residual.push(condition);
    else keys.push(key);
  }
  return { keys, residual };
}

function asKey(condition: BoundExpr, sides: Sides): JoinKey | null {
  if (condition.kind !== 'call' || !['eq', 'is_not_distinct_from'].includes(condition.fn)) return null;
  const [a, b] = condition.args as readonly [BoundExpr, BoundExpr];
  const nullSafe = condition.fn !== 'eq';
  const [first, second] = [sides.of(a), sides.of(b)];
  if (first === 'left' && second === 'right') return { left: a, right: b, nullSafe, condition };
  if (first === 'right' && second === 'left') return { left: b, right: a, nullSafe, condition };
  return null;
}

const NULL_FOR_NULL = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'like', 'is_not_null']);

/** True when the condition is not true for rows whose right side is missing: then a left join is an inner one. */
function rejectsMissing(condition: BoundExpr, sides: Sides): boolean {
  if (isFallible(condition)) return false;
  if (condition.kind === 'in') return isMissing(condition.operand, sides);
  if (condition.kind !== 'call' || !NULL_FOR_NULL.has(condition.fn)) return false;
  return condition.args.some((arg) => isMissing(arg, sides));
}

function isMissing(expr: BoundExpr, sides: Sides): boolean {
  if (expr.kind === 'cast') return isMissing(expr.operand, sides);
  return expr.kind === 'column' && sides.right.has(expr.column);
}
