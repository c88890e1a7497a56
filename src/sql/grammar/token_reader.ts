import { EmbeddedActionsParser, EOF, type IToken, type TokenType, tokenMatcher } from 'chevrotain';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { Identifier } from '../ast.ts';
import { MAX_DEPTH, MAX_QUERY_DEPTH } from '../depth.ts';
import { syntaxError } from '../syntax_error.ts';
import { AnyString, DollarString, Dot, EscapeString, Label, LParen, Name, QuotedName, VOCABULARY } from '../tokens.ts';
import { escapedValue } from './literal_text.ts';

/**
 * Base of the grammar: looking at tokens, spans, names, errors, depth.
 *
 * The grammar is a chain of classes, one a file, each on the one before it. Clauses are chevrotain rules with one token
 * of lookahead; what needs more is decided by hand with `at`. Inside expressions everything is by hand (precedence
 * climbing), so that few rules have to be analysed at start and a level of nesting costs few stack frames.
 */
export abstract class TokenReader extends EmbeddedActionsParser {
  #depth = 0;
  #queryDepth = 0;
  #positionalParameters = 0;

  constructor(validate: boolean) {
    super(VOCABULARY, { maxLookahead: 1, recoveryEnabled: false, skipValidations: !validate });
  }

  /** New text. */
  start(tokens: IToken[]): void {
    this.input = tokens;
    this.#depth = 0;
    this.#queryDepth = 0;
    this.#positionalParameters = 0;
  }

  /** Positional parameters are numbered within a statement. */
  protected startStatement(): void {
    this.#positionalParameters = 0;
  }

  protected nextPositionalParameter(): string {
    this.#positionalParameters++;
    return `${this.#positionalParameters}`;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Looking

  protected type(ahead = 1): TokenType {
    return this.LA(ahead).tokenType;
  }

  /** Whether the next tokens are of exactly these types. */
  protected at(first: TokenType, second?: TokenType, third?: TokenType): boolean {
    return (
      this.type() === first &&
      (second === undefined || this.type(2) === second) &&
      (third === undefined || this.type(3) === third)
    );
  }

  /** Whether a token is of the category. */
  protected isA(category: TokenType, ahead = 1): boolean {
    return tokenMatcher(this.LA(ahead), category);
  }

  protected atEnd(): boolean {
    return this.type() === EOF;
  }

  /** A keyword that has no token type of its own. */
  protected atWord(word: string, ahead = 1): boolean {
    const token = this.LA(ahead);
    return tokenMatcher(token, Label) && token.tokenType !== QuotedName && token.image.toUpperCase() === word;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Taking

  protected take(type: TokenType): IToken {
    return this.CONSUME(type);
  }

  /** Takes the next token if it is of this type. */
  protected takeIf(type: TokenType): boolean {
    if (this.type() !== type) return false;
    this.CONSUME(type);
    return true;
  }

  protected takeWord(word: string): IToken {
    if (!this.atWord(word)) this.fail();
    return this.CONSUME(Label);
  }

  protected takeWordIf(word: string): boolean {
    if (!this.atWord(word)) return false;
    this.CONSUME(Label);
    return true;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Spans and errors

  protected startOffset(): number {
    return this.LA(1).startOffset;
  }

  /** From `start` to the end of the last token taken. */
  protected spanFrom(start: number): SourceSpan {
    const last = this.LA(0);
    return { start, end: last.startOffset + last.image.length };
  }

  protected nextSpan(): SourceSpan {
    const next = this.LA(1);
    return { start: next.startOffset, end: next.startOffset + next.image.length };
  }

  /** The next token does not belong here. */
  protected fail(hint?: string): never {
    const next = this.LA(1);
    const previous = this.LA(0);
    throw syntaxError(
      next.tokenType === EOF ? undefined : next,
      previous.tokenType === EOF ? undefined : previous,
      hint,
    );
  }

  // -------------------------------------------------------------------------------------------------------------
  // Names

  protected identifierOf(token: IToken): Identifier {
    const { image, startOffset } = token;
    const span = { start: startOffset, end: startOffset + image.length };
    return { kind: 'identifier', name: token.tokenType === QuotedName ? unquote(image) : image, span };
  }

  /** A name that may stand alone: column, table, alias. */
  protected readName(): Identifier {
    return this.identifierOf(this.CONSUME(Name));
  }

  /** A name where any word will do: after AS and after a dot. */
  protected readLabel(): Identifier {
    return this.identifierOf(this.CONSUME(Label));
  }

  /** A label that may be a string literal: `AS 'total price'`. */
  protected readLabelOrString(): Identifier {
    if (!this.isA(AnyString)) return this.readLabel();
    const span = this.nextSpan();
    return { kind: 'identifier', name: this.readString(), span };
  }

  protected readString(): string {
    return this.stringOf(this.CONSUME(AnyString));
  }

  protected stringOf(token: IToken): string {
    switch (token.tokenType) {
      case EscapeString:
        return escapedValue(token.image, token.startOffset);
      case DollarString: {
        const tag = token.image.indexOf('$', 1) + 1;
        return token.image.slice(tag, -tag);
      }
      default:
        return unquote(token.image);
    }
  }

  protected readQualifiedName(): Identifier[] {
    const parts = [this.readName()];
    while (this.takeIf(Dot)) parts.push(this.readLabel());
    return parts;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Brackets and depth

  /** The type of the token behind the bracket that closes the one `ahead`; undefined when it is never closed. */
  protected typeAfterBracket(ahead: number): TokenType | undefined {
    const closing = this.LA(ahead).payload as number | undefined;
    if (closing === undefined) return undefined;
    return this.input[closing + 1]?.tokenType ?? EOF;
  }

  protected atCall(ahead: number): boolean {
    return this.type(ahead) === LParen;
  }

  /** Every level of expression nesting passes here. */
  protected deeper(): void {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) {
      throw userError('parse', `nested too deeply: more than ${MAX_DEPTH} levels of expressions`, this.nextSpan());
    }
  }

  protected shallower(levels = 1): void {
    this.#depth -= levels;
  }

  protected deeperQuery(): void {
    this.#queryDepth++;
    if (this.#queryDepth > MAX_QUERY_DEPTH) {
      throw userError('parse', `nested too deeply: more than ${MAX_QUERY_DEPTH} levels of queries`, this.nextSpan());
    }
  }

  protected shallowerQuery(): void {
    this.#queryDepth--;
  }
}

/** What a keyword stands for: the value of an alternative that is only this keyword. */
export function meaning<T>(_keyword: IToken, value: T): T {
  return value;
}

/** Text between the quotes, doubled quotes made single. */
export function unquote(image: string): string {
  const quote = image[0]!;
  return image.slice(1, -1).replaceAll(quote + quote, quote);
}
