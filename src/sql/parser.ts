import type { IRecognitionException, IToken, ParserMethod } from 'chevrotain';
import { EOF } from 'chevrotain';
import { QuernError, userError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { Expression, Statement } from './ast.ts';
import { StatementGrammar } from './grammar/statement_grammar.ts';
import { tokenize, tokenSpan } from './lexer.ts';
import { syntaxError } from './syntax_error.ts';
import { LBrace, LBracket, LParen, RBrace, RBracket, RParen, Semicolon } from './tokens.ts';

/**
 * Built on first use: lexer 8 ms and grammar 28 ms on Node 20 (bundled, idle reference machine; loading chevrotain and
 * the token types takes another 20 ms). Parsing `select 1` is enough to have both ready, for a start-up snapshot.
 */
let grammar: StatementGrammar | undefined;

/** One statement of a script: `span` without its semicolon; `terminated` when one follows. */
export interface StatementSpan extends SourceSpan {
  readonly terminated: boolean;
}

/**
 * Parses all statements of a text. With `within`, only that part; spans still count from the start of the text.
 * Throws a QuernError of code 'parse' or 'unsupported' that points at the first fault.
 */
export function parseStatements(text: string, within?: SourceSpan): Statement[] {
  grammar ??= new StatementGrammar();
  return parse(grammar, tokensWithin(text, within), grammar.script);
}

/** Parses a text that is one expression. */
export function parseExpression(text: string): Expression {
  grammar ??= new StatementGrammar();
  return parse(grammar, tokenize(text), grammar.loneExpression);
}

/** Where the statements of a script are: cut at semicolons outside brackets, strings and comments. Does not parse them. */
export function splitStatements(text: string): StatementSpan[] {
  const spans: StatementSpan[] = [];
  let first: IToken | undefined;
  let last: IToken | undefined;
  let open = 0;
  const add = (terminated: boolean): void => {
    if (first !== undefined && last !== undefined) {
      spans.push({ start: first.startOffset, end: tokenSpan(last).end, terminated });
    }
    first = undefined;
    open = 0;
  };
  for (const token of tokenize(text)) {
    if (token.tokenType === Semicolon && open === 0) {
      add(true);
      continue;
    }
    if (OPENING.has(token.tokenType)) open++;
    else if (CLOSING.has(token.tokenType)) open = Math.max(0, open - 1);
    first ??= token;
    last = token;
  }
  add(false);
  return spans;
}

const OPENING: ReadonlySet<unknown> = new Set([LParen, LBracket, LBrace]);
const CLOSING: ReadonlySet<unknown> = new Set([RParen, RBracket, RBrace]);

function tokensWithin(text: string, within: SourceSpan | undefined): IToken[] {
  if (within === undefined) return tokenize(text);
  return tokenize(text.slice(within.start, within.end), within.start);
}

function parse<T>(parser: StatementGrammar, tokens: IToken[], rule: ParserMethod<[], T>): T {
  parser.start(tokens);
  let tree: T;
  try {
    tree = rule.call(parser);
  } catch (error) {
    if (error instanceof QuernError || !(error instanceof RangeError)) throw error;
    // The caller may have left little stack; the limits in depth.ts assume an ordinary one.
    const first = tokens[0];
    throw userError('parse', 'nested too deeply: the stack is exhausted', first && tokenSpan(first));
  }
  const fault = parser.errors[0];
  if (fault !== undefined) throw faultOf(fault, tokens);
  return tree;
}

function faultOf(fault: IRecognitionException, tokens: readonly IToken[]): QuernError {
  const atEnd = fault.token.tokenType === EOF;
  const index = atEnd ? tokens.length : tokens.indexOf(fault.token);
  return syntaxError(atEnd ? undefined : fault.token, tokens[index - 1]);
}
