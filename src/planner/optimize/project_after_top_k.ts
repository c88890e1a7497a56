import type { ColumnId } from '../logical/expression.ts';
import { mapColumns } from '../logical/expression.ts';
import type { ComputedColumn, LogicalNode } from '../logical/node.ts';
import { rewriteUp } from '../logical/node.ts';

/** Expressions that the order does not need are computed for the rows that are kept, not for all. */
export function projectAfterTopK(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'top_k' || node.input.kind !== 'project') return node;
    const { columns, input } = node.input;
    const computed = columns.filter((column) => column.expr.kind !== 'column' && column.expr.kind !== 'literal');
    const inKeys = new Set<ColumnId>();
    for (const key of node.keys) {
      mapColumns(key.expr, (column) => {
        inKeys.add(column.column);
        return undefined;
      });
    }
    if (computed.length === 0 || computed.some((column) => inKeys.has(column.id))) return node;
    const inner = new Map<ColumnId, ComputedColumn>(columns.map((column) => [column.id, column]));
    const keys = node.keys.map((key) => ({ ...key, expr: mapColumns(key.expr, (c) => inner.get(c.column)?.expr) }));
    return { kind: 'project', columns, input: { ...node, input, keys } };
  });
}
