import { BOOL, INT32, INT64, list } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { GroupItem, GroupSet } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { boolLiteral, columnsOf, exprKey, literal, mapColumns, nullLiteral } from '../logical/expression.ts';
import type { AggregateCall, AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import type { Binder } from './context.ts';
import { logical } from './expression.ts';
import { preGrouped } from './pre_group.ts';

/** A GROUPING call: `args` are keys; the column says which of them the group is not made by. */
export interface GroupingColumn extends LogicalColumn {
  readonly args: readonly BoundExpr[];
  readonly span: SourceSpan;
}

/** Keys of GROUP BY, each once, and the sets of positions in them that rows are grouped by. */
export interface GroupKeys {
  readonly keys: readonly ComputedColumn[];
  readonly sets: readonly (readonly number[])[];
}

/** CUBE of 12 columns */
const MAX_SETS = 4096;

/** The sets of a GROUP BY clause: the items are multiplied with each other. */
export function groupingSets(items: readonly GroupItem[], span: SourceSpan): readonly (readonly GroupSet[])[] {
  let product: readonly (readonly GroupSet[])[] = [[]];
  for (const item of items) {
    const sets = setsOf(item);
    if (product.length * sets.length > MAX_SETS) throw tooMany(span);
    product = product.flatMap((left) => sets.map((right) => [...left, ...right]));
  }
  return product;
}

/** Each set as the groups of expressions that it joins. */
function setsOf(item: GroupItem): readonly (readonly GroupSet[])[] {
  switch (item.kind) {
    case 'group_set':
      return [[item]];
    case 'rollup':
      return Array.from({ length: item.sets.length + 1 }, (_, dropped) =>
        item.sets.slice(0, item.sets.length - dropped),
      );
    case 'cube': {
      if (2 ** item.sets.length > MAX_SETS) throw tooMany(item.span);
      const masks = Array.from({ length: 2 ** item.sets.length }, (_, mask) => mask);
      return masks.map((mask) => item.sets.filter((_, i) => ((mask >> i) & 1) === 0));
    }
    case 'grouping_sets':
      return item.items.flatMap(setsOf);
  }
}

function tooMany(span: SourceSpan): Error {
  return userError('binder', `more than ${MAX_SETS} grouping sets`, span);
}

export interface Grouping {
  readonly binder: Binder;
  readonly input: LogicalNode;
  readonly keys: GroupKeys;
  readonly aggregates: readonly AggregateColumn[];
  readonly groupings: readonly GroupingColumn[];
}

/** Groups of one or several sets: output = keys, aggregates, groupings; a key is NULL in groups that it does not make. */
export function groupRows(grouping: Grouping): LogicalNode {
  const { keys, sets } = grouping.keys;
  const masks = grouping.groupings.map((column) => masksOf(column, grouping.keys));
  if (sets.length > 1) {
    const expanded = (from: Grouping): LogicalNode => expandedGroups(from, masks);
    return preGrouped(grouping, expanded) ?? expanded(grouping);
  }
  const aggregate: LogicalNode = { kind: 'aggregate', input: grouping.input, keys, aggregates: grouping.aggregates };
  if (grouping.groupings.length === 0) return aggregate;
  return named(grouping, renamed(grouping.binder, aggregate), (_, span) => literal(0n, INT64, span));
}

/** By set: bit i from the right is set when argument i from the right is none of its keys. */
function masksOf(column: GroupingColumn, { keys, sets }: GroupKeys): readonly bigint[] {
  const positions = column.args.map((arg) => {
    const position = keys.findIndex((key) => exprKey(key.expr) === exprKey(arg));
    if (position < 0) throw userError('binder', 'GROUPING takes keys of GROUP BY', arg.span);
    return position;
  });
  return sets.map((set) => positions.reduce((mask, at) => mask * 2n + (set.includes(at) ? 0n : 1n), 0n));
}

/** The aggregate with columns of its own, since the project above has the names that expressions use. */
function renamed(binder: Binder, node: Extract<LogicalNode, { kind: 'aggregate' }>): typeof node {
  const own = <T extends LogicalColumn>(column: T): T => ({ ...column, id: binder.newId() });
  return { ...node, keys: node.keys.map(own), aggregates: node.aggregates.map(own) };
}

function named(
  { keys, aggregates, groupings }: Grouping,
  aggregate: Extract<LogicalNode, { kind: 'aggregate' }>,
  groupingValue: (index: number, span: SourceSpan) => BoundExpr,
): LogicalNode {
  const same = (column: LogicalColumn, source: LogicalColumn | undefined, span: SourceSpan): ComputedColumn => {
    const { id, name, type } = column;
    return { id, name, type, expr: columnRef(source as LogicalColumn, span) };
  };
  const columns = [
    ...keys.keys.map((key, i) => same(key, aggregate.keys[i], key.expr.span)),
    ...aggregates.map((column, i) => same(column, aggregate.aggregates[i], column.call.span)),
    ...groupings.map(
      ({ id, name, type, span }, i): ComputedColumn => ({ id, name, type, expr: groupingValue(i, span) }),
    ),
  ];
  return { kind: 'project', input: aggregate, columns };
}

/** The values that keys and aggregates read, each once. */
class Values {
  readonly columns: ComputedColumn[] = [];
  readonly #binder: Binder;
  readonly #known = new Map<string, ComputedColumn>();

  constructor(binder: Binder) {
    this.#binder = binder;
  }

  /** A reference to the value; constants stay what they are. */
  readonly take = (expr: BoundExpr): BoundExpr => {
    if (columnsOf(expr).size === 0) return expr;
    const key = exprKey(expr);
    let column = this.#known.get(key);
    if (column === undefined) {
      const name = expr.kind === 'column' ? expr.name : 'value';
      column = { id: this.#binder.newId(), name, type: expr.type, expr };
      this.#known.set(key, column);
      this.columns.push(column);
    }
    return columnRef(column, expr.span);
  };
}

/**
 * Every row once a set, with the number of the set, grouped by the keys of its set and the number. A set without keys
 * has a group even when there are no rows: one more row, which aggregates do not see, makes it.
 */
function expandedGroups(grouping: Grouping, masks: readonly (readonly bigint[])[]): LogicalNode {
  const { binder, aggregates } = grouping;
  const { keys, sets } = grouping.keys;
  const span = keys[0]?.expr.span ?? { start: 0, end: 0 };
  const values = new Values(binder);
  const keyValues = keys.map((key) => values.take(key.expr));
  const calls = aggregates.map(({ call }) => mapCall(call, values.take));
  const present: ComputedColumn = { id: binder.newId(), name: 'present', type: BOOL, expr: boolLiteral(true, span) };
  const project: LogicalNode = { kind: 'project', input: grouping.input, columns: [...values.columns, present] };
  const numbers = literal(
    sets.map((_, i) => BigInt(i)),
    list(INT32),
    span,
  );
  const set: ComputedColumn = { id: binder.newId(), name: 'grouping_set', type: INT32, expr: numbers };
  const rows: LogicalNode = {
    kind: 'unnest',
    input: project,
    keep: project.columns,
    lists: [set],
    ordinality: null,
    outer: false,
  };
  const empty = sets.flatMap((keysOfSet, i) => (keysOfSet.length === 0 ? [i] : []));
  const { node, moved } = withGuardRows(binder, rows, set, empty, span);
  const number = moved(columnRef(set, span));
  const guarded = empty.length > 0 ? moved(columnRef(present, span)) : null;
  const aggregate: Extract<LogicalNode, { kind: 'aggregate' }> = {
    kind: 'aggregate',
    input: node,
    keys: [
      ...keys.map((key, i): ComputedColumn => {
        const expr = keyOfSets(moved(keyValues[i] as BoundExpr), number, setsWith(sets, i), sets.length);
        return { id: binder.newId(), name: key.name, type: key.type, expr };
      }),
      { id: binder.newId(), name: set.name, type: set.type, expr: number },
    ],
    aggregates: aggregates.map((column, i) => ({
      ...column,
      id: binder.newId(),
      call: guardedCall(mapCall(calls[i] as AggregateCall, moved), guarded),
    })),
  };
  const outputSet = aggregate.keys[keys.length] as LogicalColumn;
  return named(grouping, aggregate, (i, at) =>
    bySet(
      columnRef(outputSet, at),
      (masks[i] as readonly bigint[]).map((mask) => literal(mask, INT64, at)),
    ),
  );
}

function mapCall(call: AggregateCall, change: (expr: BoundExpr) => BoundExpr): AggregateCall {
  return {
    ...call,
    args: call.args.map(change),
    filter: call.filter === null ? null : change(call.filter),
    order: call.order.map((key) => ({ ...key, expr: change(key.expr) })),
  };
}

function setsWith(sets: GroupKeys['sets'], key: number): readonly number[] {
  return sets.flatMap((set, i) => (set.includes(key) ? [i] : []));
}

/** The key in the sets that it belongs to, else NULL. */
function keyOfSets(key: BoundExpr, number: BoundExpr, members: readonly number[], count: number): BoundExpr {
  if (members.length === count) return key;
  const { span, type } = key;
  const items = members.map((member) => literal(BigInt(member), INT32, span));
  const condition: BoundExpr = { kind: 'in', operand: number, items, type: BOOL, span };
  const otherwise = { ...nullLiteral(span), type };
  return { kind: 'case', branches: [{ condition, result: key }], otherwise, type, span };
}

function bySet(number: BoundExpr, results: readonly BoundExpr[]): BoundExpr {
  const otherwise = results[results.length - 1] as BoundExpr;
  const { span, type } = otherwise;
  const branches = results.slice(0, -1).map((result, i) => {
    const condition: BoundExpr = {
      kind: 'in',
      operand: number,
      items: [literal(BigInt(i), INT32, span)],
      type: BOOL,
      span,
    };
    return { condition, result };
  });
  return { kind: 'case', branches, otherwise, type, span };
}

/** Adds a row of NULLs for each of `sets`; `moved` rewrites expressions over `rows` into ones over the result. */
function withGuardRows(
  binder: Binder,
  rows: LogicalNode,
  set: LogicalColumn,
  sets: readonly number[],
  span: SourceSpan,
): { readonly node: LogicalNode; readonly moved: (expr: BoundExpr) => BoundExpr } {
  if (sets.length === 0) return { node: rows, moved: (expr) => expr };
  const output = outputOf(rows);
  const own = (): LogicalColumn[] => output.map(({ name, type }) => ({ id: binder.newId(), name, type }));
  const guards: LogicalNode = {
    kind: 'values',
    columns: own(),
    rows: sets.map((number) =>
      output.map((column) => literal(column.id === set.id ? BigInt(number) : null, column.type, span)),
    ),
  };
  const columns = own();
  const places = new Map(output.map((column, i) => [column.id, columns[i] as LogicalColumn]));
  return {
    node: { kind: 'union_all', inputs: [rows, guards], columns },
    moved: (expr) =>
      mapColumns(expr, (column) => {
        const place = places.get(column.column);
        return place === undefined ? undefined : columnRef(place, column.span);
      }),
  };
}

/** Aggregates that a row without a value of the first argument does not change. */
const SKIP_NULL = new Set([
  ...['count', 'sum', 'avg', 'min', 'max', 'product', 'bool_and', 'bool_or', 'bit_and', 'bit_or', 'bit_xor'],
  ...['median', 'stddev_samp', 'stddev_pop', 'var_samp', 'var_pop', 'approx_count_distinct', 'any_value'],
]);

/** The call over rows that are present; `present` is NULL for the others. */
function guardedCall(call: AggregateCall, present: BoundExpr | null): AggregateCall {
  if (present === null) return call;
  if (call.fn === 'count_star') return { ...call, fn: 'count', args: [present] };
  const [argument] = call.args;
  if (SKIP_NULL.has(call.fn) && argument?.kind === 'column') return call;
  return { ...call, filter: call.filter === null ? present : logical('and', [present, call.filter], call.span) };
}
