import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { mapColumns, visitExpr } from '../logical/expression.ts';
import type { ComputedColumn, LogicalNode } from '../logical/node.ts';
import { outputOf, rewriteUp } from '../logical/node.ts';
import { mapExpressions } from './map_expressions.ts';

/**
 * Projections over projections become one; nodes above a projection that only renames read what is below it.
 * An expression that costs something is never repeated.
 */
export function mergeProjects(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind === 'project') return mergeInto(node);
    if (node.kind === 'aggregate') return skipRenames(node);
    return node;
  });
}

const isPlain = (expr: BoundExpr): boolean => expr.kind === 'column' || expr.kind === 'literal';

type Project = Extract<LogicalNode, { kind: 'project' }>;

function mergeInto(node: Project): LogicalNode {
  const { input } = node;
  if (input.kind !== 'project') return identity(node);
  const uses = new Map<ColumnId, number>();
  for (const column of node.columns) {
    visitExpr(column.expr, (expr) => {
      if (expr.kind === 'column') uses.set(expr.column, (uses.get(expr.column) ?? 0) + 1);
    });
  }
  const inner = new Map(input.columns.map((column) => [column.id, column]));
  const repeats = input.columns.some((column) => !isPlain(column.expr) && (uses.get(column.id) ?? 0) > 1);
  if (repeats || usedInLambda(node, inner)) return node;
  const columns = node.columns.map((column): ComputedColumn => ({ ...column, expr: substitute(column.expr, inner) }));
  return mergeInto({ ...node, input: input.input, columns });
}

/** What a lambda captures is computed once a row, not once an element. */
function usedInLambda(node: Project, inner: ReadonlyMap<ColumnId, ComputedColumn>): boolean {
  let found = false;
  for (const column of node.columns) {
    visitExpr(column.expr, (expr) => {
      if (expr.kind !== 'lambda') return;
      visitExpr(expr.body, (part) => {
        const source = part.kind === 'column' ? inner.get(part.column) : undefined;
        if (source !== undefined && !isPlain(source.expr)) found = true;
      });
    });
  }
  return found;
}

function substitute(expr: BoundExpr, inner: ReadonlyMap<ColumnId, ComputedColumn>): BoundExpr {
  return mapColumns(expr, (column) => inner.get(column.column)?.expr);
}

/** A projection to exactly its input's columns is nothing. */
function identity(node: Project): LogicalNode {
  const output = outputOf(node.input);
  const same =
    output.length === node.columns.length &&
    node.columns.every(
      (column, i) => column.id === output[i]?.id && column.expr.kind === 'column' && column.expr.column === column.id,
    );
  return same ? node.input : node;
}

/** An aggregate over a projection of plain columns and constants reads the columns themselves. */
function skipRenames(node: Extract<LogicalNode, { kind: 'aggregate' }>): LogicalNode {
  const { input } = node;
  if (input.kind !== 'project' || !input.columns.every((column) => column.expr.kind === 'column')) return node;
  const inner = new Map(input.columns.map((column) => [column.id, column]));
  const mapped = mapExpressions(node, (expr) => substitute(expr, inner));
  return mapped.kind === 'aggregate' ? { ...mapped, input: input.input } : node;
}
