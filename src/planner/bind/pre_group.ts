import type { SourceSpan } from '../../common/source_span.ts';
import { estimateRows } from '../estimate/rows.ts';
import { finalValue, OF_PARTS, totalOf } from '../logical/aggregate_parts.ts';
import type { AggregateColumn, ComputedColumn, LogicalAggregate, LogicalNode } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import type { Grouping } from './grouping_sets.ts';

/** With more groups than this share of the rows, grouping first saves too little. */
const WORTHWHILE_SHARE = 0.5;

/**
 * The rows of several grouping sets from the groups of all keys, where aggregates allow it: a set then goes through as
 * many rows as there are groups.
 *
 *     Before: GROUP BY ROLLUP (a, b) over t
 *     After:  GROUP BY ROLLUP (a, b), sums of sums, over (GROUP BY a, b over t)
 *
 * When not: DISTINCT, or an aggregate that is none of its parts', or nearly as many groups as rows. `regroup` makes the
 * sets; null = not worth it or not possible.
 */
export function preGrouped(grouping: Grouping, regroup: (grouping: Grouping) => LogicalNode): LogicalNode | null {
  const { binder, aggregates } = grouping;
  const { keys, sets } = grouping.keys;
  const isWhole = aggregates.every(
    ({ call }) => OF_PARTS.has(call.fn) && !call.distinct && call.order.length === 0 && call.args.length <= 1,
  );
  if (keys.length === 0 || !isWhole) return null;
  const parts: LogicalAggregate = {
    kind: 'aggregate',
    input: grouping.input,
    keys: keys.map((key) => ({ ...key, id: binder.newId() })),
    aggregates: aggregates.map((column) => ({ ...column, id: binder.newId() })),
  };
  const [rows, groups] = [estimateRows(parts.input), estimateRows(parts)];
  if (rows !== null && groups !== null && groups > rows * WORTHWHILE_SHARE) return null;
  const totals = aggregates.map((column, i) => totalOf(parts.aggregates[i] as AggregateColumn, column, binder.newId()));
  const node = regroup({
    ...grouping,
    input: parts,
    keys: {
      keys: keys.map((key, i) => ({ ...key, expr: columnRef(parts.keys[i] as ComputedColumn, key.expr.span) })),
      sets,
    },
    aggregates: totals,
  });
  const same = (column: ComputedColumn | Grouping['groupings'][number], span: SourceSpan): ComputedColumn => {
    const { id, name, type } = column;
    return { id, name, type, expr: columnRef(column, span) };
  };
  return {
    kind: 'project',
    input: node,
    columns: [
      ...keys.map((key) => same(key, key.expr.span)),
      ...aggregates.map((column, i): ComputedColumn => {
        const { id, name, type } = column;
        return { id, name, type, expr: finalValue(column, totals[i] as AggregateColumn) };
      }),
      ...grouping.groupings.map((column) => same(column, column.span)),
    ],
  };
}
