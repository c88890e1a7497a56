import type { ColumnId } from '../logical/expression.ts';
import { collectColumns, mapColumns } from '../logical/expression.ts';
import type { ComputedColumn, LogicalColumn, LogicalNode, LogicalProject, LogicalTopK } from '../logical/node.ts';
import { columnRef, outputOf, rewriteUp } from '../logical/node.ts';

/**
 * Expressions that the order does not need are computed for the rows that are kept, not for all.
 *
 *     Before: top_k [k]
 *               project [a % 10 AS k, upper(s)]
 *     After:  project [k, upper(s)]
 *               top_k [k]
 *                 project [a % 10 AS k, s]
 */
export function projectAfterTopK(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'top_k' || node.input.kind !== 'project') return node;
    const inKeys = new Set<ColumnId>();
    for (const key of node.keys) collectColumns(key.expr, inKeys);
    const early = node.input.columns.filter((column) => isComputed(column) && inKeys.has(column.id));
    if (!node.input.columns.some((column) => isComputed(column) && !inKeys.has(column.id))) return node;
    return early.length === 0 ? above(node, node.input) : split(node, node.input, early);
  });
}

const isComputed = ({ expr }: ComputedColumn): boolean => expr.kind !== 'column' && expr.kind !== 'literal';

function above(node: LogicalTopK, project: LogicalProject): LogicalNode {
  const inner = new Map<ColumnId, ComputedColumn>(project.columns.map((column) => [column.id, column]));
  const keys = node.keys.map((key) => ({ ...key, expr: mapColumns(key.expr, (c) => inner.get(c.column)?.expr) }));
  return { ...project, input: { ...node, input: project.input, keys } };
}

/** The keys' own expressions stay below, beside the columns that the others read. */
function split(node: LogicalTopK, project: LogicalProject, early: readonly ComputedColumn[]): LogicalNode {
  const passed = (column: LogicalColumn): ComputedColumn => ({ ...column, expr: columnRef(column, NOWHERE) });
  const below: LogicalProject = { ...project, columns: [...early, ...outputOf(project.input).map(passed)] };
  const late = {
    ...project,
    columns: project.columns.map((column) => (early.includes(column) ? passed(column) : column)),
  };
  return above({ ...node, input: below }, { ...late, input: below });
}

const NOWHERE = { start: 0, end: 0 };
