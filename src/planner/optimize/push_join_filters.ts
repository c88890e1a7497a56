import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { childrenOf, columnsOf } from '../logical/expression.ts';
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
  // with NULL as an answer, keys are what IN compares: another equality only chooses rows
  const { keys, residual } = node.nullAware ? { keys: [], residual: own } : takeKeys(own, sides);
  const joined: LogicalJoin = {
    ...node,
    left: push(node.left, split.left),
    right: push(node.right, split.right),
    keys: [...node.keys, ...keys],
    residual,
  };
  return split.above.length === 0 ? joined : { kind: 'filter', input: joined, predicate: split.above };
}

interface Decided {
  readonly node: LogicalJoin;
  readonly filters: readonly BoundExpr[];
}

/**
 * A filter that a mark alone decides makes a semi or an anti join of it. Where filters only ask whether the mark is true,
 * NULL is as good as false.
 */
function decidedMark(node: LogicalJoin, filters: readonly BoundExpr[]): Decided | null {
  const mark = node.mark?.id;
  const isMark = (expr: BoundExpr | undefined): boolean => expr?.kind === 'column' && expr.column === mark;
  const reading = filters.filter((filter) => mark !== undefined && columnsOf(filter).has(mark));
  const wanted = reading.find(isMark);
  if (wanted !== undefined) return { node: withoutMark(node, 'semi'), filters: others(filters, wanted) };
  const refused = reading.find((filter) => filter.kind === 'call' && filter.fn === 'not' && isMark(filter.args[0]));
  if (refused !== undefined) {
    // one key without conditions: the hash table knows where NULLs are
    if (node.nullAware && node.keys.length === 1 && node.residual.length === 0) return null;
    const pairs = node.nullAware ? node.keys.map(equalOrOpen) : node.keys.map((key) => key.condition);
    const anti = { ...withoutMark(node, 'anti'), keys: [], residual: [...node.residual, ...pairs] };
    return { node: anti, filters: others(filters, refused) };
  }
  if (!node.nullAware || reading.length === 0 || !reading.every((filter) => asksForTrue(filter, isMark))) return null;
  return { node: { ...node, nullAware: false }, filters };
}

const others = (filters: readonly BoundExpr[], one: BoundExpr): BoundExpr[] => filters.filter((f) => f !== one);

function withoutMark(node: LogicalJoin, type: 'semi' | 'anti'): LogicalJoin {
  const columns = node.columns.filter((column) => column.id !== node.mark?.id);
  return { ...node, type, columns, mark: null, nullAware: false };
}

/** x NOT IN (…) is true when no value is equal to x or leaves that open. */
export function equalOrOpen({ left, right, condition }: JoinKey): BoundExpr {
  const isNull = (expr: BoundExpr): BoundExpr => ({
    kind: 'call',
    fn: 'is_null',
    args: [expr],
    fallible: false,
    type: BOOL,
    span: expr.span,
  });
  return { kind: 'or', args: [condition, isNull(left), isNull(right)], type: BOOL, span: condition.span };
}

/** True when the expression is true for a NULL mark only where it is for a false one. */
function asksForTrue(expr: BoundExpr, isMark: (expr: BoundExpr) => boolean): boolean {
  if (isMark(expr)) return true;
  if (expr.kind === 'and' || expr.kind === 'or') return expr.args.every((arg) => asksForTrue(arg, isMark));
  return ![...childrenOf(expr)].some((child) => mentions(child, isMark));
}

function mentions(expr: BoundExpr, isMark: (expr: BoundExpr) => boolean): boolean {
  return isMark(expr) || childrenOf(expr).some((child) => mentions(child, isMark));
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
