import { didYouMean } from '../../common/did_you_mean.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { ColumnRef, Identifier, PositionalRef } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import type { LogicalColumn } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { bindExpression, fieldOf, structValue } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import type { ScopeTable } from './scope.ts';
import { columnNotFound, findColumn, findTable, findTableColumn, scopeColumns } from './scope.ts';

/**
 * `x`, `t.x`, `s.t.x`, each with struct fields behind. A table's column comes before a struct's field of the same text;
 * columns of FROM come before names of the SELECT list, but in HAVING.
 */
export function bindColumnRef(node: ColumnRef, context: ExpressionContext): BoundExpr {
  const own = resolve(node, context);
  if (own !== undefined) return own;
  for (let { outer } = context; outer !== undefined; outer = outer.next) {
    const found = resolve(node, { ...context, scope: outer.scope, aliases: [], aliasesFirst: false });
    if (found !== undefined) return found;
  }
  const [first, second] = node.parts as readonly [Identifier, Identifier | undefined];
  if (second !== undefined) throw notFound(first, second, context);
  throw columnNotFound(
    context.scope,
    first.name,
    node.span,
    context.aliases.map((a) => a.name),
  );
}

function resolve(node: ColumnRef, context: ExpressionContext): BoundExpr | undefined {
  const { parts } = node;
  const [first, second] = parts as readonly [Identifier, Identifier | undefined];
  if (second !== undefined) {
    const qualified = findQualified(node, context);
    if (qualified !== undefined) return qualified;
  }
  if (context.aliasesFirst === true) {
    const alias = bindAlias(first, context);
    if (alias !== undefined) return fieldsOf(alias, parts.slice(1), node);
  }
  const column = findColumn(context.scope, first.name, first.span);
  if (column !== undefined) return fieldsOf(columnReference(column, first.span), parts.slice(1), node);
  const alias = bindAlias(first, context);
  if (alias !== undefined) return fieldsOf(alias, parts.slice(1), node);
  const table = second === undefined ? findTable(context.scope, first.name) : undefined;
  return table === undefined ? undefined : tableAsStruct(table, node);
}

/** `t.x…`, or `schema.t.x…` where schema is not looked at. */
function findQualified(node: ColumnRef, context: ExpressionContext): BoundExpr | undefined {
  const { parts } = node;
  for (const at of [0, 1]) {
    const [table, name] = [parts[at], parts[at + 1]];
    if (table === undefined || name === undefined) continue;
    const found = findTable(context.scope, table.name);
    const column = found === undefined ? undefined : findTableColumn(found, name.name);
    if (column !== undefined) return fieldsOf(columnReference(column, node.span), parts.slice(at + 2), node);
  }
  return undefined;
}

function fieldsOf(expr: BoundExpr, fields: readonly Identifier[], node: ColumnRef): BoundExpr {
  return fields.reduce((value, field) => fieldOf(value, field, node.span), expr);
}

/** The expression of a SELECT alias, bound anew where it is used. */
function bindAlias(name: Identifier, context: ExpressionContext): BoundExpr | undefined {
  const index = context.aliases.findIndex((alias) => alias.name.toLowerCase() === name.name.toLowerCase());
  const alias = context.aliases[index];
  if (alias === undefined) return undefined;
  return bindExpression(alias.expression, {
    ...context,
    aliases: context.aliases.slice(0, index),
    aliasesFirst: false,
  });
}

/** A table's name as a value: its row as a struct. */
function tableAsStruct(table: ScopeTable, node: ColumnRef): BoundExpr {
  return structValue(
    table.columns.map((column) => ({ name: column.name, value: columnReference(column, node.span) })),
    node.span,
  );
}

function notFound(first: Identifier, second: Identifier, context: ExpressionContext): Error {
  const table = findTable(context.scope, first.name);
  if (table === undefined) {
    const names = context.scope.tables.map((t) => t.name);
    const columns = scopeColumns(context.scope).map((c) => c.name);
    return userError(
      'binder',
      `table "${first.name}" not found`,
      first.span,
      didYouMean(first.name, [...names, ...columns]) ??
        (names.length === 0 ? undefined : `the FROM clause has ${names.map((n) => `"${n}"`).join(', ')}`),
    );
  }
  const single = { tables: [table], lambdas: [] };
  return columnNotFound(single, second.name, second.span);
}

/** `#n`. */
export function bindPositional(node: PositionalRef, context: ExpressionContext): BoundExpr {
  const columns: readonly LogicalColumn[] = scopeColumns(context.scope);
  const column = columns[node.index - 1];
  if (column === undefined) {
    throw userError('binder', `there is no column #${node.index}, the FROM clause has ${columns.length}`, node.span);
  }
  return columnReference(column, node.span);
}

/** A reference as a user writes it: refused where the column's type cannot be read. */
export function columnReference(column: LogicalColumn, span: SourceSpan): BoundExpr {
  if (column.unsupported !== undefined) {
    throw unsupported(
      `column "${column.name}": ${column.unsupported}`,
      span,
      'name the other columns, or use * EXCLUDE',
    );
  }
  return columnRef(column, span);
}
