import type { Expression, Query, Statement, TypeName } from './ast.ts';
import { EXPRESSION_TEXT, type Printer } from './print/expression.ts';
import { queryText } from './print/query.ts';
import { statementText } from './print/statement.ts';
import { typeText } from './print/type.ts';

export { defaultName } from './print/default_name.ts';

const SQL_PRINTER: Printer = {
  style: 'sql',
  expression: (node) => (EXPRESSION_TEXT[node.kind] as (node: Expression, p: Printer) => string)(node, SQL_PRINTER),
  query: (node) => queryText(node, SQL_PRINTER),
};

/** Canonical SQL of one statement, without a semicolon. Parsing it gives the same tree but for spans. */
export function printStatement(statement: Statement): string {
  return statementText(statement, SQL_PRINTER);
}

/** Canonical SQL of a query. */
export function printQuery(query: Query): string {
  return queryText(query, SQL_PRINTER);
}

/** Canonical SQL of an expression. */
export function printExpression(expression: Expression): string {
  return SQL_PRINTER.expression(expression);
}

/** Canonical SQL of a type name. */
export function printType(type: TypeName): string {
  return typeText(type, 'sql');
}
