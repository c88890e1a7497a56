export type * from './ast.ts';
export { parseExpression, parseStatements, splitStatements, type StatementSpan } from './parser.ts';
