import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { boolLiteral, nullLiteral } from '../logical/expression.ts';
import type { LogicalColumn, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { columnRef, outputOf, rewriteUp } from '../logical/node.ts';
import { idsAfter, mapTrees } from '../logical/shared.ts';
import { pushFilters } from './push_filters.ts';
import { equalOrOpen } from './push_join_filters.ts';

/**
 * `x IN (…)` as a value that may be NULL is one hash join while it has one key and no other condition. Otherwise one
 * join looks for equal rows and another for rows that leave it open.
 *
 *     Before: join mark [i = k AND s = t] with NULL
 *     After:  project [CASE WHEN mark THEN true WHEN open THEN NULL ELSE false END]
 *               join mark [(i = k OR i IS NULL OR k IS NULL) AND s = t]
 *                 join mark [i = k AND s = t]
 */
export function openMarks(root: LogicalNode): LogicalNode {
  let newId: (() => ColumnId) | null = null;
  return mapTrees(root, (tree) => {
    let changed = false;
    const opened = rewriteUp(tree, (node) => {
      if (node.kind !== 'join' || node.mark === null || !node.nullAware) return node;
      if (node.keys.length === 1 && node.residual.length === 0) return node;
      changed = true;
      newId ??= idsAfter(root);
      return twoMarks(node, node.mark, newId);
    });
    // equalities among the other conditions become keys
    return changed ? pushFilters(opened) : tree;
  });
}

function twoMarks(node: LogicalJoin, mark: LogicalColumn, newId: () => ColumnId): LogicalNode {
  const { span } = node;
  const key = newId();
  const marked = (left: LogicalNode, name: string): LogicalJoin & { mark: LogicalColumn } => {
    const own: LogicalColumn = { id: newId(), name, type: BOOL };
    const right: LogicalNode = {
      kind: 'shared',
      key,
      body: node.right,
      columns: outputOf(node.right).map((column) => ({ ...column, source: column.id })),
    };
    return { ...node, left, right, columns: [...outputOf(left), own], mark: own, nullAware: false };
  };
  const equal = marked(node.left, 'mark');
  const open = marked(equal, 'open');
  const opened = { ...open, keys: [], residual: [...node.residual, ...node.keys.map(equalOrOpen)] };
  const value: BoundExpr = {
    kind: 'case',
    branches: [
      { condition: columnRef(equal.mark, span), result: boolLiteral(true, span) },
      { condition: columnRef(open.mark, span), result: { ...nullLiteral(span), type: BOOL } },
    ],
    otherwise: boolLiteral(false, span),
    type: BOOL,
    span,
  };
  const columns = node.columns.map((column) => ({
    ...column,
    expr: column.id === mark.id ? value : columnRef(column, span),
  }));
  return { kind: 'project', input: opened, columns };
}
