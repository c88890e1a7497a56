import type { DataType } from '../common/data_type.ts';
import type { SourceSpan } from '../common/source_span.ts';
import { wireSpan } from './encoder.ts';
import type { PlanExpr, PlanSortKey } from './expression.ts';
import { expressionText, sortKeyText } from './expression.ts';
import type { Operator } from './operator.ts';

export interface PlanAggregate {
  readonly fn: string;
  readonly args: readonly PlanExpr[];
  readonly distinct: boolean;
  readonly filter: PlanExpr | null;
  readonly order: readonly PlanSortKey[];
  readonly type: DataType;
  readonly span: SourceSpan;
}

/** Groups by keys; without keys one global group, without aggregates DISTINCT. Output: keys, then aggregates. */
export interface HashGroupBy {
  readonly kind: 'hash_group_by';
  readonly keys: readonly PlanExpr[];
  readonly aggregates: readonly PlanAggregate[];
  /** on a GPU: operators below it that run in one kernel with it, in order of the rows */
  readonly fused?: readonly string[] | undefined;
}

export const hashGroupBy: Operator<HashGroupBy> = {
  explain: (node) => {
    const parts: string[] = [];
    if (node.keys.length > 0) parts.push(`keys=[${node.keys.map(expressionText).join(', ')}]`);
    if (node.aggregates.length > 0) parts.push(`aggregates=[${node.aggregates.map(aggregateText).join(', ')}]`);
    if (node.fused !== undefined) parts.push(`fused=[${node.fused.join(', ')}]`);
    return parts.join(' ');
  },
  encode: (node, encoder) => ({
    kind: 'hash_group_by',
    keys: encoder.exprList(node.keys),
    aggregates: node.aggregates.map((aggregate) => ({
      fn: aggregate.fn,
      args: encoder.exprList(aggregate.args),
      distinct: aggregate.distinct,
      filter: aggregate.filter === null ? null : encoder.expr(aggregate.filter),
      order: encoder.sortKeys(aggregate.order),
      type: encoder.type(aggregate.type),
      span: wireSpan(aggregate.span),
    })),
    ...(node.fused === undefined ? {} : { fused: true }),
  }),
};

export function aggregateText(aggregate: PlanAggregate): string {
  if (aggregate.fn === 'count_star') return `count(*)${filterText(aggregate)}`;
  const distinct = aggregate.distinct ? 'DISTINCT ' : '';
  const order = aggregate.order.length === 0 ? '' : ` ORDER BY ${aggregate.order.map(sortKeyText).join(', ')}`;
  return `${aggregate.fn}(${distinct}${aggregate.args.map(expressionText).join(', ')}${order})${filterText(aggregate)}`;
}

function filterText(aggregate: PlanAggregate): string {
  return aggregate.filter === null ? '' : ` FILTER (WHERE ${expressionText(aggregate.filter)})`;
}
