export { identifierText, type KeywordClass, keywordClass } from '../common/keywords.ts';
export type * from './ast.ts';
export { parseExpression, parseStatements, type StatementSpan, splitStatements } from './parser.ts';
export { defaultName, printExpression, printQuery, printStatement, printType } from './printer.ts';
export { KEYWORDS } from './tokens.ts';
