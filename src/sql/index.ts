export type * from './ast.ts';
export { identifierText, keywordClass, type KeywordClass } from './keywords.ts';
export { parseExpression, parseStatements, splitStatements, type StatementSpan } from './parser.ts';
export { defaultName, printExpression, printQuery, printStatement, printType } from './printer.ts';
export { KEYWORDS } from './tokens.ts';
