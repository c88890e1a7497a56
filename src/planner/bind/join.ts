import { unsupported, userError } from '../../common/error.ts';
import type { Identifier, Join } from '../../sql/ast.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { conjuncts } from '../logical/expression.ts';
import type { ComputedColumn, JoinType, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import { buildCall } from './call.ts';
import { noCalls } from './calls.ts';
import { columnReference } from './column_ref.ts';
import { unify } from './conditional.ts';
import type { Binder } from './context.ts';
import { decorrelate } from './decorrelate.ts';
import type { Unnested } from './dependent_join.ts';
import { unnestDependent } from './dependent_join.ts';
import { bindCondition } from './expression.ts';
import { freeColumns } from './free_columns.ts';
import type { From } from './from.ts';
import type { QueryContext } from './relation.ts';
import type { Scope, ScopeTable } from './scope.ts';
import { findColumn, scopeColumns } from './scope.ts';
import { Subqueries } from './subqueries.ts';

/** A join of two bound sides. */
export function joinSides(join: Join, left: From, right: From, context: QueryContext): From {
  const { condition } = join;
  if (condition === null) return joinOn(join, left, right, [], context);
  if (condition.kind === 'join_on') {
    const scope = both(left.scope, right.scope);
    const subqueries = new Subqueries(context.binder);
    const calls = noCalls('ON');
    const bound = bindCondition(condition.expression, { ...context, scope, aliases: [], calls, subqueries });
    return subqueries.isEmpty
      ? joinOn(join, left, right, conjuncts(bound), context)
      : joinOnSubqueries(join, left, right, bound, subqueries, context);
  }
  const names = condition.kind === 'join_using' ? condition.columns : commonNames(join, left.scope, right.scope);
  return joinUsing(join, left, right, names, context);
}

const both = (left: Scope, right: Scope): Scope => ({
  tables: [...left.tables, ...right.tables],
  lambdas: [],
  joined: new Map([...(left.joined ?? []), ...(right.joined ?? [])]),
});

/**
 * A condition with subqueries: over the pairs of an inner join; for other joins each subquery belongs to the side that
 * it reads, so that it has a value before rows are paired.
 */
function joinOnSubqueries(
  join: Join,
  left: From,
  right: From,
  condition: BoundExpr,
  subqueries: Subqueries,
  context: QueryContext,
): From {
  if (join.type === 'inner') {
    const pairs = joinOn(join, left, right, [], context);
    return { ...pairs, node: subqueries.filter(pairs.node, condition) };
  }
  const of = (side: From) => {
    const own = new Set(outputOf(side.node).map((column) => column.id));
    return (read: ReadonlySet<ColumnId>): boolean => [...own].some((id) => read.has(id));
  };
  const [readsLeft, readsRight] = [of(left), of(right)];
  const onLeft = subqueries.take((read) => readsLeft(read) && !readsRight(read));
  const onRight = subqueries.take((read) => !readsLeft(read));
  if (!subqueries.isEmpty) {
    throw unsupported(
      `a subquery over both sides of a ${join.type.toUpperCase()} JOIN`,
      condition.span,
      'use an inner join',
    );
  }
  const sides = [
    { ...left, node: onLeft.attach(left.node) },
    { ...right, node: onRight.attach(right.node) },
  ] as const;
  return joinOn(join, ...sides, conjuncts(condition), context);
}

function joinOn(join: Join, left: From, right: From, conditions: readonly BoundExpr[], { binder }: QueryContext): From {
  const type: JoinType = join.type === 'right' ? 'left' : join.type === 'cross' ? 'inner' : join.type;
  const tied = tieLateral(join, left.node, right.node, binder);
  // RIGHT JOIN is LEFT JOIN of exchanged sides: names find the columns, wherever they stand.
  const [first, second] = join.type === 'right' ? [tied.right, tied.left] : [tied.left, tied.right];
  const leftOnly = type === 'semi' || type === 'anti';
  const node: LogicalNode = {
    kind: 'join',
    type,
    left: first,
    right: second,
    keys: [],
    residual: [...tied.conditions, ...conditions],
    columns: leftOnly ? outputOf(first) : [...outputOf(first), ...outputOf(second)],
    mark: null,
    nullAware: false,
    span: join.span,
  };
  return { node, scope: leftOnly ? left.scope : both(left.scope, right.scope) };
}

/** A right side that reads columns of the left one (LATERAL, written or not) is made for the values it reads. */
function tieLateral(join: Join, left: LogicalNode, right: LogicalNode, binder: Binder): Unnested {
  const free = freeColumns(right);
  if (!outputOf(left).some((column) => free.has(column.id))) return { left, right, conditions: [] };
  if (!['inner', 'cross', 'left'].includes(join.type)) {
    throw userError(
      'binder',
      `the right side of a ${join.type.toUpperCase()} JOIN cannot read columns of the left one`,
      join.right.span,
      'LATERAL stands in INNER and LEFT JOIN',
    );
  }
  const simple = decorrelate(right, binder);
  if (simple !== null && simple.present === null) return { left, right: simple.node, conditions: simple.conditions };
  return unnestDependent(left, right, binder);
}

/** Names of both sides, in the order of the left one. */
function commonNames(join: Join, left: Scope, right: Scope): Identifier[] {
  const names = (scope: Scope): string[] => [
    ...new Set(scopeColumns(scope).flatMap((column) => (scope.joined?.get(column.id) === null ? [] : [column.name]))),
  ];
  const others = new Set(names(right).map((name) => name.toLowerCase()));
  const common = names(left).filter((name) => others.has(name.toLowerCase()));
  if (common.length === 0) {
    throw userError(
      'binder',
      'NATURAL JOIN: the tables have no column name in common',
      join.condition?.span ?? join.span,
      'CROSS JOIN gives all pairs of rows',
    );
  }
  return common.map((name) => ({ kind: 'identifier', name, span: join.condition?.span ?? join.span }));
}

interface UsingPair {
  readonly left: LogicalColumn;
  readonly right: LogicalColumn;
  readonly name: Identifier;
}

function joinUsing(join: Join, left: From, right: From, names: readonly Identifier[], context: QueryContext): From {
  const pairs = names.map(
    (name): UsingPair => ({
      left: usingColumn(left.scope, name, 'left'),
      right: usingColumn(right.scope, name, 'right'),
      name,
    }),
  );
  const conditions = pairs.map((pair) =>
    buildCall(
      '=',
      [columnReference(pair.left, pair.name.span), columnReference(pair.right, pair.name.span)],
      pair.name.span,
    ),
  );
  const from = joinOn(join, left, right, conditions, context);
  if (join.type === 'semi' || join.type === 'anti') return from;
  const joined = new Map(from.scope.joined);
  const merged = join.type === 'full' ? pairs.map((pair) => mergedColumn(pair, context)) : [];
  pairs.forEach((pair, i) => {
    joined.set(pair.right.id, null);
    const shown = join.type === 'full' ? (merged[i] as LogicalColumn) : join.type === 'right' ? pair.right : null;
    if (shown !== null) showInstead(joined, pair.left, shown);
  });
  if (merged.length === 0) return { node: from.node, scope: { ...from.scope, joined } };
  for (const column of merged) joined.set(column.id, null);
  const table: ScopeTable = { name: '', columns: merged };
  return {
    node: withColumns(from.node, merged),
    scope: { ...from.scope, tables: [...from.scope.tables, table], joined },
  };
}

function usingColumn(scope: Scope, name: Identifier, side: string): LogicalColumn {
  const column = findColumn(scope, name.name, name.span);
  if (column !== undefined) return column;
  throw userError('binder', `column "${name.name}" of USING not found on the ${side} side of the join`, name.span);
}

/** `column`, and what stood for it before, is now shown as `shown`. */
function showInstead(joined: Map<ColumnId, LogicalColumn | null>, column: LogicalColumn, shown: LogicalColumn): void {
  for (const [id, other] of joined) {
    if (other !== null && other.id === column.id) joined.set(id, shown);
  }
  if (joined.get(column.id) !== null) joined.set(column.id, shown);
}

/** The column of USING in a full join: from whichever side has the row. */
function mergedColumn({ left, right, name }: UsingPair, context: QueryContext): ComputedColumn {
  const args = [columnRef(left, name.span), columnRef(right, name.span)];
  const [first, second] = (unify(args) ?? args) as [BoundExpr, BoundExpr];
  const expr: BoundExpr = { kind: 'coalesce', args: [first, second], type: first.type, span: name.span };
  return { id: context.binder.newId(), name: left.name, type: first.type, expr };
}

function withColumns(input: LogicalNode, columns: readonly ComputedColumn[]): LogicalNode {
  const kept = outputOf(input).map((column) => ({ ...column, expr: columnRef(column, NOWHERE) }));
  return { kind: 'project', input, columns: [...kept, ...columns] };
}

const NOWHERE = { start: 0, end: 0 };
