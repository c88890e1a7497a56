import { unsupported } from '../../common/error.ts';
import { BARE_FUNCTIONS } from '../../common/keywords.ts';
import type { Argument, Expression, FunctionCall, Identifier, QualifiedName, SortItem, Window } from '../ast.ts';
import { Level } from '../precedence.ts';
import { Asterisk, ColonEquals, Comma, Dot, FatArrow, K, Label, LParen, Name, RParen } from '../tokens.ts';
import { WindowGrammar } from './window_grammar.ts';

/** Function calls: arguments, DISTINCT, ORDER BY, FILTER, OVER, and the calls with a syntax of their own. */
export abstract class CallGrammar extends WindowGrammar {
  /** `*` with its modifiers, not inside an operator. */
  protected abstract readStar(): Expression;

  /** From the opening parenthesis on. `first`: an argument written before the name, as in `x.f(a)`. */
  protected readCall(start: number, name: QualifiedName, first: Expression | null = null): FunctionCall {
    this.take(LParen);
    const distinct = this.takeIf(K.DISTINCT);
    if (!distinct) this.takeIf(K.ALL);
    const callArguments: Argument[] = first === null ? [] : [this.positionalArgument(first)];
    let orderBy: SortItem[] = [];
    if (!this.at(RParen) && !this.at(K.ORDER)) {
      do callArguments.push(this.readArgument());
      while (this.takeIf(Comma));
    }
    if (this.at(K.ORDER)) orderBy = this.SUBRULE(this.orderBy);
    const nulls = this.readNullTreatment();
    this.take(RParen);
    let withinGroup = false;
    if (this.at(K.WITHIN, K.GROUP)) {
      if (orderBy.length > 0) this.fail();
      orderBy = this.readWithinGroup();
      withinGroup = true;
    }
    const filter = this.at(K.FILTER, LParen) ? this.readFilter() : null;
    const over = this.at(K.OVER) ? this.readOver() : null;
    const call = { distinct, orderBy, withinGroup, nulls, filter, over };
    return { kind: 'function_call', name, arguments: callArguments, ...call, span: this.spanFrom(start) };
  }

  /** A call that the text writes in another way. */
  protected plainCall(start: number, name: Identifier, values: readonly Expression[]): FunctionCall {
    const rest = { distinct: false, orderBy: [], withinGroup: false, nulls: null, filter: null, over: null };
    const callArguments = values.map((value) => this.positionalArgument(value));
    return { kind: 'function_call', name: [name], arguments: callArguments, ...rest, span: this.spanFrom(start) };
  }

  private positionalArgument(value: Expression): Argument {
    return { kind: 'argument', name: null, value, span: value.span };
  }

  private readArgument(): Argument {
    const start = this.startOffset();
    let name: Identifier | null = null;
    if (this.isA(Label) && (this.type(2) === ColonEquals || this.type(2) === FatArrow)) {
      name = this.readLabel();
      this.take(this.type());
    }
    const value = this.at(Asterisk) ? this.readStar() : this.readExpression();
    return { kind: 'argument', name, value, span: this.spanFrom(start) };
  }

  private readNullTreatment(): FunctionCall['nulls'] {
    if (!this.at(K.IGNORE, K.NULLS) && !this.at(K.RESPECT, K.NULLS)) return null;
    const nulls = this.take(this.type()).tokenType === K.IGNORE ? 'ignore' : 'respect';
    this.take(K.NULLS);
    return nulls;
  }

  private readWithinGroup(): SortItem[] {
    this.take(K.WITHIN);
    this.take(K.GROUP);
    this.take(LParen);
    const orderBy = this.SUBRULE(this.orderBy);
    this.take(RParen);
    return orderBy;
  }

  private readFilter(): Expression {
    this.take(K.FILTER);
    this.take(LParen);
    this.takeIf(K.WHERE);
    const condition = this.readExpression();
    this.take(RParen);
    return condition;
  }

  private readOver(): Window {
    this.take(K.OVER);
    if (this.at(LParen)) return this.SUBRULE(this.windowSpecification);
    const base = this.readName();
    return { kind: 'window', base, partitionBy: [], orderBy: [], frame: null, span: base.span };
  }

  // -------------------------------------------------------------------------------------------------------------
  // Calls with a syntax of their own

  /** Whether a name at the start of an expression is one of those below. */
  protected atSpecialCall(): boolean {
    if (!this.atCall(2)) return false;
    switch (this.type()) {
      case K.EXTRACT:
      case K.SUBSTRING:
      case K.POSITION:
      case K.TRIM:
      case K.OVERLAY:
        return true;
      default:
        return false;
    }
  }

  protected readSpecialCall(): FunctionCall {
    const start = this.startOffset();
    const name = this.readName();
    const word = name.name.toLowerCase();
    switch (word) {
      case 'extract':
        return this.readExtract(start, name);
      case 'substring':
        return this.readSubstring(start, name);
      case 'position':
        return this.readPosition(start, name);
      case 'trim':
        return this.readTrim(start, name);
      default:
        throw unsupported(word, name.span);
    }
  }

  /** `extract(year FROM x)`, `extract('year' FROM x)` → date_part('year', x) */
  private readExtract(start: number, name: Identifier): FunctionCall {
    this.take(LParen);
    const field = this.readLabelOrString();
    this.take(K.FROM);
    const value = this.readExpression();
    this.take(RParen);
    const part: Expression = { kind: 'string_literal', value: field.name, span: field.span };
    return this.plainCall(start, { ...name, name: 'date_part' }, [part, value]);
  }

  /** `substring(x FROM a FOR b)`, `substring(x FOR b)`, `substring(x, a, b)` */
  private readSubstring(start: number, name: Identifier): FunctionCall {
    this.take(LParen);
    const values = [this.readExpression()];
    if (this.takeIf(K.FROM)) {
      values.push(this.readExpression());
      if (this.takeIf(K.FOR)) values.push(this.readExpression());
    } else if (this.at(K.FOR)) {
      values.push({ kind: 'integer_literal', text: '1', span: this.nextSpan() });
      this.take(K.FOR);
      values.push(this.readExpression());
    } else {
      while (this.takeIf(Comma)) values.push(this.readExpression());
    }
    this.take(RParen);
    return this.plainCall(start, name, values);
  }

  /** `position(a IN b)` → position(b, a) */
  private readPosition(start: number, name: Identifier): FunctionCall {
    this.take(LParen);
    const first = this.readExpression(Level.MATCH);
    let values: Expression[];
    if (this.takeIf(K.IN)) {
      values = [this.readExpression(), first];
    } else {
      values = [first];
      while (this.takeIf(Comma)) values.push(this.readExpression());
    }
    this.take(RParen);
    return this.plainCall(start, name, values);
  }

  /** `trim(x)`, `trim(x, c)`, `trim([BOTH | LEADING | TRAILING] [c] FROM x)` → trim, ltrim, rtrim (x, c) */
  private readTrim(start: number, name: Identifier): FunctionCall {
    this.take(LParen);
    let called = name;
    if (this.takeIf(K.LEADING)) called = { ...name, name: 'ltrim' };
    else if (this.takeIf(K.TRAILING)) called = { ...name, name: 'rtrim' };
    else this.takeIf(K.BOTH);
    const values: Expression[] = this.at(K.FROM) ? [] : this.readExpressions();
    if (this.takeIf(K.FROM)) values.unshift(...this.readExpressions());
    this.take(RParen);
    return this.plainCall(start, called, values);
  }

  protected atBareFunction(): boolean {
    const named = this.isA(Name) && BARE_FUNCTIONS.has(this.LA(1).image.toLowerCase());
    return named && this.type(2) !== LParen && this.type(2) !== Dot;
  }

  protected readBareFunction(): FunctionCall {
    const start = this.startOffset();
    const name = this.readName();
    return this.plainCall(start, { ...name, name: name.name.toLowerCase() }, []);
  }
}
