import { unsupported } from '../../common/error.ts';
import type {
  BinaryOperator,
  ComparisonOperator,
  Expression,
  Identifier,
  Like,
  Query,
  Select,
  Star,
  UnaryOperator,
} from '../ast.ts';
import { BINARY_LEVELS, binaryOperator, Level, RIGHT_LEVELS } from '../precedence.ts';
import {
  Asterisk,
  Colon,
  Comma,
  Dot,
  DoubleColon,
  Equals,
  ExpressionStart,
  Integer,
  K,
  LBracket,
  LParen,
  Operator,
  PrefixOperator,
  RBracket,
  RParen,
} from '../tokens.ts';
import { PrimaryGrammar } from './primary_grammar.ts';

/** Operator spellings of LIKE and its kin; they bind as other operators do. */
const LIKE_OPERATORS: Readonly<Record<string, { readonly operator: Like['operator']; readonly negated: boolean }>> = {
  '~~': { operator: 'like', negated: false },
  '!~~': { operator: 'like', negated: true },
  '~~*': { operator: 'ilike', negated: false },
  '!~~*': { operator: 'ilike', negated: true },
  '~~~': { operator: 'glob', negated: false },
};

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['=', '<>', '<', '<=', '>', '>=']);

/** Operators by precedence climbing: one loop for all levels instead of a rule a level. */
export abstract class ExpressionGrammar extends PrimaryGrammar {
  /**
   * The only rule of expressions. While chevrotain records the grammar an expression is one token of the category
   * ExpressionStart, which is all that the rules around it look at.
   */
  readonly expression = this.RULE('expression', (): Expression => {
    if (this.RECORDING_PHASE) {
      this.CONSUME(ExpressionStart);
      return { kind: 'null_literal', span: { start: 0, end: 0 } };
    }
    return this.readExpression();
  });

  /** Takes operators that bind more strongly than `above`. */
  protected readExpression(above: number = Level.LOWEST): Expression {
    this.deeper();
    const start = this.startOffset();
    let left = this.readPrefix();
    let levels = 1;
    for (;;) {
      const level = this.nextLevel();
      if (level <= above) break;
      left = this.readOperation(start, left, level);
      if (this.nextLevel() === level && doesNotChain(left, level)) this.fail();
      // The tree of `a + b + c` leans to the left: each turn is one level deeper for whoever walks it.
      this.deeper();
      levels++;
    }
    this.shallower(levels);
    return left;
  }

  /** Level of the operator that comes next, 0 when none does. */
  private nextLevel(): number {
    const token = this.LA(1);
    switch (token.tokenType) {
      case Operator:
      case PrefixOperator: {
        const operator = binaryOperator(token.image);
        if (operator !== undefined) return BINARY_LEVELS[operator];
        return Object.hasOwn(LIKE_OPERATORS, token.image) ? Level.OTHER : Level.LOWEST;
      }
      case Equals:
        return Level.COMPARE;
      case Asterisk:
        return Level.PRODUCT;
      case K.AND:
        return Level.AND;
      case K.OR:
        return Level.OR;
      case K.IS:
      case K.ISNULL:
      case K.NOTNULL:
        return Level.IS;
      case K.NOT:
        return this.isMatch(2) ? Level.MATCH : Level.LOWEST;
      case K.AT:
        return this.at(K.AT, K.TIME, K.ZONE) ? Level.AT_TIME_ZONE : Level.LOWEST;
      case K.COLLATE:
        return Level.COLLATE;
      default:
        return this.isMatch(1) ? Level.MATCH : Level.LOWEST;
    }
  }

  private isMatch(ahead: number): boolean {
    switch (this.type(ahead)) {
      case K.BETWEEN:
      case K.IN:
      case K.LIKE:
      case K.ILIKE:
      case K.GLOB:
        return true;
      case K.SIMILAR:
        return this.type(ahead + 1) === K.TO;
      default:
        return false;
    }
  }

  private readOperation(start: number, left: Expression, level: number): Expression {
    switch (level) {
      case Level.ARROW:
        return this.readArrow(start, left);
      case Level.OR:
        return this.readLogical(start, left, 'or');
      case Level.AND:
        return this.readLogical(start, left, 'and');
      case Level.IS:
        return this.readIs(start, left);
      case Level.MATCH:
        return this.readMatch(start, left);
      case Level.AT_TIME_ZONE:
        return this.readAtTimeZone(start, left);
      case Level.COLLATE: {
        this.take(K.COLLATE);
        const collation = this.readQualifiedName();
        return { kind: 'collate', operand: left, collation, span: this.spanFrom(start) };
      }
      default:
        return this.readBinary(start, left, level);
    }
  }

  // -------------------------------------------------------------------------------------------------------------
  // Prefix and postfix

  private readPrefix(): Expression {
    const start = this.startOffset();
    if (this.at(K.NOT)) {
      this.take(K.NOT);
      return this.unary(start, 'not', Level.NOT);
    }
    if (this.at(PrefixOperator)) {
      const operator = this.take(PrefixOperator).image as UnaryOperator;
      return this.unary(start, operator, operator === '-' || operator === '+' ? Level.SIGN : Level.OTHER);
    }
    return this.readPostfix(start, this.readPrimary());
  }

  private unary(start: number, operator: UnaryOperator, level: number): Expression {
    const operand = this.readExpression(level);
    return { kind: 'unary', operator, operand, span: this.spanFrom(start) };
  }

  /** `.field`, `.method(…)`, `[…]`, `::type`, any number of them. */
  private readPostfix(start: number, primary: Expression): Expression {
    let operand = primary;
    let levels = 0;
    for (;;) {
      if (this.at(Dot)) {
        this.take(Dot);
        const field = this.readLabel();
        operand = this.at(LParen)
          ? this.readCall(start, [field], operand)
          : { kind: 'field_access', operand, field, span: this.spanFrom(start) };
      } else if (this.at(LBracket)) {
        operand = this.readSubscript(start, operand);
      } else if (this.takeIf(DoubleColon)) {
        const type = this.readType();
        operand = { kind: 'cast', operand, type, try: false, span: this.spanFrom(start) };
      } else {
        this.shallower(levels);
        return operand;
      }
      this.deeper();
      levels++;
    }
  }

  private readSubscript(start: number, operand: Expression): Expression {
    this.take(LBracket);
    const from = this.at(Colon) ? null : this.readExpression();
    if (from !== null && this.takeIf(RBracket)) {
      return { kind: 'subscript', operand, index: from, span: this.spanFrom(start) };
    }
    this.take(Colon);
    let to: Expression | null = null;
    let step: Expression | null = null;
    const openEnd = this.at(PrefixOperator) && this.LA(1).image === '-' && this.type(2) === Colon;
    if (openEnd) this.take(PrefixOperator);
    else if (!this.at(RBracket) && !this.at(Colon)) to = this.readExpression();
    if (this.takeIf(Colon) && !this.at(RBracket)) step = this.readExpression();
    this.take(RBracket);
    return { kind: 'slice', operand, from, to, step, span: this.spanFrom(start) };
  }

  // -------------------------------------------------------------------------------------------------------------
  // Infix

  private readBinary(start: number, left: Expression, level: number): Expression {
    const token = this.take(this.type());
    const operatorSpan = { start: token.startOffset, end: token.startOffset + token.image.length };
    if (Object.hasOwn(LIKE_OPERATORS, token.image)) {
      const pattern = this.readExpression(level);
      const like = LIKE_OPERATORS[token.image]!;
      return { kind: 'like', ...like, operand: left, pattern, escape: null, span: this.spanFrom(start) };
    }
    const operator = binaryOperator(token.image)!;
    if (COMPARISONS.has(operator) && this.atQuantifier()) {
      return this.readQuantified(start, left, operator as ComparisonOperator);
    }
    const bareInterval = level === Level.SUM && this.atBareInterval();
    const right = bareInterval ? this.readBareInterval() : this.readExpression(RIGHT_LEVELS[operator] ?? level);
    return { kind: 'binary', operator, left, right, operatorSpan, span: this.spanFrom(start) };
  }

  /** `+ 5 days`, without the word INTERVAL */
  private atBareInterval(): boolean {
    return this.at(Integer) && this.atIntervalUnit(2) && !this.atCall(3);
  }

  private readBareInterval(): Expression {
    const start = this.startOffset();
    const value = this.readPrimary();
    return { kind: 'interval_literal', value, unit: this.readIntervalUnit(), span: this.spanFrom(start) };
  }

  private atQuantifier(): boolean {
    return (this.at(K.ANY) || this.at(K.SOME) || this.at(K.ALL)) && this.atCall(2);
  }

  private readQuantified(start: number, operand: Expression, operator: ComparisonOperator): Expression {
    const quantifier = this.take(this.type()).tokenType === K.ALL ? 'all' : 'any';
    const query = this.atQuery(1) ? this.readParenthesisedQuery() : this.readListQuery();
    return { kind: 'quantified_comparison', operator, quantifier, operand, query, span: this.spanFrom(start) };
  }

  /** `(list)` as `SELECT unnest(list)` */
  private readListQuery(): Query {
    const start = this.startOffset();
    this.take(LParen);
    const list = this.readExpression();
    this.take(RParen);
    const span = this.spanFrom(start);
    const expression = this.plainCall(start, this.nameAt(start, 'unnest'), [list]);
    const body: Select = {
      kind: 'select',
      distinct: null,
      items: [{ kind: 'select_item', expression, alias: null, span }],
      from: null,
      where: null,
      groupBy: null,
      having: null,
      qualify: null,
      windows: [],
      span,
    };
    return { kind: 'query', recursive: false, with: [], body, orderBy: [], limit: null, offset: null, span };
  }

  /** AND and OR take all their operands at once, so that a long chain is not a deep tree. */
  private readLogical(start: number, left: Expression, operator: 'and' | 'or'): Expression {
    const word = operator === 'and' ? K.AND : K.OR;
    const operands: Expression[] = [];
    const add = (operand: Expression): void => {
      if (operand.kind !== 'logical' || operand.operator !== operator) operands.push(operand);
      else for (const inner of operand.operands) operands.push(inner);
    };
    add(left);
    while (this.takeIf(word)) add(this.readExpression(operator === 'and' ? Level.AND : Level.OR));
    return { kind: 'logical', operator, operands, span: this.spanFrom(start) };
  }

  /** `->`: a lambda when names stand on the left, else access to JSON, as `->>` always is. */
  private readArrow(start: number, left: Expression): Expression {
    const parameters = this.LA(1).image === '->' ? lambdaParameters(left) : undefined;
    if (parameters === undefined) return this.readBinary(start, left, Level.ARROW);
    this.take(Operator);
    const body = this.readExpression(Level.LOWEST);
    return { kind: 'lambda', parameters, body, span: this.spanFrom(start) };
  }

  private readAtTimeZone(start: number, left: Expression): Expression {
    const nameStart = this.startOffset();
    this.take(K.AT);
    this.take(K.TIME);
    this.take(K.ZONE);
    const name = this.nameAt(nameStart, 'timezone');
    const zone = this.readExpression(Level.AT_TIME_ZONE);
    return this.plainCall(start, name, [zone, left]);
  }

  private readIs(start: number, operand: Expression): Expression {
    if (this.takeIf(K.ISNULL)) return { kind: 'is_null', operand, negated: false, span: this.spanFrom(start) };
    if (this.takeIf(K.NOTNULL)) return { kind: 'is_null', operand, negated: true, span: this.spanFrom(start) };
    const wordStart = this.startOffset();
    this.take(K.IS);
    const negated = this.takeIf(K.NOT);
    switch (this.type()) {
      case K.NULL:
      case K.UNKNOWN:
        this.take(this.type());
        return { kind: 'is_null', operand, negated, span: this.spanFrom(start) };
      case K.TRUE:
      case K.FALSE: {
        const value = this.take(this.type()).tokenType === K.TRUE;
        return { kind: 'is_boolean', operand, value, negated, span: this.spanFrom(start) };
      }
      default: {
        this.take(K.DISTINCT);
        this.take(K.FROM);
        const operatorSpan = this.spanFrom(wordStart);
        const right = this.readExpression(Level.IS);
        const operator = negated ? 'is_not_distinct_from' : 'is_distinct_from';
        return { kind: 'binary', operator, left: operand, right, operatorSpan, span: this.spanFrom(start) };
      }
    }
  }

  private readMatch(start: number, operand: Expression): Expression {
    const negated = this.takeIf(K.NOT);
    switch (this.type()) {
      case K.BETWEEN: {
        this.take(K.BETWEEN);
        if (this.at(K.SYMMETRIC)) throw unsupported('BETWEEN SYMMETRIC', this.nextSpan());
        const low = this.readExpression(Level.MATCH);
        this.take(K.AND);
        const high = this.readExpression(Level.MATCH);
        return { kind: 'between', operand, low, high, negated, span: this.spanFrom(start) };
      }
      case K.IN:
        return this.readIn(start, operand, negated);
      default:
        return this.readLike(start, operand, negated);
    }
  }

  private readIn(start: number, operand: Expression, negated: boolean): Expression {
    this.take(K.IN);
    if (this.atQuery(1)) {
      const query = this.readParenthesisedQuery();
      return { kind: 'in_subquery', operand, query, negated, span: this.spanFrom(start) };
    }
    if (this.at(LParen)) {
      this.take(LParen);
      const items = [this.readExpression()];
      while (this.takeIf(Comma) && !this.at(RParen)) items.push(this.readExpression());
      this.take(RParen);
      return { kind: 'in_list', operand, items, negated, span: this.spanFrom(start) };
    }
    const list = this.readExpression(Level.SIGN);
    const call = this.plainCall(start, this.nameAt(start, 'contains'), [list, operand]);
    return negated ? { kind: 'unary', operator: 'not', operand: call, span: call.span } : call;
  }

  private readLike(start: number, operand: Expression, negated: boolean): Expression {
    const word = this.take(this.type()).tokenType;
    let operator: Like['operator'] = 'like';
    if (word === K.ILIKE) operator = 'ilike';
    else if (word === K.GLOB) operator = 'glob';
    else if (word === K.SIMILAR) {
      this.take(K.TO);
      operator = 'similar_to';
    }
    if (this.atQuantifier()) throw unsupported(`${operator.toUpperCase()} ANY`, this.nextSpan());
    const pattern = this.readExpression(Level.MATCH);
    const escapeWith = this.takeIf(K.ESCAPE) ? this.readExpression(Level.MATCH) : null;
    if (operand.kind !== 'star') {
      return { kind: 'like', operator, operand, pattern, escape: escapeWith, negated, span: this.spanFrom(start) };
    }
    return this.matchingColumns(start, operand, { operator, pattern, escape: escapeWith, negated });
  }

  /** `*` or `t.*`, alone or before LIKE and its kin. */
  protected readStarOrMatchingColumns(): Expression {
    const start = this.startOffset();
    const star = this.readStar();
    return this.nextLevel() === Level.MATCH ? this.readMatch(start, star) : star;
  }

  /** `* LIKE 'p'` → COLUMNS(c -> c LIKE 'p') */
  private matchingColumns(
    start: number,
    star: Star,
    like: Pick<Like, 'operator' | 'pattern' | 'escape' | 'negated'>,
  ): Expression {
    if (star.qualifier !== null) throw unsupported('LIKE on the columns of one table', star.span);
    const changed = star.exclude.length + star.replace.length + star.rename.length > 0;
    if (changed) throw unsupported('LIKE after EXCLUDE, REPLACE or RENAME', star.span);
    const span = this.spanFrom(start);
    const name: Identifier = { kind: 'identifier', name: 'c', span: star.span };
    const operand: Expression = { kind: 'column_ref', parts: [name], span: star.span };
    const body: Expression = { kind: 'like', operand, ...like, span };
    return { kind: 'columns', argument: { kind: 'lambda', parameters: [name], body, span }, unpack: false, span };
  }
}

/** `a < b < c`, `a LIKE b LIKE c` and `a BETWEEN b AND c BETWEEN d AND e` are errors; `a IN (b) IN (c)` is none. */
function doesNotChain(operation: Expression, level: number): boolean {
  if (level === Level.COMPARE) return operation.kind === 'binary';
  return level === Level.MATCH && (operation.kind === 'between' || operation.kind === 'like');
}

/** Names of `x` and `(x, i)`; undefined for anything else. */
function lambdaParameters(left: Expression): Identifier[] | undefined {
  const elements = left.kind === 'row' ? left.elements : [left];
  const names: Identifier[] = [];
  for (const element of elements) {
    if (element.kind !== 'column_ref' || element.parts.length !== 1) return undefined;
    names.push(element.parts[0]!);
  }
  return names.length > 0 ? names : undefined;
}
