import type { ColumnId } from '../logical/expression.ts';
import { collectColumns } from '../logical/expression.ts';
import type { LogicalNode } from '../logical/node.ts';
import { outputOf, visitNodes } from '../logical/node.ts';
import { expressionsOf } from './expressions_of.ts';

/** Columns that a plan gives anywhere. */
export function givenColumns(root: LogicalNode): Set<ColumnId> {
  const given = new Set<ColumnId>();
  visitNodes(root, (node) => {
    for (const column of outputOf(node)) given.add(column.id);
  });
  return given;
}

/** Columns that a plan reads and no node of it gives: those of rows around it. */
export function freeColumns(root: LogicalNode): ReadonlySet<ColumnId> {
  const read = new Set<ColumnId>();
  visitNodes(root, (node) => {
    for (const expr of expressionsOf(node)) collectColumns(expr, read);
  });
  const given = givenColumns(root);
  return new Set([...read].filter((id) => !given.has(id)));
}
