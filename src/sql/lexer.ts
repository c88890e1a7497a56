import { type IToken, Lexer } from 'chevrotain';
import { type QuernError, userError } from '../common/error.ts';
import { MAX_DEPTH } from './depth.ts';
import {
  LBrace,
  LBracket,
  LEXER_TOKENS,
  LParen,
  NumberJunk,
  RBrace,
  RBracket,
  RParen,
  UnterminatedComment,
  UnterminatedDollar,
  UnterminatedName,
  UnterminatedString,
  Word,
  wordType,
} from './tokens.ts';

let lexer: Lexer | undefined;

/** Built on first use. `validate` is for tests: validation costs more than the lexer itself. */
export function buildLexer(validate: boolean): Lexer {
  return new Lexer(LEXER_TOKENS, {
    positionTracking: 'onlyOffset',
    skipValidations: !validate,
    ensureOptimizations: true,
  });
}

export function tokenSpan(token: IToken): { start: number; end: number } {
  return { start: token.startOffset, end: token.startOffset + token.image.length };
}

/** Marks that open what is never closed: what it is and the beginning that tells how to close it. */
const UNTERMINATED: ReadonlyMap<unknown, readonly [what: string, open: RegExp]> = new Map([
  [UnterminatedComment, ['comment', /^\/\*/]],
  [UnterminatedString, ['string literal', /'/]],
  [UnterminatedDollar, ['string literal', /^\$\w*\$/]],
  [UnterminatedName, ['quoted name', /^["`]/]],
]);

/** The error of a token that only stands for a mistake. */
function mistake(token: IToken): QuernError | undefined {
  const span = tokenSpan(token);
  if (token.tokenType === NumberJunk) {
    const hint = 'put a blank between them, or quote the name';
    return userError('parse', `letters run into a number: ${token.image}`, span, hint);
  }
  const unterminated = UNTERMINATED.get(token.tokenType);
  if (unterminated === undefined) return undefined;
  const [what, open] = unterminated;
  const mark = open.exec(token.image)![0];
  const close = mark === '/*' ? '*/' : mark;
  return userError('parse', `unterminated ${what}`, span, `it starts here and needs a closing ${close}`);
}

/**
 * Tokens of a text, blanks and comments left out. Each opening bracket carries in `payload` the index of its closing
 * one, so that the parser can look behind a bracket; unbalanced brackets are left to the parser (payload undefined).
 * `base`: offset of this text in a longer one; offsets of tokens and errors count from the start of that.
 */
export function tokenize(text: string, base = 0): IToken[] {
  lexer ??= buildLexer(false);
  const { tokens, errors } = lexer.tokenize(text);
  const bad = errors[0];
  const badOffset = bad?.offset ?? text.length;
  const open: IToken[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.startOffset > badOffset) break;
    token.startOffset += base;
    switch (token.tokenType) {
      case Word: {
        const type = wordType(token.image);
        token.tokenType = type;
        token.tokenTypeIdx = type.tokenTypeIdx!;
        break;
      }
      case LParen:
      case LBracket:
      case LBrace:
        open.push(token);
        if (open.length > MAX_DEPTH) {
          throw userError('parse', `nested too deeply: more than ${MAX_DEPTH} open brackets`, tokenSpan(token));
        }
        break;
      case RParen:
      case RBracket:
      case RBrace: {
        const opening = open.pop();
        if (opening !== undefined) opening.payload = index;
        break;
      }
      default: {
        const error = mistake(token);
        if (error !== undefined) throw error;
      }
    }
  }
  if (bad !== undefined) {
    const character = String.fromCodePoint(text.codePointAt(bad.offset)!);
    const start = base + bad.offset;
    const span = { start, end: start + character.length };
    throw userError('parse', `unexpected character ${JSON.stringify(character)}`, span);
  }
  return tokens;
}
