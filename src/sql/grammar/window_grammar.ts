import type { ParserMethod } from 'chevrotain';
import type { Expression, FrameBound, Identifier, Query, SortItem, Window, WindowFrame } from '../ast.ts';
import { Asterisk, Comma, ExpressionStart, K, LParen, Name, RParen } from '../tokens.ts';
import { meaning } from './token_reader.ts';
import { TypeGrammar } from './type_grammar.ts';

/** ORDER BY, window specifications and frames. */
export abstract class WindowGrammar extends TypeGrammar {
  abstract readonly expression: ParserMethod<[], Expression>;
  abstract readonly query: ParserMethod<[], Query>;

  /** `level`: only operators that bind more strongly are taken. */
  protected abstract readExpression(level?: number): Expression;

  /** Expressions until something else than a comma follows. */
  protected readExpressions(): Expression[] {
    const expressions = [this.readExpression()];
    while (this.takeIf(Comma)) expressions.push(this.readExpression());
    return expressions;
  }

  readonly orderBy = this.RULE('orderBy', (): SortItem[] => {
    const items: SortItem[] = [];
    this.CONSUME(K.ORDER);
    this.CONSUME(K.BY);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.sortItem)) });
    return items;
  });

  protected readonly sortItem = this.RULE('sortItem', (): SortItem => {
    const start = this.startOffset();
    let direction: SortItem['direction'] = null;
    let nulls: SortItem['nulls'] = null;
    const expression = this.OR([
      { ALT: () => this.SUBRULE(this.allColumns) },
      { ALT: () => this.SUBRULE(this.expression) },
    ]);
    this.OPTION(() => {
      direction = this.OR2([
        { ALT: () => meaning(this.CONSUME(K.ASC), 'asc' as const) },
        { ALT: () => meaning(this.CONSUME(K.DESC), 'desc' as const) },
      ]);
    });
    this.OPTION2(() => {
      this.CONSUME(K.NULLS);
      nulls = this.OR3([
        { ALT: () => meaning(this.CONSUME(K.FIRST), 'first' as const) },
        { ALT: () => meaning(this.CONSUME(K.LAST), 'last' as const) },
      ]);
    });
    return { kind: 'sort_item', expression, direction, nulls, span: this.spanFrom(start) };
  });

  /** ORDER BY ALL, ORDER BY * */
  private readonly allColumns = this.RULE('allColumns', (): Expression => {
    const start = this.startOffset();
    this.OR([{ ALT: () => this.CONSUME(K.ALL) }, { ALT: () => this.CONSUME(Asterisk) }]);
    return { kind: 'star', qualifier: null, exclude: [], replace: [], rename: [], span: this.spanFrom(start) };
  });

  /** `(base PARTITION BY … ORDER BY … frame)` */
  readonly windowSpecification = this.RULE('windowSpecification', (): Window => {
    const start = this.startOffset();
    let base: Identifier | null = null;
    const partitionBy: Expression[] = [];
    let orderBy: SortItem[] = [];
    let frame: WindowFrame | null = null;
    this.CONSUME(LParen);
    this.OPTION({
      GATE: () => !this.atWindowClause(),
      DEF: () => {
        base = this.identifierOf(this.CONSUME(Name));
      },
    });
    this.OPTION2(() => {
      this.CONSUME(K.PARTITION);
      this.CONSUME(K.BY);
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => partitionBy.push(this.SUBRULE(this.expression)) });
    });
    this.OPTION3(() => {
      orderBy = this.SUBRULE(this.orderBy);
    });
    this.OPTION4(() => {
      frame = this.SUBRULE(this.windowFrame);
    });
    this.CONSUME(RParen);
    return { kind: 'window', base, partitionBy, orderBy, frame, span: this.spanFrom(start) };
  });

  /** These words begin a clause here, though they are names elsewhere. */
  private atWindowClause(): boolean {
    return this.at(K.PARTITION) || this.at(K.ROWS) || this.at(K.RANGE) || this.at(K.GROUPS);
  }

  private readonly windowFrame = this.RULE('windowFrame', (): WindowFrame => {
    const start = this.startOffset();
    const unit = this.OR([
      { ALT: () => meaning(this.CONSUME(K.ROWS), 'rows' as const) },
      { ALT: () => meaning(this.CONSUME(K.RANGE), 'range' as const) },
      { ALT: () => meaning(this.CONSUME(K.GROUPS), 'groups' as const) },
    ]);
    const bounds = this.OR2([
      {
        ALT: () => {
          this.CONSUME(K.BETWEEN);
          const from = this.SUBRULE(this.frameBound);
          this.CONSUME(K.AND);
          return [from, this.SUBRULE2(this.frameBound)] as const;
        },
      },
      {
        ALT: () => {
          const from = this.SUBRULE3(this.frameBound);
          const end: FrameBound = { kind: 'frame_bound', bound: 'current_row', offset: null, span: from.span };
          return [from, end] as const;
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
    let exclude: WindowFrame['exclude'] = 'no_others';
    this.OPTION(() => {
      exclude = this.SUBRULE(this.frameExclusion);
    });
    return { kind: 'window_frame', unit, start: bounds[0], end: bounds[1], exclude, span: this.spanFrom(start) };
  });

  /** UNBOUNDED PRECEDING, CURRENT ROW, n FOLLOWING: by hand, since UNBOUNDED and CURRENT may be columns as well. */
  private readonly frameBound = this.RULE('frameBound', (): FrameBound => {
    if (this.RECORDING_PHASE) {
      this.CONSUME(ExpressionStart);
      return { kind: 'frame_bound', bound: 'current_row', offset: null, span: { start: 0, end: 0 } };
    }
    const start = this.startOffset();
    let offset: Expression | null = null;
    let bound: FrameBound['bound'];
    if (this.at(K.CURRENT, K.ROW)) {
      this.take(K.CURRENT);
      this.take(K.ROW);
      bound = 'current_row';
    } else if (this.at(K.UNBOUNDED)) {
      this.take(K.UNBOUNDED);
      bound = `unbounded_${this.readFrameSide()}`;
    } else {
      offset = this.readExpression();
      bound = this.readFrameSide();
    }
    return { kind: 'frame_bound', bound, offset, span: this.spanFrom(start) };
  });

  private readFrameSide(): 'preceding' | 'following' {
    if (this.takeIf(K.PRECEDING)) return 'preceding';
    this.take(K.FOLLOWING);
    return 'following';
  }

  private readonly frameExclusion = this.RULE('frameExclusion', (): WindowFrame['exclude'] => {
    this.CONSUME(K.EXCLUDE);
    return this.OR<WindowFrame['exclude']>([
      {
        ALT: () => {
          this.CONSUME(K.NO);
          return meaning(this.CONSUME(K.OTHERS), 'no_others');
        },
      },
      {
        ALT: () => {
          this.CONSUME(K.CURRENT);
          return meaning(this.CONSUME(K.ROW), 'current_row');
        },
      },
      { ALT: () => meaning(this.CONSUME(K.GROUP), 'group') },
      { ALT: () => meaning(this.CONSUME(K.TIES), 'ties') },
    ]);
  });
}
