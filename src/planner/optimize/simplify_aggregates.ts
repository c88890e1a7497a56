import type { AggregateColumn, LogicalNode } from '../logical/node.ts';
import { rewriteUp } from '../logical/node.ts';

/** Aggregates whose value depends on the order in which rows come. */
const ORDERED = new Set([
  'first',
  'last',
  'any_value',
  'list',
  'collect_list',
  'string_agg',
  'arg_min',
  'arg_max',
  'mode',
]);

/** count of a constant counts rows; sorting below a group-by is left out where no aggregate sees the order. */
export function simplifyAggregates(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'aggregate') return node;
    const aggregates = node.aggregates.map(simpleCount);
    const ordered = aggregates.some(({ call }) => ORDERED.has(call.fn));
    return { ...node, aggregates, input: ordered ? node.input : withoutSort(node.input) };
  });
}

function simpleCount(column: AggregateColumn): AggregateColumn {
  const { call } = column;
  const [argument] = call.args;
  const constant = call.fn === 'count' && argument?.kind === 'literal' && argument.value !== null && !call.distinct;
  return constant ? { ...column, call: { ...call, fn: 'count_star', args: [] } } : column;
}

function withoutSort(node: LogicalNode): LogicalNode {
  if (node.kind === 'sort') return withoutSort(node.input);
  if (node.kind === 'project' || node.kind === 'filter') return { ...node, input: withoutSort(node.input) };
  return node;
}
