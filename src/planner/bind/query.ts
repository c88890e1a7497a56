import { BOOL, INT64, typeName } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import { forcedCommonType } from '../../functions/supertype.ts';
import type { CommonTable, Query, QueryBody, SetOperation, Values } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { boolLiteral, literal } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode, LogicalSortKey } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import { buildCall } from './call.ts';
import { noCalls } from './calls.ts';
import { argumentOf, castTo } from './cast.ts';
import type { CommonTables } from './context.ts';
import { bindExpression } from './expression.ts';
import { bindLimit, bindOrderBy } from './order.ts';
import type { QueryContext, Relation } from './relation.ts';
import { distinctRows, narrowed } from './relation.ts';
import { EMPTY_SCOPE, uniqueNames } from './scope.ts';
import type { Modifiers } from './select.ts';
import { bindSelect } from './select.ts';
import { visitTree } from './walk.ts';

/** A whole query: common tables, body, ORDER BY and LIMIT. */
export function bindQuery(query: Query, context: QueryContext): Relation {
  const inner = { ...context, commonTables: withCommonTables(query, context) };
  return bindBody(query.body, query, inner);
}

function withCommonTables(query: Query, { commonTables, outer: rows }: QueryContext): CommonTables | null {
  let visible = commonTables;
  for (const table of query.with) {
    if (query.recursive && mentions(table)) throw unsupported('recursive WITH', table.span);
    visible = { table, outer: visible, rows, next: visible };
  }
  return visible;
}

function mentions(table: CommonTable): boolean {
  let found = false;
  visitTree(table.query, (node) => {
    if (node.kind === 'table_name') {
      const [name, more] = (node as unknown as { name: { name: string }[] }).name;
      if (more === undefined && name?.name.toLowerCase() === table.name.name.toLowerCase()) found = true;
    }
    return undefined;
  });
  return found;
}

function bindBody(body: QueryBody, modifiers: Modifiers, context: QueryContext): Relation {
  switch (body.kind) {
    case 'select':
      return bindSelect(body, modifiers, context);
    case 'set_operation':
      return modified(bindSetOperation(body, context), modifiers, context);
    case 'values':
      return modified(bindValues(body, context), modifiers, context);
    case 'query':
      return modified(bindQuery(body, context), modifiers, context);
  }
}

/** ORDER BY and LIMIT over the outputs of a query, when they are all that can be named. */
function modified(relation: Relation, modifiers: Modifiers, context: QueryContext): Relation {
  const { columns } = relation;
  const scope = { tables: [{ name: '', columns }], lambdas: [] };
  const outputs = columns.map((column) => ({ name: column.name, alias: true }));
  const order = bindOrderBy(modifiers.orderBy, outputs, { ...context, scope, aliases: [], calls: noCalls('ORDER BY') });
  const keys = order.map(({ target, descending, nullsFirst }): LogicalSortKey => {
    const expr =
      'expr' in target
        ? target.expr
        : columnRef(columns[target.output] as LogicalColumn, modifiers.orderBy[0]?.span ?? NOWHERE);
    return { expr, descending, nullsFirst };
  });
  const sorted: LogicalNode = keys.length === 0 ? relation.node : { kind: 'sort', input: relation.node, keys };
  return { node: bindLimit(sorted, modifiers.limit, modifiers.offset, context), columns };
}

const NOWHERE = { start: 0, end: 0 };
const NO_MODIFIERS: Modifiers = { orderBy: [], limit: null, offset: null };

/** UNION: all rows of both sides; without ALL each row once. INTERSECT and EXCEPT count rows of either side. */
function bindSetOperation(node: SetOperation, context: QueryContext): Relation {
  const left = bindBody(node.left, NO_MODIFIERS, context);
  const right = bindBody(node.right, NO_MODIFIERS, context);
  if (node.operator !== 'union') return bindMatched(node, left, right, context);
  const union = node.byName ? unionByName(node, left, right, context) : unionByPlace(node, left, right, context);
  return node.all ? union : distinctRows(context.binder, union, node.span);
}

/** Name of the mark; no column that a query would name. */
const SIDE = '(side)';

/**
 * INTERSECT and EXCEPT: both sides with a mark of their side, grouped by all columns (so that NULLs are equal); a group
 * stays when it has rows of the left and rows, or no rows, of the right.
 */
function bindMatched(node: SetOperation, left: Relation, right: Relation, context: QueryContext): Relation {
  const { binder } = context;
  const { span } = node;
  const marked = (relation: Relation, isLeft: boolean): Relation => {
    const mark: ComputedColumn = { id: binder.newId(), name: SIDE, type: BOOL, expr: boolLiteral(isLeft, span) };
    const kept = relation.columns.map(
      (column): ComputedColumn => ({ ...column, id: binder.newId(), expr: columnRef(column, span) }),
    );
    const columns = [...kept, mark];
    return { node: { kind: 'project', input: relation.node, columns }, columns };
  };
  const union = (node.byName ? unionByName : unionByPlace)(node, marked(left, true), marked(right, false), context);
  const side = union.columns.findLast((column) => column.name === SIDE) as LogicalColumn;
  const values = union.columns.filter((column) => column !== side);
  const keys = values.map(
    (column): ComputedColumn => ({ ...column, id: binder.newId(), expr: columnRef(column, span) }),
  );
  const isLeft = columnRef(side, span);
  const count = (filter: BoundExpr): AggregateColumn => ({
    id: binder.newId(),
    name: 'count',
    type: INT64,
    call: { fn: 'count_star', args: [], distinct: false, filter, order: [], span },
  });
  const [lefts, rights] = [count(isLeft), count(buildCall('not', [isLeft], span))];
  const grouped: LogicalNode = { kind: 'aggregate', input: union.node, keys, aggregates: [lefts, rights] };
  if (node.all) return repeated(node, grouped, keys, [lefts, rights], context);
  const zero = literal(0n, INT64, span);
  const predicate = [
    buildCall('>', [columnRef(lefts, span), zero], span),
    buildCall(node.operator === 'intersect' ? '>' : '=', [columnRef(rights, span), zero], span),
  ];
  return narrowed(binder, { kind: 'filter', input: grouped, predicate }, keys, span);
}

/** INTERSECT ALL and EXCEPT ALL: each distinct row as often as the smaller, or the difference, of its two counts. */
function repeated(
  node: SetOperation,
  grouped: LogicalNode,
  keys: readonly LogicalColumn[],
  [lefts, rights]: readonly [LogicalColumn, LogicalColumn],
  context: QueryContext,
): Relation {
  const { binder } = context;
  const { span } = node;
  const counts = [columnRef(lefts, span), columnRef(rights, span)];
  const times = buildCall(node.operator === 'intersect' ? 'least' : '-', counts, span);
  const copies = buildCall('range', [times], span);
  const copy: ComputedColumn = { id: binder.newId(), name: '(copy)', type: INT64, expr: copies };
  const unnest: LogicalNode = {
    kind: 'unnest',
    input: grouped,
    keep: outputOf(grouped),
    lists: [copy],
    ordinality: null,
    outer: false,
  };
  return narrowed(binder, unnest, keys, span);
}

function unionByPlace(node: SetOperation, left: Relation, right: Relation, context: QueryContext): Relation {
  if (left.columns.length !== right.columns.length) {
    throw userError(
      'binder',
      `both sides of ${node.operator.toUpperCase()} have the same number of columns: ${left.columns.length} and ${right.columns.length}`,
      node.right.span,
    );
  }
  const pairs = left.columns.map((column, i) => [column, right.columns[i] as LogicalColumn] as const);
  return unionOf(node, left, right, pairs, context);
}

/** Columns of the left side, then those that only the right side has; missing ones are NULL. */
function unionByName(node: SetOperation, left: Relation, right: Relation, context: QueryContext): Relation {
  const find = (relation: Relation, name: string): LogicalColumn | null =>
    relation.columns.find((column) => column.name.toLowerCase() === name.toLowerCase()) ?? null;
  const only = right.columns.filter((column) => find(left, column.name) === null);
  const pairs = [
    ...left.columns.map((column) => [column, find(right, column.name)] as const),
    ...only.map((column) => [null, column] as const),
  ];
  return unionOf(node, left, right, pairs, context);
}

type Pair = readonly [LogicalColumn | null, LogicalColumn | null];

function unionOf(
  node: SetOperation,
  left: Relation,
  right: Relation,
  pairs: readonly Pair[],
  context: QueryContext,
): Relation {
  const { binder } = context;
  const columns = pairs.map(([a, b]): LogicalColumn => {
    const sides = [a, b].flatMap((column) => (column === null ? [] : [{ type: column.type, literal: undefined }]));
    const type = forcedCommonType(sides);
    const { name } = (a ?? b) as LogicalColumn;
    if (type === null) {
      const types = sides.map((side) => typeName(side.type)).join(' and ');
      throw userError(
        'type',
        `column "${name}" of ${node.operator.toUpperCase()} has types without a common one: ${types}`,
        node.right.span,
      );
    }
    return { id: binder.newId(), name, type };
  });
  const side = (relation: Relation, at: 0 | 1, span: SetOperation['span']): LogicalNode => {
    const exprs = pairs.map((pair, i): ComputedColumn => {
      const column = pair[at];
      const { name, type } = columns[i] as LogicalColumn;
      const value: BoundExpr =
        column === null ? { kind: 'literal', value: null, type, span } : castTo(columnRef(column, span), type);
      return { id: binder.newId(), name, type, expr: value };
    });
    return { kind: 'project', input: relation.node, columns: exprs };
  };
  const inputs = [side(left, 0, node.left.span), side(right, 1, node.right.span)];
  return { node: { kind: 'union_all', inputs, columns }, columns };
}

/** VALUES: columns col0, col1, … of the common types of their rows. */
export function bindValues(node: Values, context: QueryContext): Relation {
  const { binder } = context;
  const expressions = { ...context, scope: EMPTY_SCOPE, aliases: [], calls: noCalls('VALUES') };
  const [first] = node.rows;
  const rows = node.rows.map((row) => {
    if (row.length !== first?.length) {
      const at = row[0]?.span ?? node.span;
      throw userError('binder', `rows of VALUES have the same length: ${first?.length ?? 0} and ${row.length}`, at);
    }
    return row.map((expression) => bindExpression(expression, expressions));
  });
  const columns = (first ?? []).map((_, i): LogicalColumn => {
    const cells = rows.map((row) => row[i] as BoundExpr);
    const type = forcedCommonType(cells.map(argumentOf));
    if (type === null) {
      const types = [...new Set(cells.map((cell) => typeName(cell.type)))].join(', ');
      throw userError('type', `column ${i + 1} of VALUES has types without a common one: ${types}`, node.span);
    }
    return { id: binder.newId(), name: `col${i}`, type };
  });
  const cast = rows.map((row) => row.map((cell, i) => castTo(cell, (columns[i] as LogicalColumn).type)));
  return { node: { kind: 'values', columns, rows: cast }, columns };
}

/** A query as a table: names made different from each other, then replaced by those of an alias. */
export function asTable(relation: Relation): Relation {
  const names = uniqueNames(relation.columns.map((column) => column.name));
  return {
    node: relation.node,
    columns: relation.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
  };
}
