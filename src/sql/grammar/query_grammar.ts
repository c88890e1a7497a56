import { unsupported } from '../../common/error.ts';
import type {
  CommonTable,
  Distinct,
  Expression,
  GroupBy,
  GroupItem,
  GroupSet,
  Identifier,
  NamedWindow,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperation,
  SortItem,
  TableRef,
  Values,
} from '../ast.ts';
import {
  Asterisk,
  Colon,
  Comma,
  Decimal,
  ExpressionStart,
  Integer,
  K,
  LParen,
  Name,
  Operator,
  RParen,
} from '../tokens.ts';
import { FromGrammar } from './from_grammar.ts';
import { meaning } from './token_reader.ts';

interface SelectList {
  readonly distinct: Distinct | null;
  readonly items: readonly SelectItem[];
}

/** WITH, set operations, SELECT and its clauses. */
export abstract class QueryGrammar extends FromGrammar {
  override readonly query = this.RULE('query', (): Query => {
    const start = this.startOffset();
    let recursive = false;
    const commonTables: CommonTable[] = [];
    let orderBy: SortItem[] = [];
    this.ACTION(() => this.deeperQuery());
    this.OPTION(() => {
      this.CONSUME(K.WITH);
      this.OPTION2({
        GATE: () => this.isA(Name, 2),
        DEF: () => {
          this.CONSUME(K.RECURSIVE);
          recursive = true;
        },
      });
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => commonTables.push(this.SUBRULE(this.commonTable)) });
    });
    const body = this.SUBRULE(this.unionChain);
    this.OPTION3(() => {
      orderBy = this.SUBRULE(this.orderBy);
    });
    const { limit, offset } = this.SUBRULE(this.limitClauses);
    this.ACTION(() => this.shallowerQuery());
    return { kind: 'query', recursive, with: commonTables, body, orderBy, limit, offset, span: this.spanFrom(start) };
  });

  private readonly commonTable = this.RULE('commonTable', (): CommonTable => {
    const start = this.startOffset();
    const columns: Identifier[] = [];
    let materialized: boolean | null = null;
    const name = this.identifierOf(this.CONSUME(Name));
    this.OPTION(() => {
      this.CONSUME(LParen);
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => columns.push(this.identifierOf(this.CONSUME2(Name))) });
      this.CONSUME(RParen);
    });
    this.ACTION(() => {
      if (this.at(K.USING)) throw unsupported('USING KEY', this.nextSpan());
    });
    this.CONSUME(K.AS);
    this.OPTION2(() => {
      const not = this.OPTION3(() => this.CONSUME(K.NOT));
      this.CONSUME(K.MATERIALIZED);
      materialized = not === undefined;
    });
    this.CONSUME2(LParen);
    const query = this.SUBRULE(this.query);
    this.CONSUME2(RParen);
    return { kind: 'common_table', name, columns, materialized, query, span: this.spanFrom(start) };
  });

  // -------------------------------------------------------------------------------------------------------------
  // Set operations: INTERSECT binds tighter than UNION and EXCEPT; all from left to right

  private readonly unionChain = this.RULE('unionChain', (): QueryBody => {
    let body = this.SUBRULE(this.intersectChain);
    let levels = 0;
    this.MANY(() => {
      const operator = this.OR<SetOperation['operator']>([
        { ALT: () => meaning(this.CONSUME(K.UNION), 'union') },
        { ALT: () => meaning(this.CONSUME(K.EXCEPT), 'except') },
      ]);
      const how = this.SUBRULE(this.setQuantifier);
      const right = this.SUBRULE2(this.intersectChain);
      body = this.setOperation(operator, how, body, right);
      this.ACTION(() => this.deeper());
      levels++;
    });
    this.ACTION(() => this.shallower(levels));
    return body;
  });

  private readonly intersectChain = this.RULE('intersectChain', (): QueryBody => {
    let body = this.SUBRULE(this.queryPrimary);
    let levels = 0;
    this.MANY(() => {
      this.CONSUME(K.INTERSECT);
      const how = this.SUBRULE(this.setQuantifier);
      const right = this.SUBRULE2(this.queryPrimary);
      body = this.setOperation('intersect', how, body, right);
      this.ACTION(() => this.deeper());
      levels++;
    });
    this.ACTION(() => this.shallower(levels));
    return body;
  });

  private setOperation(
    operator: SetOperation['operator'],
    how: { all: boolean; byName: boolean },
    left: QueryBody,
    right: QueryBody,
  ): QueryBody {
    const span = this.RECORDING_PHASE ? { start: 0, end: 0 } : { start: left.span.start, end: right.span.end };
    return { kind: 'set_operation', operator, all: how.all, byName: how.byName, left, right, span };
  }

  /** `ALL`, `DISTINCT`, `BY NAME` */
  private readonly setQuantifier = this.RULE('setQuantifier', () => {
    let all = false;
    let byName = false;
    this.OPTION(() => {
      all = this.OR([
        { ALT: () => meaning(this.CONSUME(K.ALL), true) },
        { ALT: () => meaning(this.CONSUME(K.DISTINCT), false) },
      ]);
    });
    this.OPTION2(() => {
      this.CONSUME(K.BY);
      this.CONSUME(K.NAME);
      byName = true;
    });
    return { all, byName };
  });

  private readonly queryPrimary = this.RULE('queryPrimary', (): QueryBody => {
    return this.OR<QueryBody>([
      {
        ALT: () => {
          this.CONSUME(LParen);
          const query = this.SUBRULE(this.query);
          this.CONSUME(RParen);
          return this.withoutParentheses(query);
        },
      },
      { ALT: () => this.SUBRULE(this.values) },
      { ALT: () => this.SUBRULE(this.tableCommand) },
      { ALT: () => this.SUBRULE(this.select) },
    ]);
  });

  private withoutParentheses(query: Query): QueryBody {
    const plain = query.with?.length === 0 && query.orderBy.length === 0 && query.limit === null;
    return plain && query.offset === null ? query.body : query;
  }

  override readonly values = this.RULE('values', (): Values => {
    const start = this.startOffset();
    const rows: Expression[][] = [];
    this.CONSUME(K.VALUES);
    this.AT_LEAST_ONE_SEP({
      SEP: Comma,
      DEF: () => {
        const row: Expression[] = [];
        this.CONSUME(LParen);
        this.AT_LEAST_ONE_SEP2({ SEP: Comma, DEF: () => row.push(this.SUBRULE(this.expression)) });
        this.CONSUME(RParen);
        rows.push(row);
      },
    });
    return { kind: 'values', rows, span: this.spanFrom(start) };
  });

  /** `TABLE t` is `SELECT * FROM t` */
  private readonly tableCommand = this.RULE('tableCommand', (): Select => {
    const start = this.startOffset();
    this.CONSUME(K.TABLE);
    const from = this.SUBRULE(this.tablePrimary);
    return this.selectFrom(start, from);
  });

  /** `SELECT * FROM table` of a text that does not spell it out. */
  protected selectFrom(start: number, from: TableRef, columns: readonly Identifier[] = []): Select {
    const span = this.spanFrom(start);
    const items: SelectItem[] = columns.map((column) => ({
      kind: 'select_item',
      expression: { kind: 'column_ref', parts: [column], span: column.span },
      alias: null,
      span: column.span,
    }));
    if (items.length === 0) items.push(this.starItem(start));
    const empty = { distinct: null, where: null, groupBy: null, having: null, qualify: null, windows: [] };
    return { kind: 'select', ...empty, items, from, span };
  }

  private starItem(start: number): SelectItem {
    const span = this.spanFrom(start);
    const expression: Expression = { kind: 'star', qualifier: null, exclude: [], replace: [], rename: [], span };
    return { kind: 'select_item', expression, alias: null, span };
  }

  // -------------------------------------------------------------------------------------------------------------
  // SELECT

  /** `SELECT … FROM …`, `FROM … SELECT …` or `FROM …` alone, and the clauses that follow. */
  private readonly select = this.RULE('select', (): Select => {
    const start = this.startOffset();
    let list: SelectList | undefined;
    let from: TableRef | null = null;
    let where: Expression | null = null;
    let groupBy: GroupBy | null = null;
    let having: Expression | null = null;
    let qualify: Expression | null = null;
    const windows: NamedWindow[] = [];
    this.OR([
      {
        ALT: () => {
          list = this.SUBRULE(this.selectList);
          this.ACTION(() => this.refuseInto());
          this.OPTION(() => {
            from = this.SUBRULE(this.fromClause);
          });
        },
      },
      {
        ALT: () => {
          from = this.SUBRULE2(this.fromClause);
          this.OPTION2(() => {
            list = this.SUBRULE2(this.selectList);
          });
        },
      },
    ]);
    const items = list ?? { distinct: null, items: [this.starItem(start)] };
    this.OPTION3(() => {
      this.CONSUME(K.WHERE);
      where = this.SUBRULE(this.expression);
    });
    this.OPTION4(() => {
      groupBy = this.SUBRULE(this.groupBy);
    });
    this.OPTION5(() => {
      this.CONSUME(K.HAVING);
      having = this.SUBRULE2(this.expression);
    });
    this.MANY(() => {
      this.OR2([
        {
          GATE: () => windows.length === 0,
          ALT: () => {
            this.CONSUME(K.WINDOW);
            this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => windows.push(this.SUBRULE(this.namedWindow)) });
          },
        },
        {
          GATE: () => qualify === null,
          ALT: () => {
            this.CONSUME(K.QUALIFY);
            qualify = this.SUBRULE3(this.expression);
          },
        },
      ]);
    });
    this.ACTION(() => {
      if (this.at(K.USING) && this.atWord('SAMPLE', 2)) throw unsupported('USING SAMPLE', this.nextSpan());
    });
    const clauses = { from, where, groupBy, having, qualify, windows };
    return { kind: 'select', ...items, ...clauses, span: this.spanFrom(start) };
  });

  private refuseInto(): void {
    if (this.atWord('INTO')) throw unsupported('SELECT INTO', this.nextSpan());
  }

  private readonly selectList = this.RULE('selectList', (): SelectList => {
    let distinct: Distinct | null = null;
    const items: SelectItem[] = [];
    this.CONSUME(K.SELECT);
    this.OPTION(() => {
      this.OR([
        { ALT: () => this.CONSUME(K.ALL) },
        {
          ALT: () => {
            distinct = this.SUBRULE(this.distinct);
          },
        },
      ]);
    });
    items.push(this.SUBRULE(this.selectItem));
    this.MANY({
      GATE: () => !this.atTrailingComma(),
      DEF: () => {
        this.CONSUME(Comma);
        items.push(this.SUBRULE2(this.selectItem));
      },
    });
    this.OPTION2(() => this.CONSUME2(Comma));
    return { distinct, items };
  });

  /** A comma after the last item, with no item behind it: allowed, as in DuckDB. */
  private atTrailingComma(): boolean {
    return !this.isA(ExpressionStart, 2) && this.type(2) !== Asterisk && this.type(3) !== Colon;
  }

  private readonly distinct = this.RULE('distinct', (): Distinct => {
    const start = this.startOffset();
    const on: Expression[] = [];
    this.CONSUME(K.DISTINCT);
    this.OPTION(() => {
      this.CONSUME(K.ON);
      this.CONSUME(LParen);
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => on.push(this.SUBRULE(this.expression)) });
      this.CONSUME(RParen);
    });
    return { kind: 'distinct', on, span: this.spanFrom(start) };
  });

  private readonly selectItem = this.RULE('selectItem', (): SelectItem => {
    if (this.RECORDING_PHASE) {
      this.OR([{ ALT: () => this.CONSUME(Asterisk) }, { ALT: () => this.CONSUME(ExpressionStart) }]);
      return this.starItem(0);
    }
    const start = this.startOffset();
    let alias: Identifier | null = null;
    if (this.atLabelThen(Colon)) {
      alias = this.readLabelOrString();
      this.take(Colon);
    }
    const expression = this.at(Asterisk) ? this.readStarOrMatchingColumns() : this.readExpression();
    if (expression.kind === 'star') {
      if (alias !== null || this.at(K.AS)) this.fail('a star has no alias');
      return { kind: 'select_item', expression, alias, span: this.spanFrom(start) };
    }
    if (alias === null && this.takeIf(K.AS)) alias = this.readLabelOrString();
    else if (alias === null && this.atBareAlias()) alias = this.readLabel();
    return { kind: 'select_item', expression, alias, span: this.spanFrom(start) };
  });

  /** Any word that is no keyword, and those keywords that cannot go on here. */
  private atBareAlias(): boolean {
    return this.isA(Name) || this.at(K.AT);
  }

  private readonly namedWindow = this.RULE('namedWindow', (): NamedWindow => {
    const start = this.startOffset();
    const name = this.identifierOf(this.CONSUME(Name));
    this.CONSUME(K.AS);
    const window = this.SUBRULE(this.windowSpecification);
    return { kind: 'named_window', name, window, span: this.spanFrom(start) };
  });

  // -------------------------------------------------------------------------------------------------------------
  // GROUP BY

  private readonly groupBy = this.RULE('groupBy', (): GroupBy => {
    const start = this.startOffset();
    let all = false;
    const items: GroupItem[] = [];
    this.CONSUME(K.GROUP);
    this.CONSUME(K.BY);
    this.OR([
      {
        ALT: () => {
          this.OR2([{ ALT: () => this.CONSUME(K.ALL) }, { ALT: () => this.CONSUME(Asterisk) }]);
          all = true;
        },
      },
      {
        ALT: () => {
          items.push(this.SUBRULE(this.groupItem));
          this.MANY({
            GATE: () => this.isA(ExpressionStart, 2),
            DEF: () => {
              this.CONSUME(Comma);
              items.push(this.SUBRULE2(this.groupItem));
            },
          });
          this.OPTION(() => this.CONSUME2(Comma));
        },
      },
    ]);
    return { kind: 'group_by', all, items, span: this.spanFrom(start) };
  });

  private readonly groupItem = this.RULE('groupItem', (): GroupItem => {
    if (this.RECORDING_PHASE) {
      this.CONSUME(ExpressionStart);
      return { kind: 'group_set', expressions: [], span: { start: 0, end: 0 } };
    }
    return this.readGroupItem();
  });

  private readGroupItem(): GroupItem {
    this.deeper();
    const item = this.readAnyGroupItem();
    this.shallower();
    return item;
  }

  private readAnyGroupItem(): GroupItem {
    const start = this.startOffset();
    if ((this.at(K.ROLLUP) || this.at(K.CUBE)) && this.atCall(2)) {
      const kind = this.take(this.type()).tokenType === K.ROLLUP ? 'rollup' : 'cube';
      const sets: GroupSet[] = [];
      this.take(LParen);
      do sets.push(this.readGroupSet());
      while (this.takeIf(Comma) && !this.at(RParen));
      this.take(RParen);
      return { kind, sets, span: this.spanFrom(start) };
    }
    if (this.at(K.GROUPING, K.SETS)) {
      this.take(K.GROUPING);
      this.take(K.SETS);
      const items: GroupItem[] = [];
      this.take(LParen);
      do items.push(this.readGroupItem());
      while (this.takeIf(Comma) && !this.at(RParen));
      this.take(RParen);
      return { kind: 'grouping_sets', items, span: this.spanFrom(start) };
    }
    return this.readGroupSet();
  }

  /** `a`, `(a, b)` or `()` */
  private readGroupSet(): GroupSet {
    const start = this.startOffset();
    if (this.at(LParen, RParen)) {
      this.take(LParen);
      this.take(RParen);
      return { kind: 'group_set', expressions: [], span: this.spanFrom(start) };
    }
    const isRow = !this.at(K.ROW);
    const expression = this.readExpression();
    const expressions = expression.kind === 'row' && isRow ? expression.elements : [expression];
    return { kind: 'group_set', expressions, span: this.spanFrom(start) };
  }

  // -------------------------------------------------------------------------------------------------------------
  // LIMIT

  /** `LIMIT n OFFSET m` in either order, `FETCH FIRST n ROWS ONLY`; `LIMIT ALL` is no limit. */
  private readonly limitClauses = this.RULE('limitClauses', () => {
    let limit: Expression | null = null;
    let offset: Expression | null = null;
    this.MANY(() => {
      this.OR([
        {
          GATE: () => limit === null,
          ALT: () => {
            this.CONSUME(K.LIMIT);
            this.OR2([
              { ALT: () => this.CONSUME(K.ALL) },
              {
                ALT: () => {
                  this.ACTION(() => this.refusePercent());
                  limit = this.SUBRULE(this.expression);
                },
              },
            ]);
          },
        },
        {
          GATE: () => offset === null,
          ALT: () => {
            this.CONSUME(K.OFFSET);
            offset = this.SUBRULE2(this.expression);
            this.OPTION(() => this.OR3([{ ALT: () => this.CONSUME(K.ROW) }, { ALT: () => this.CONSUME(K.ROWS) }]));
          },
        },
        {
          GATE: () => limit === null,
          ALT: () => {
            limit = this.SUBRULE(this.fetchClause);
          },
        },
      ]);
    });
    return { limit, offset };
  });

  private refusePercent(): void {
    const number = this.at(Integer) || this.at(Decimal);
    const percent = this.type(2) === K.PERCENT || (this.type(2) === Operator && this.LA(2).image === '%');
    const more = this.isA(ExpressionStart, 3);
    if (number && percent && !more) throw unsupported('LIMIT in percent', this.nextSpan());
  }

  private readonly fetchClause = this.RULE('fetchClause', (): Expression => {
    const start = this.startOffset();
    this.CONSUME(K.FETCH);
    this.OR([{ ALT: () => this.CONSUME(K.FIRST) }, { ALT: () => this.CONSUME(K.NEXT) }]);
    let limit: Expression | undefined;
    this.OPTION({
      GATE: () => !this.at(K.ROW) && !this.at(K.ROWS),
      DEF: () => {
        limit = this.SUBRULE(this.expression);
      },
    });
    this.OR2([{ ALT: () => this.CONSUME(K.ROW) }, { ALT: () => this.CONSUME(K.ROWS) }]);
    this.CONSUME(K.ONLY);
    return limit ?? { kind: 'integer_literal', text: '1', span: this.spanFrom(start) };
  });
}
