import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { boolLiteral, columnsOf, literal, mapColumns, nullLiteral } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import { castTo } from './cast.ts';
import type { Binder } from './context.ts';
import { expressionsOf } from './expressions_of.ts';
import { freeColumns } from './free_columns.ts';

/** A query that no longer refers to the rows around it. */
export interface Decorrelated {
  readonly node: LogicalNode;
  /** what its rows and the rows around it must fulfil together */
  readonly conditions: readonly BoundExpr[];
  /** values of output columns when no row fulfils them: those of aggregates over nothing */
  readonly empty: ReadonlyMap<ColumnId, BoundExpr>;
  /** not NULL in every row; null where `empty` has nothing to say */
  readonly present: LogicalColumn | null;
}

/**
 * Takes the conditions that refer to rows around a query out of its filters, up through projections, joins and
 * aggregates: an aggregate is made for every value of the other side of an equality at once. null = not of this form.
 */
export function decorrelate(root: LogicalNode, binder: Binder): Decorrelated | null {
  if (freeColumns(root).size === 0) return { node: root, conditions: [], empty: new Map(), present: null };
  return lift(root, freeColumns(root), binder);
}

type Free = ReadonlySet<ColumnId>;

const isFree = (expr: BoundExpr, free: Free): boolean => [...columnsOf(expr)].some((id) => free.has(id));

const plain = (node: LogicalNode): Decorrelated => ({ node, conditions: [], empty: new Map(), present: null });

function lift(node: LogicalNode, free: Free, binder: Binder): Decorrelated | null {
  if (freeColumns(node).size === 0) return plain(node);
  switch (node.kind) {
    case 'filter': {
      const inner = lift(node.input, free, binder);
      // a filter above an aggregate over nothing could refuse its row
      if (inner === null || inner.present !== null) return null;
      const kept = node.predicate.filter((conjunct) => !isFree(conjunct, free));
      const taken = node.predicate.filter((conjunct) => isFree(conjunct, free));
      const rows: LogicalNode = kept.length === 0 ? inner.node : { ...node, input: inner.node, predicate: kept };
      return { ...inner, node: rows, conditions: [...inner.conditions, ...taken] };
    }
    case 'project':
      return liftProject(node, free, binder);
    case 'aggregate':
      return liftAggregate(node, free, binder);
    case 'sort': {
      const inner = lift(node.input, free, binder);
      return inner === null ? null : inner;
    }
    case 'join':
      return liftJoin(node, free, binder);
    default:
      return null;
  }
}

/** Columns that conditions read go through. */
function liftProject(node: Extract<LogicalNode, { kind: 'project' }>, free: Free, binder: Binder): Decorrelated | null {
  const inner = lift(node.input, free, binder);
  if (inner === null || node.columns.some((column) => isFree(column.expr, free))) return null;
  const input = outputOf(inner.node);
  const needed = new Set(inner.conditions.flatMap((condition) => [...columnsOf(condition)]));
  if (inner.present !== null) needed.add(inner.present.id);
  const through = input
    .filter((column) => needed.has(column.id) && !node.columns.some((own) => own.id === column.id))
    .map((column): ComputedColumn => ({ ...column, expr: columnRef(column, NOWHERE) }));
  const empty = new Map<ColumnId, BoundExpr>();
  if (inner.present !== null) {
    for (const column of node.columns) {
      if (![...columnsOf(column.expr)].every((id) => inner.empty.has(id))) return null;
      empty.set(
        column.id,
        mapColumns(column.expr, (reference) => inner.empty.get(reference.column)),
      );
    }
  }
  return { ...inner, node: { ...node, input: inner.node, columns: [...node.columns, ...through] }, empty };
}

const NOWHERE = { start: 0, end: 0 };

/** Equalities become keys, so that there is a row for every value that the rows around may ask for. */
function liftAggregate(
  node: Extract<LogicalNode, { kind: 'aggregate' }>,
  free: Free,
  binder: Binder,
): Decorrelated | null {
  const inner = lift(node.input, free, binder);
  if (inner === null || inner.present !== null) return null;
  if (expressionsOf(node).some((expr) => isFree(expr, free))) return null;
  const keys: ComputedColumn[] = [...node.keys];
  const conditions: BoundExpr[] = [];
  for (const condition of inner.conditions) {
    if (condition.kind !== 'call' || condition.fn !== 'eq') return null;
    const [a, b] = condition.args as readonly [BoundExpr, BoundExpr];
    const [own, other] = isFree(a, free) ? [b, a] : [a, b];
    if (isFree(own, free) || [...columnsOf(other)].some((id) => !free.has(id))) return null;
    const key: ComputedColumn = { id: binder.newId(), name: 'key', type: own.type, expr: own };
    keys.push(key);
    conditions.push({ ...condition, args: [columnRef(key, own.span), other] });
  }
  const grouped: LogicalNode = { ...node, input: inner.node, keys };
  if (node.keys.length > 0 || node.aggregates.length === 0) {
    return { node: grouped, conditions, empty: new Map(), present: null };
  }
  const present: ComputedColumn = { id: binder.newId(), name: 'present', type: BOOL, expr: boolLiteral(true, NOWHERE) };
  const columns = outputOf(grouped).map((column): ComputedColumn => ({ ...column, expr: columnRef(column, NOWHERE) }));
  return {
    node: { kind: 'project', input: grouped, columns: [...columns, present] },
    conditions,
    empty: new Map(node.aggregates.map((aggregate) => [aggregate.id, overNothing(aggregate)])),
    present,
  };
}

const COUNTS = new Set(['count', 'count_star', 'approx_count_distinct', 'list_leaves', 'regr_count']);

/** Value of an aggregate when there are no rows. */
export function overNothing(aggregate: AggregateColumn): BoundExpr {
  const { span } = aggregate.call;
  if (COUNTS.has(aggregate.call.fn)) return castTo(literal(0n, aggregate.type, span), aggregate.type);
  return { ...nullLiteral(span), type: aggregate.type };
}

/** Of an inner join both sides and its condition, of others only the left side. */
function liftJoin(node: Extract<LogicalNode, { kind: 'join' }>, free: Free, binder: Binder): Decorrelated | null {
  const left = lift(node.left, free, binder);
  const right = node.type === 'inner' ? lift(node.right, free, binder) : plain(node.right);
  if (left === null || right === null || left.present !== null || right.present !== null) return null;
  if (freeColumns(right.node).size > 0) return null;
  const taken = node.residual.filter((condition) => isFree(condition, free));
  if (node.type !== 'inner' && (taken.length > 0 || node.type === 'full')) return null;
  if (node.keys.some((key) => isFree(key.condition, free))) return null;
  const added = [...outputOf(left.node), ...(node.type === 'inner' ? outputOf(right.node) : [])].filter(
    (column) => !node.columns.some((own) => own.id === column.id),
  );
  const shown = node.columns.filter((column) => column.id !== node.mark?.id);
  return {
    ...plain({
      ...node,
      left: left.node,
      right: right.node,
      residual: node.residual.filter((condition) => !isFree(condition, free)),
      columns: [...shown, ...added, ...(node.mark === null ? [] : [node.mark])],
    }),
    conditions: [...left.conditions, ...right.conditions, ...taken],
  };
}
