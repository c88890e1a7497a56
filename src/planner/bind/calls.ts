import { FLOAT64, INT64, list } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { LiteralValue } from '../../common/literal.ts';
import { isArray } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { findFunction, resolveCall } from '../../functions/index.ts';
import type { FunctionCall, SortItem } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { columnsOf, exprKey, literal } from '../logical/expression.ts';
import type { AggregateCall, AggregateColumn, ComputedColumn, LogicalSortKey } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { bindArguments, functionName, resolutionArguments } from './call.ts';
import { argumentOf, castTo } from './cast.ts';
import type { Binder } from './context.ts';
import { asCondition, bindExpression, logical } from './expression.ts';
import type { CallCollector, ExpressionContext, SubqueryCollector } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import type { GroupingColumn } from './grouping_sets.ts';
import { bindUnnestArgument } from './unnest.ts';

/** A place where neither aggregates nor unnest may stand. */
export function noCalls(place: string): CallCollector {
  return {
    aggregate: (call) => {
      throw userError(
        'binder',
        `aggregates cannot stand in ${place}: ${functionName(call)}`,
        call.span,
        hintFor(place),
      );
    },
    grouping: (call) => {
      throw userError('binder', `GROUPING cannot stand in ${place}`, call.span);
    },
    unnest: (call) => {
      throw userError(
        'binder',
        `unnest cannot stand in ${place}`,
        call.span,
        'put it into the FROM clause or the SELECT list',
      );
    },
  };
}

function hintFor(place: string): string | undefined {
  return place === 'WHERE' ? 'use HAVING, or FILTER (WHERE …) behind an aggregate' : undefined;
}

/** Aggregates of one argument whose value does not change when equal arguments are counted once. */
const IGNORE_DISTINCT = new Set([
  'min',
  'max',
  'bool_and',
  'bool_or',
  'any_value',
  'bit_and',
  'bit_or',
  'approx_count_distinct',
]);
/** Aggregates whose value depends on the order of rows. */
const ORDERED = new Set(['first', 'last', 'any_value', 'list', 'collect_list', 'string_agg', 'arg_min', 'arg_max']);
/** Aggregates whose fraction WITHIN GROUP … DESC counts from the greatest value. */
const QUANTILES = new Set(['quantile_cont', 'percentile_cont', 'quantile_disc', 'percentile_disc', 'quantile']);

/** Gathers the aggregates and unnests of one SELECT; equal calls share a column. */
export class SelectCalls implements CallCollector {
  readonly aggregates: AggregateColumn[] = [];
  readonly groupings: GroupingColumn[] = [];
  readonly unnests: ComputedColumn[] = [];
  readonly #binder: Binder;
  readonly #below: SubqueryCollector;
  readonly #known = new Map<string, BoundExpr>();
  #deepUnnest: SourceSpan | null = null;

  /** `below`: subqueries inside aggregates */
  constructor(binder: Binder, below: SubqueryCollector) {
    this.#binder = binder;
    this.#below = below;
  }

  readonly aggregate = (call: FunctionCall, context: ExpressionContext): BoundExpr => {
    const bound = bindAggregate(call, {
      ...context,
      calls: insideAggregate(call),
      aliasesFirst: false,
      subqueries: this.#below,
    });
    const key = JSON.stringify([
      bound.call.fn,
      bound.call.distinct,
      bound.call.args.map(exprKey),
      bound.call.filter === null ? null : exprKey(bound.call.filter),
      bound.call.order.map((o) => [exprKey(o.expr), o.descending, o.nullsFirst]),
    ]);
    const known = this.#known.get(key);
    if (known !== undefined) return { ...known, span: call.span };
    const column: AggregateColumn = { ...bound, id: this.#binder.newId() };
    this.aggregates.push(column);
    const reference = columnRef(column, call.span);
    this.#known.set(key, reference);
    return reference;
  };

  readonly grouping = (call: FunctionCall, context: ExpressionContext): BoundExpr => {
    if (call.arguments.length === 0) throw userError('binder', 'GROUPING takes keys of GROUP BY', call.span);
    const args = bindArguments(call, { ...context, calls: noCalls('GROUPING'), aliasesFirst: false });
    const { span } = call;
    const column = { id: this.#binder.newId(), name: 'grouping', type: INT64, args, span };
    this.groupings.push(column);
    return columnRef(column, span);
  };

  readonly unnest = (call: FunctionCall, context: ExpressionContext): BoundExpr => {
    const inner = { ...context, calls: { ...context.calls, unnest: noCalls('unnest').unnest } };
    const { list, levels } = bindUnnestArgument(call, inner);
    const key = `unnest ${exprKey(list)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { ...known, span: call.span };
    if (levels > 1) this.#deepUnnest = call.span;
    const type = list.type.kind === 'list' ? list.type.element : list.type;
    const column: ComputedColumn = { id: this.#binder.newId(), name: 'unnest', type, expr: list };
    this.unnests.push(column);
    // Side by side, rows would be those of each outer element, filled up with NULL.
    if (this.#deepUnnest !== null && this.unnests.length > 1)
      throw unsupported('unnest of several levels beside another unnest', this.#deepUnnest);
    const reference = columnRef(column, call.span);
    this.#known.set(key, reference);
    return reference;
  };
}

function insideAggregate(call: FunctionCall): CallCollector {
  return {
    aggregate: (inner) => {
      throw userError(
        'binder',
        `aggregates cannot stand inside aggregates: ${functionName(inner)} in ${functionName(call)}`,
        inner.span,
        'compute the inner one in a derived table',
      );
    },
    grouping: noCalls('an aggregate').grouping,
    unnest: noCalls('an aggregate').unnest,
  };
}

function bindAggregate(node: FunctionCall, context: ExpressionContext): Omit<AggregateColumn, 'id'> {
  const name = functionName(node);
  if (node.nulls !== null) throw unsupported(`${node.nulls.toUpperCase()} NULLS`, node.span);
  const filter = node.filter === null ? null : asCondition(bindExpression(node.filter, context));
  if (name === 'count_if' || name === 'countif') return countIf(node, filter, context);
  const isStar = node.arguments.length === 1 && node.arguments[0]?.value.kind === 'star';
  if (isStar && name !== 'count')
    throw userError('binder', `* is an argument of count only, not of ${name}`, node.span);
  const keys = node.orderBy.map((item) => bindSortItem(item, bindExpression(item.expression, context), context.binder));
  const given = isStar ? [] : bindAggregateArguments(node, context);
  const args = node.withinGroup ? withinGroup(node, keys, given) : given;
  const row = findFunction(name);
  if (row === undefined) throw unsupported(`aggregate ${name}`, node.span);
  const resolution = resolveCall(row, args.map(argumentOf), node.span);
  const order = ORDERED.has(resolution.fn) && !node.withinGroup ? keys : [];
  const call: AggregateCall = {
    fn: resolution.fn,
    args: resolutionArguments(resolution, args, node.span),
    distinct: node.distinct && !(IGNORE_DISTINCT.has(resolution.fn) && resolution.args.length === 1),
    filter,
    order,
    span: node.span,
  };
  checkDistinctOrder(call, node.span);
  return { name, type: resolution.type, call };
}

/** With DISTINCT the order is that of the values themselves. */
function checkDistinctOrder(call: AggregateCall, span: SourceSpan): void {
  const [argument] = call.args;
  if (!call.distinct || argument === undefined) return;
  if (call.args.slice(1).some((arg) => columnsOf(arg).size > 0))
    throw unsupported('DISTINCT over several arguments', span);
  if (call.order.some((key) => exprKey(key.expr) !== exprKey(argument))) {
    throw unsupported('DISTINCT with another ORDER BY than the argument', span);
  }
}

function bindAggregateArguments(node: FunctionCall, context: ExpressionContext): BoundExpr[] {
  return node.arguments.map((argument) => {
    if (argument.name !== null) {
      throw userError('binder', `${functionName(node)} takes no named arguments`, argument.span);
    }
    return bindExpression(argument.value, context);
  });
}

function countIf(
  node: FunctionCall,
  filter: BoundExpr | null,
  context: ExpressionContext,
): Omit<AggregateColumn, 'id'> {
  const [argument, extra] = bindAggregateArguments(node, context);
  if (argument === undefined || extra !== undefined)
    throw userError('binder', 'count_if takes one condition', node.span);
  const condition = asCondition(argument);
  const both = filter === null ? condition : logical('and', [filter, condition], node.span);
  if (node.distinct) throw unsupported('count_if with DISTINCT', node.span);
  const call = { fn: 'count_star', args: [], distinct: false, filter: both, order: [], span: node.span };
  return { name: 'count_if', type: INT64, call };
}

/** `quantile_cont(0.5) WITHIN GROUP (ORDER BY x)` is quantile_cont(x, 0.5). */
function withinGroup(
  node: FunctionCall,
  keys: readonly LogicalSortKey[],
  given: readonly BoundExpr[],
): readonly BoundExpr[] {
  const [key, extra] = keys;
  if (key === undefined || extra !== undefined) throw userError('binder', 'WITHIN GROUP takes one sort key', node.span);
  if (!key.descending) return [key.expr, ...given];
  const [fraction] = given;
  if (!QUANTILES.has(functionName(node)) || given.length !== 1 || fraction === undefined) {
    throw unsupported('WITHIN GROUP with DESC', node.span, 'sort in the other direction');
  }
  return [key.expr, fromGreatest(fraction)];
}

/** A constant fraction, or a list of them, as the engine counts from the greatest value: negative, 0 as -0.0. */
function fromGreatest(fraction: BoundExpr): BoundExpr {
  const inList = fraction.type.kind === 'list';
  const constant = foldConstant(castTo(fraction, inList ? list(FLOAT64) : FLOAT64));
  const negated = (value: LiteralValue): LiteralValue => (typeof value === 'number' ? -value : value);
  if (constant.kind !== 'literal') throw unsupported('WITHIN GROUP with DESC of a fraction that varies', fraction.span);
  const value =
    constant.value !== null && isArray(constant.value) ? constant.value.map(negated) : negated(constant.value);
  return literal(value, constant.type, fraction.span);
}

/** Direction and place of NULLs: last unless said or set otherwise. */
export function bindSortItem(item: SortItem, expr: BoundExpr, binder: Binder): LogicalSortKey {
  return {
    expr,
    descending: item.direction === 'desc',
    nullsFirst: item.nulls === null ? binder.input.nullsFirst : item.nulls === 'first',
  };
}
