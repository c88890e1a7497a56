import { unsupported, userError } from '../../common/error.ts';
import { keywordClass } from '../../common/keywords.ts';
import type {
  CaseBranch,
  Columns,
  Expression,
  Identifier,
  IntervalLiteral,
  IntervalUnit,
  MapLiteralEntry,
  QualifiedName,
  Query,
  Star,
  StarRename,
  StarReplacement,
  StructLiteralField,
  TypeName,
} from '../ast.ts';
import {
  AnyString,
  Asterisk,
  BlobString,
  Colon,
  Comma,
  Decimal,
  DollarString,
  Dot,
  Double,
  EscapeString,
  Integer,
  K,
  Label,
  LBrace,
  LBracket,
  LParen,
  Name,
  Parameter,
  PlainString,
  Position,
  QuotedName,
  RBrace,
  RBracket,
  RParen,
} from '../tokens.ts';
import { CallGrammar } from './call_grammar.ts';
import { integerDigits } from './literal_text.ts';

const INTERVAL_UNITS: ReadonlyMap<string, IntervalUnit> = new Map(
  (
    [
      ['year', 'years'],
      ['quarter', 'quarters'],
      ['month', 'months'],
      ['week', 'weeks'],
      ['day', 'days'],
      ['hour', 'hours'],
      ['minute', 'minutes'],
      ['second', 'seconds'],
      ['millisecond', 'milliseconds'],
      ['microsecond', 'microseconds'],
      ['decade', 'decades'],
      ['century', 'centuries'],
      ['millennium', 'millennia'],
    ] as const
  ).flatMap(([unit, plural]) => [
    [unit, unit],
    [plural, unit],
  ]),
);

/** What operators join: literals, names, calls, brackets. */
export abstract class PrimaryGrammar extends CallGrammar {
  protected readPrimary(): Expression {
    const token = this.LA(1);
    const start = token.startOffset;
    switch (token.tokenType) {
      case Integer:
        this.take(Integer);
        return { kind: 'integer_literal', text: integerDigits(token.image), span: this.spanFrom(start) };
      case Decimal:
        this.take(Decimal);
        return { kind: 'decimal_literal', text: token.image.replaceAll('_', ''), span: this.spanFrom(start) };
      case Double:
        this.take(Double);
        return { kind: 'double_literal', text: token.image.replaceAll('_', ''), span: this.spanFrom(start) };
      case PlainString:
      case EscapeString:
      case DollarString:
        return { kind: 'string_literal', value: this.readString(), span: this.spanFrom(start) };
      case BlobString:
        return this.readBlob(start);
      case Parameter:
        this.take(Parameter);
        return { kind: 'parameter', name: this.parameterName(token.image), span: this.spanFrom(start) };
      case Position:
        this.take(Position);
        return { kind: 'positional_ref', index: Number(token.image.slice(1)), span: this.spanFrom(start) };
      case K.NULL:
        this.take(K.NULL);
        return { kind: 'null_literal', span: this.spanFrom(start) };
      case K.TRUE:
      case K.FALSE:
        this.take(token.tokenType);
        return { kind: 'boolean_literal', value: token.tokenType === K.TRUE, span: this.spanFrom(start) };
      case LParen:
        return this.readParenthesis();
      case LBracket:
        return this.readList(start);
      case LBrace:
        return this.readStruct(start);
      case K.ARRAY:
        return this.readArray(start);
      case K.CASE:
        return this.readCase(start);
      case K.CAST:
        return this.readCast(start);
      case K.LAMBDA:
        return this.readLambda(start);
      default:
        return this.readNamed(start);
    }
  }

  /** What begins with a word that can be a name. */
  private readNamed(start: number): Expression {
    switch (this.type()) {
      case K.EXISTS:
        if (this.atQuery(2)) {
          this.take(K.EXISTS);
          return { kind: 'exists', query: this.readParenthesisedQuery(), span: this.spanFrom(start) };
        }
        break;
      case K.INTERVAL:
        if (this.atInterval()) return this.readInterval(start);
        break;
      case K.ROW:
        if (this.atCall(2)) return this.readRow(start);
        break;
      case K.COLUMNS:
        if (this.atCall(2)) return this.readColumns(start, false);
        break;
      case K.MAP:
        if (this.type(2) === LBrace) return this.readMap(start);
        break;
      case K.TRY_CAST:
        if (this.atCall(2)) return this.readCast(start);
        break;
      default:
        if (this.atSpecialCall()) return this.readSpecialCall();
        if (this.atBareFunction()) return this.readBareFunction();
    }
    if (this.atTypedLiteral()) {
      const type = this.readType();
      const textStart = this.startOffset();
      const operand: Expression = {
        kind: 'string_literal',
        value: this.readString(),
        span: this.spanFrom(textStart),
      };
      return { kind: 'cast', operand, type, try: false, span: this.spanFrom(start) };
    }
    return this.readColumnOrCall(start);
  }

  /** `a.b.c`, `t.*`, `a.f(x)` */
  private readColumnOrCall(start: number): Expression {
    const isName = this.isA(Name) || this.at(K.AT);
    if (!isName && !this.atFunctionWord()) this.fail();
    const parts: Identifier[] = [this.readLabel()];
    while (this.at(Dot)) {
      this.take(Dot);
      if (this.at(Asterisk)) return this.readStar(parts, start);
      parts.push(this.readLabel());
    }
    if (this.at(LParen)) return this.readCall(start, parts);
    if (!isName) this.fail();
    return { kind: 'column_ref', parts, span: this.spanFrom(start) };
  }

  /** A word that may only name a function: LEFT, RIGHT, MAP, STRUCT, GLOB, … */
  private atFunctionWord(): boolean {
    if (!this.atCall(2) || !this.isA(Label) || this.at(QuotedName)) return false;
    return keywordClass(this.LA(1).image) === 'type_function';
  }

  // -------------------------------------------------------------------------------------------------------------
  // Literals

  private readBlob(start: number): Expression {
    const token = this.take(BlobString);
    const hex = token.image.slice(2, -1).toUpperCase();
    if (!/^(?:[0-9A-F]{2})*$/.test(hex)) {
      const hint = "write two hexadecimal digits for each byte: x'00FF'";
      throw userError('parse', `not a binary literal: ${token.image}`, this.spanFrom(start), hint);
    }
    return { kind: 'blob_literal', hex, span: this.spanFrom(start) };
  }

  private parameterName(image: string): string {
    return image === '?' ? this.nextPositionalParameter() : image.slice(1);
  }

  /** A type name before a string: `DATE '…'`, `DECIMAL(3, 1) '…'`, `TIMESTAMP WITH TIME ZONE '…'`. */
  private atTypedLiteral(): boolean {
    if (!this.isA(Name)) return false;
    if (this.isA(AnyString, 2)) return true;
    if (this.at(K.DOUBLE, K.PRECISION)) return this.isA(AnyString, 3);
    if (this.at(K.TIMESTAMP) || this.at(K.TIME)) {
      const zone = this.type(2) === K.WITH || this.type(2) === K.WITHOUT;
      if (zone && this.type(3) === K.TIME && this.type(4) === K.ZONE) return this.isA(AnyString, 5);
    }
    if (!this.atCall(2)) return false;
    const after = this.typeAfterBracket(2);
    return after?.CATEGORIES?.includes(AnyString) ?? false;
  }

  private atInterval(): boolean {
    return this.isA(AnyString, 2) || this.type(2) === Integer || this.type(2) === Parameter || this.atCall(2);
  }

  /** `INTERVAL '1' DAY`, `INTERVAL 3 MONTHS`, `INTERVAL (x) DAY`, `INTERVAL '1 day 2 hours'` */
  private readInterval(start: number): IntervalLiteral {
    this.take(K.INTERVAL);
    const value = this.at(LParen) ? this.readParenthesis() : this.readPrimary();
    const unit = this.atIntervalUnit(1) ? this.readIntervalUnit() : null;
    if (unit !== null && this.at(K.TO) && this.atIntervalUnit(2)) {
      throw unsupported(`INTERVAL ${unit.toUpperCase()} TO`, this.nextSpan());
    }
    return { kind: 'interval_literal', value, unit, span: this.spanFrom(start) };
  }

  protected atIntervalUnit(ahead: number): boolean {
    return this.isA(Name, ahead) && INTERVAL_UNITS.has(this.LA(ahead).image.toLowerCase());
  }

  protected readIntervalUnit(): IntervalUnit {
    return INTERVAL_UNITS.get(this.take(Name).image.toLowerCase())!;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Brackets

  /**
   * Whether the parenthesis `ahead` holds a query. Behind several parentheses the innermost decides first; one further
   * out holds a query too if nothing but a set operation, ORDER BY or LIMIT follows: `((select 1) + 1)` does not.
   */
  protected atQuery(ahead: number): boolean {
    if (!this.atCall(ahead)) return false;
    let inner = ahead + 1;
    while (this.type(inner) === LParen) inner++;
    if (!this.atQueryStart(inner)) return false;
    for (let open = inner - 1; open > ahead; open--) {
      switch (this.typeAfterBracket(open)) {
        case RParen:
        case K.UNION:
        case K.INTERSECT:
        case K.EXCEPT:
        case K.ORDER:
        case K.LIMIT:
        case K.OFFSET:
        case K.FETCH:
          break;
        default:
          return false;
      }
    }
    return true;
  }

  protected atQueryStart(ahead = 1): boolean {
    switch (this.type(ahead)) {
      case K.SELECT:
      case K.WITH:
      case K.FROM:
      case K.TABLE:
        return true;
      case K.VALUES:
        return this.atCall(ahead + 1);
      default:
        return false;
    }
  }

  protected readParenthesisedQuery(): Query {
    this.take(LParen);
    const query = this.SUBRULE(this.query);
    this.take(RParen);
    return query;
  }

  /** A subquery, a row or one expression. */
  private readParenthesis(): Expression {
    const start = this.startOffset();
    if (this.atQuery(1)) {
      const query = this.readParenthesisedQuery();
      return { kind: 'scalar_subquery', query, span: this.spanFrom(start) };
    }
    this.take(LParen);
    const elements = this.readExpressions();
    this.take(RParen);
    if (elements.length === 1) return elements[0]!;
    return { kind: 'row', elements, span: this.spanFrom(start) };
  }

  private readRow(start: number): Expression {
    this.take(K.ROW);
    this.take(LParen);
    const elements = this.at(RParen) ? [] : this.readExpressions();
    this.take(RParen);
    return { kind: 'row', elements, span: this.spanFrom(start) };
  }

  /** Comma-separated expressions up to a closing bracket, which is not taken; a comma before it is allowed. */
  protected readElements(close: typeof RBracket): Expression[] {
    const elements: Expression[] = [];
    while (!this.at(close)) {
      elements.push(this.readExpression());
      if (!this.takeIf(Comma)) break;
    }
    return elements;
  }

  private readList(start: number): Expression {
    this.take(LBracket);
    const elements = this.readElements(RBracket);
    if (this.at(K.FOR) && elements.length === 1) return this.readComprehension(start, elements[0]!);
    this.take(RBracket);
    return { kind: 'list_literal', elements, span: this.spanFrom(start) };
  }

  /** `[e FOR x IN l IF c]` → list_transform(list_filter(l, x -> c), x -> e). All parts share the span of the whole. */
  private readComprehension(start: number, body: Expression): Expression {
    this.take(K.FOR);
    const parameters = this.readLambdaParameters();
    this.take(K.IN);
    let list = this.readExpression();
    const condition = this.takeIf(K.IF) ? this.readExpression() : null;
    this.take(RBracket);
    const span = this.spanFrom(start);
    if (condition !== null) {
      const keep: Expression = { kind: 'lambda', parameters, body: condition, span };
      list = this.plainCall(start, this.nameAt(start, 'list_filter'), [list, keep]);
    }
    const apply: Expression = { kind: 'lambda', parameters, body, span };
    return this.plainCall(start, this.nameAt(start, 'list_transform'), [list, apply]);
  }

  /** A name that the text does not spell out. */
  protected nameAt(start: number, name: string): Identifier {
    return { kind: 'identifier', name, span: this.spanFrom(start) };
  }

  /** `ARRAY[1, 2]`, `ARRAY(query)` */
  private readArray(start: number): Expression {
    this.take(K.ARRAY);
    if (this.at(LBracket)) return this.readList(start);
    if (!this.atQuery(1)) this.fail();
    return { kind: 'array_subquery', query: this.readParenthesisedQuery(), span: this.spanFrom(start) };
  }

  private readStruct(start: number): Expression {
    this.take(LBrace);
    const fields: StructLiteralField[] = [];
    do {
      const fieldStart = this.startOffset();
      const name = this.readLabelOrString();
      this.take(Colon);
      const value = this.readExpression();
      fields.push({ kind: 'struct_literal_field', name, value, span: this.spanFrom(fieldStart) });
    } while (this.takeIf(Comma) && !this.at(RBrace));
    this.take(RBrace);
    return { kind: 'struct_literal', fields, span: this.spanFrom(start) };
  }

  private readMap(start: number): Expression {
    this.take(K.MAP);
    this.take(LBrace);
    const entries: MapLiteralEntry[] = [];
    while (!this.at(RBrace)) {
      const key = this.readExpression();
      this.take(Colon);
      const value = this.readExpression();
      entries.push({ kind: 'map_literal_entry', key, value, span: { start: key.span.start, end: value.span.end } });
      if (!this.takeIf(Comma)) break;
    }
    this.take(RBrace);
    return { kind: 'map_literal', entries, span: this.spanFrom(start) };
  }

  // -------------------------------------------------------------------------------------------------------------
  // CASE, CAST, lambda

  private readCase(start: number): Expression {
    this.take(K.CASE);
    const operand = this.at(K.WHEN) ? null : this.readExpression();
    const branches: CaseBranch[] = [];
    do {
      const branchStart = this.startOffset();
      this.take(K.WHEN);
      const condition = this.readExpression();
      this.take(K.THEN);
      const result = this.readExpression();
      branches.push({ kind: 'case_branch', condition, result, span: this.spanFrom(branchStart) });
    } while (this.at(K.WHEN));
    const otherwise = this.takeIf(K.ELSE) ? this.readExpression() : null;
    this.take(K.END);
    return { kind: 'case', operand, branches, otherwise, span: this.spanFrom(start) };
  }

  private readCast(start: number): Expression {
    const attempt = this.take(this.type()).tokenType === K.TRY_CAST;
    this.take(LParen);
    const operand = this.readExpression();
    this.take(K.AS);
    const type: TypeName = this.readType();
    this.take(RParen);
    return { kind: 'cast', operand, type, try: attempt, span: this.spanFrom(start) };
  }

  /** `LAMBDA x, i: body` */
  private readLambda(start: number): Expression {
    this.take(K.LAMBDA);
    const parameters = this.readLambdaParameters();
    this.take(Colon);
    const body = this.readExpression();
    return { kind: 'lambda', parameters, body, span: this.spanFrom(start) };
  }

  private readLambdaParameters(): Identifier[] {
    const parenthesised = this.takeIf(LParen);
    const parameters = [this.readName()];
    while (this.takeIf(Comma)) parameters.push(this.readName());
    if (parenthesised) this.take(RParen);
    return parameters;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Stars

  protected readStar(qualifier: QualifiedName | null = null, start: number = this.startOffset()): Expression {
    this.take(Asterisk);
    if (qualifier === null && this.at(K.COLUMNS)) return this.readColumns(start, true);
    const exclude = this.readExclude();
    const replace = this.at(K.REPLACE) ? this.readReplace() : [];
    const rename = this.at(K.RENAME) ? this.readRename() : [];
    const star: Star = { kind: 'star', qualifier, exclude, replace, rename, span: this.spanFrom(start) };
    return star;
  }

  /** EXCEPT is the set operation unless a list of names follows. */
  private readExclude(): QualifiedName[] {
    const isExcept = this.at(K.EXCEPT, LParen) && this.isA(Name, 3) && !this.atQueryStart(3);
    if (!isExcept && !this.at(K.EXCLUDE)) return [];
    this.take(this.type());
    return this.readOneOrMore(() => this.readQualifiedName());
  }

  private readReplace(): StarReplacement[] {
    this.take(K.REPLACE);
    return this.readOneOrMore((): StarReplacement => {
      const start = this.startOffset();
      const expression = this.readExpression();
      this.takeIf(K.AS);
      const name = this.readLabel();
      return { kind: 'star_replacement', expression, name, span: this.spanFrom(start) };
    });
  }

  private readRename(): StarRename[] {
    this.take(K.RENAME);
    return this.readOneOrMore((): StarRename => {
      const start = this.startOffset();
      const from = this.readQualifiedName();
      this.take(K.AS);
      const to = this.readLabel();
      return { kind: 'star_rename', from, to, span: this.spanFrom(start) };
    });
  }

  /** `item` or `(item, item)` */
  private readOneOrMore<T>(read: () => T): T[] {
    if (!this.takeIf(LParen)) return [read()];
    const items: T[] = [];
    do items.push(read());
    while (this.takeIf(Comma) && !this.at(RParen));
    this.take(RParen);
    return items;
  }

  private readColumns(start: number, unpack: boolean): Columns {
    this.take(K.COLUMNS);
    this.take(LParen);
    const argument = this.at(Asterisk) ? this.readStar() : this.readExpression();
    this.take(RParen);
    return { kind: 'columns', argument, unpack, span: this.spanFrom(start) };
  }

  protected atLabelThen(type: typeof Colon): boolean {
    return (this.isA(Label) || this.isA(AnyString)) && this.type(2) === type;
  }
}
