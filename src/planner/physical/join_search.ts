import type { DataType } from '../../common/data_type.ts';
import type { JoinSearch } from '../../operators/conditional_join.ts';
import { expressionText } from '../../operators/expression.ts';
import { estimateRows } from '../estimate/rows.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { columnsOf, conjuncts } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';
import type { Positions } from './lower_expression.ts';
import { lowerExpr } from './lower_expression.ts';

/** Costs in units of one pair tested (about half a nanosecond on one core). */
const SORT_COST = 20;
const SEARCH_COST = 100;

/** How a join without an equality finds its pairs, and why: see native/src/cpu/join_sorted.hpp. */
export function joinSearch(
  residual: readonly BoundExpr[],
  probe: LogicalNode,
  build: LogicalNode,
  positions: Positions,
): JoinSearch {
  const value = valueToSortBy(residual, probe, build);
  if (value === null) {
    return { by: null, reason: residual.length === 0 ? 'no condition' : 'no < or > between values of both sides' };
  }
  const [probeRows, buildRows] = [estimateRows(probe), estimateRows(build)];
  if (probeRows === null || buildRows === null) {
    return { by: expressionText(lowerExpr(value, positions)), reason: 'rows unknown' };
  }
  const pairs = probeRows * buildRows;
  const searched = buildRows * Math.log2(buildRows + 1) * SORT_COST + probeRows * SEARCH_COST;
  const reason = `${probeRows} × ${buildRows} pairs`;
  return { by: searched < pairs ? expressionText(lowerExpr(value, positions)) : null, reason };
}

/** The side of the second input of the first comparison that rows of it can be sorted by. */
function valueToSortBy(residual: readonly BoundExpr[], probe: LogicalNode, build: LogicalNode): BoundExpr | null {
  const [probeIds, buildIds] = [probe, build].map((side) => new Set(outputOf(side).map(({ id }) => id)));
  const reads = (expr: BoundExpr, ids: ReadonlySet<number> | undefined): boolean =>
    [...columnsOf(expr)].some((id) => ids?.has(id) === true);
  const isOf = (expr: BoundExpr, ids: typeof probeIds, others: typeof probeIds): boolean =>
    reads(expr, ids) && !reads(expr, others);
  for (const conjunct of residual.flatMap(conjuncts)) {
    const [a, b] = conjunct.kind === 'call' ? conjunct.args : [];
    if (conjunct.kind === 'call' && a !== undefined && b !== undefined && hasOrderValue(a.type)) {
      const isOrder = ['lt', 'le', 'gt', 'ge'].includes(conjunct.fn);
      if (isOrder && isOf(a, probeIds, buildIds) && isOf(b, buildIds, probeIds)) return b;
      if (isOrder && isOf(b, probeIds, buildIds) && isOf(a, buildIds, probeIds)) return a;
    }
    // what follows sees only pairs that it lets through
    if (isFallible(conjunct)) return null;
  }
  return null;
}

const NO_ORDER_VALUE: ReadonlySet<DataType['kind']> = new Set([
  'null',
  'float16',
  'bfloat16',
  'string',
  'binary',
  'uuid',
  'interval',
  'list',
  'struct',
  'map',
]);

/** Whether the engine compares values as whole numbers of up to 64 bits (native/src/cpu/order_value.hpp). */
function hasOrderValue(type: DataType): boolean {
  return !NO_ORDER_VALUE.has(type.kind) && (type.kind !== 'decimal' || type.precision <= 18);
}
