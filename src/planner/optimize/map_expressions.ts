import type { BoundExpr } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalNode, LogicalSortKey } from '../logical/node.ts';

type Change = (expr: BoundExpr) => BoundExpr;

const computed = (columns: readonly ComputedColumn[], change: Change): readonly ComputedColumn[] =>
  columns.map((column) => ({ ...column, expr: change(column.expr) }));

const sortKeys = (keys: readonly LogicalSortKey[], change: Change): readonly LogicalSortKey[] =>
  keys.map((key) => ({ ...key, expr: change(key.expr) }));

const aggregate = (column: AggregateColumn, change: Change): AggregateColumn => ({
  ...column,
  call: {
    ...column.call,
    args: column.call.args.map(change),
    filter: column.call.filter === null ? null : change(column.call.filter),
    order: sortKeys(column.call.order, change),
  },
});

/** The node with its own expressions changed; inputs stay as they are. */
export function mapExpressions(node: LogicalNode, change: Change): LogicalNode {
  switch (node.kind) {
    case 'scan':
      return { ...node, filter: node.filter.map(change) };
    case 'values':
      return { ...node, rows: node.rows.map((row) => row.map(change)) };
    case 'filter':
      return { ...node, predicate: node.predicate.map(change) };
    case 'project':
      return { ...node, columns: computed(node.columns, change) };
    case 'aggregate':
      return {
        ...node,
        keys: computed(node.keys, change),
        aggregates: node.aggregates.map((column) => aggregate(column, change)),
      };
    case 'sort':
    case 'top_k':
      return { ...node, keys: sortKeys(node.keys, change) };
    case 'join':
      return {
        ...node,
        keys: node.keys.map((key) => ({
          ...key,
          left: change(key.left),
          right: change(key.right),
          condition: change(key.condition),
        })),
        residual: node.residual.map(change),
      };
    case 'unnest':
      return { ...node, lists: computed(node.lists, change) };
    case 'range':
    case 'generate':
    case 'limit':
    case 'union_all':
    case 'shared':
      return node;
  }
}
