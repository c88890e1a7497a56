import { finalValue, OF_PARTS, totalOf } from '../logical/aggregate_parts.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { sameExpr } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalAggregate, LogicalNode } from '../logical/node.ts';
import { columnRef, rewriteUp } from '../logical/node.ts';

/** Aggregates that take values in any order. */
const UNORDERED: ReadonlySet<string> = new Set([
  ...['count', 'sum', 'avg', 'min', 'max', 'var_samp', 'var_pop', 'stddev_samp', 'stddev_pop', 'sem'],
  ...['bool_and', 'bool_or', 'bit_and', 'bit_or', 'bit_xor'],
]);

/**
 * DISTINCT inside aggregates as a group-by below the group-by: for devices whose aggregates keep no values.
 *
 *     Before: k, count(DISTINCT x), sum(y) GROUP BY k
 *     After:  k, count(x), sum(s) GROUP BY k over (k, x, sum(y) AS s GROUP BY k, x)
 *
 * When not: more than one argument, aggregates of different ones or that see the order, FILTER or ORDER BY with DISTINCT,
 * or an aggregate beside it that is none of its parts'.
 */
export function groupDistinct(root: LogicalNode, newId: () => ColumnId): LogicalNode {
  return rewriteUp(root, (node) => (node.kind === 'aggregate' ? (regrouped(node, newId) ?? node) : node));
}

function regrouped(node: LogicalAggregate, newId: () => ColumnId): LogicalNode | null {
  const argument = distinctArgument(node);
  if (argument === null) return null;
  const keys = node.keys.map((key): ComputedColumn => ({ ...key, id: newId() }));
  const value: ComputedColumn = { id: newId(), name: 'value', type: argument.type, expr: argument };
  const parts = node.aggregates.map(({ call }, i): AggregateColumn | null => {
    const column = node.aggregates[i] as AggregateColumn;
    return call.distinct ? null : { ...column, id: newId() };
  });
  const inner: LogicalAggregate = {
    kind: 'aggregate',
    input: node.input,
    keys: [...keys, value],
    aggregates: parts.filter((part) => part !== null),
  };
  const totals = node.aggregates.map((column, i): AggregateColumn => {
    const part = parts[i] ?? null;
    if (part !== null) return totalOf(part, column, newId());
    const { call } = column;
    return { ...column, id: newId(), call: { ...call, distinct: false, args: [columnRef(value, call.span)] } };
  });
  const outer: LogicalAggregate = {
    kind: 'aggregate',
    input: inner,
    keys: node.keys.map((key, i) => ({ ...key, expr: columnRef(keys[i] as ComputedColumn, key.expr.span) })),
    aggregates: totals,
  };
  return {
    kind: 'project',
    input: outer,
    columns: [
      ...node.keys.map(({ id, name, type, expr }, i) => ({
        id,
        name,
        type,
        expr: columnRef(outer.keys[i] as ComputedColumn, expr.span),
      })),
      ...node.aggregates.map((column, i): ComputedColumn => {
        const { id, name, type, call } = column;
        const total = totals[i] as AggregateColumn;
        return { id, name, type, expr: parts[i] === null ? columnRef(total, call.span) : finalValue(column, total) };
      }),
    ],
  };
}

/** What all aggregates with DISTINCT are of, where the others can be made of parts. */
function distinctArgument({ aggregates }: LogicalAggregate): BoundExpr | null {
  const [first] = aggregates.filter(({ call }) => call.distinct);
  const argument = first?.call.args[0];
  if (argument === undefined) return null;
  const fits = aggregates.every(({ call }) => {
    if (!call.distinct) return isOfParts(call);
    const [arg] = call.args;
    return call.args.length === 1 && arg !== undefined && sameExpr(arg, argument) && isPlain(call);
  });
  return fits ? argument : null;
}

const isPlain = ({ fn, filter, order }: AggregateColumn['call']): boolean =>
  UNORDERED.has(fn) && filter === null && order.length === 0;

/** Sums of parts that leave their type while the whole does not are left out: sums of up to 18 digits never do. */
function isOfParts({ fn, args, order }: AggregateColumn['call']): boolean {
  const [argument] = args;
  const wide = argument?.type.kind === 'decimal' && argument.type.precision > 18;
  return OF_PARTS.has(fn) && args.length <= 1 && order.length === 0 && !(fn === 'sum' && wide);
}
