import type { ParserMethod } from 'chevrotain';
import { unsupported } from '../../common/error.ts';
import type {
  Argument,
  Identifier,
  Join,
  JoinCondition,
  Query,
  StatementTable,
  TableAlias,
  TableFunction,
  TableRef,
  Values,
} from '../ast.ts';
import { AnyString, Colon, Comma, K, LParen, Name, RParen } from '../tokens.ts';
import { ExpressionGrammar } from './expression_grammar.ts';
import { meaning } from './token_reader.ts';

/** The FROM clause: tables, files, functions, subqueries, joins. */
export abstract class FromGrammar extends ExpressionGrammar {
  /** DESCRIBE, SUMMARIZE and SHOW, which may stand in parentheses as a table. */
  abstract readonly metadataStatement: ParserMethod<[], StatementTable['statement']>;
  abstract readonly values: ParserMethod<[], Values>;

  /** `a, b JOIN c ON …`: a comma is a cross join that binds weaker than JOIN. */
  readonly fromClause = this.RULE('fromClause', (): TableRef => {
    this.CONSUME(K.FROM);
    let table = this.SUBRULE(this.tableRef);
    let levels = 0;
    this.MANY({
      GATE: () => this.atTable(2),
      DEF: () => {
        this.CONSUME(Comma);
        table = this.join('cross', table, this.SUBRULE2(this.tableRef), null);
        this.ACTION(() => this.deeper());
        levels++;
      },
    });
    this.ACTION(() => this.shallower(levels));
    this.OPTION(() => this.CONSUME2(Comma));
    return table;
  });

  /** Tables connected by JOIN. Stops at ON and USING, which belong to a JOIN further out: `a JOIN b JOIN c ON … ON …`. */
  readonly tableRef = this.RULE('tableRef', (): TableRef => {
    this.ACTION(() => this.deeper());
    let table = this.SUBRULE(this.tablePrimary);
    let levels = 1;
    this.MANY(() => {
      table = this.SUBRULE(this.joinTail, { ARGS: [table] });
      this.ACTION(() => this.deeper());
      levels++;
    });
    this.ACTION(() => this.shallower(levels));
    return table;
  });

  private readonly joinTail = this.RULE('joinTail', (left: TableRef): TableRef => {
    return this.OR<TableRef>([
      {
        ALT: () => {
          this.CONSUME(K.CROSS);
          this.CONSUME(K.JOIN);
          return this.join('cross', left, this.SUBRULE(this.tablePrimary), null);
        },
      },
      {
        ALT: () => {
          const start = this.startOffset();
          this.CONSUME(K.NATURAL);
          const condition: JoinCondition = { kind: 'join_natural', span: this.spanFrom(start) };
          const type = this.SUBRULE(this.joinType);
          this.CONSUME2(K.JOIN);
          return this.join(type, left, this.SUBRULE2(this.tablePrimary), condition);
        },
      },
      {
        ALT: () => {
          const token = this.OR2([{ ALT: () => this.CONSUME(K.ASOF) }, { ALT: () => this.CONSUME(K.POSITIONAL) }]);
          return this.ACTION((): TableRef => {
            throw unsupported(`${token.image.toUpperCase()} JOIN`, this.spanFrom(token.startOffset));
          });
        },
      },
      {
        ALT: () => {
          const type = this.SUBRULE2(this.joinType);
          this.CONSUME3(K.JOIN);
          const right = this.SUBRULE(this.tableRef);
          return this.join(type, left, right, this.SUBRULE(this.joinCondition));
        },
      },
    ]);
  });

  private join(type: Join['type'], left: TableRef, right: TableRef, condition: JoinCondition | null): TableRef {
    const span = this.RECORDING_PHASE ? { start: 0, end: 0 } : this.spanFrom(left.span.start);
    return { kind: 'join', type, left, right, condition, span };
  }

  /** May be empty: plain JOIN is INNER JOIN. */
  private readonly joinType = this.RULE('joinType', (): Join['type'] => {
    let type: Join['type'] = 'inner';
    this.OPTION(() => {
      type = this.OR<Join['type']>([
        { ALT: () => meaning(this.CONSUME(K.INNER), 'inner') },
        { ALT: () => meaning(this.CONSUME(K.SEMI), 'semi') },
        { ALT: () => meaning(this.CONSUME(K.ANTI), 'anti') },
        {
          ALT: () => {
            const side = this.OR2<Join['type']>([
              { ALT: () => meaning(this.CONSUME(K.LEFT), 'left') },
              { ALT: () => meaning(this.CONSUME(K.RIGHT), 'right') },
              { ALT: () => meaning(this.CONSUME(K.FULL), 'full') },
            ]);
            this.OPTION2(() => this.CONSUME(K.OUTER));
            return side;
          },
        },
      ]);
    });
    return type;
  });

  private readonly joinCondition = this.RULE('joinCondition', (): JoinCondition => {
    const start = this.startOffset();
    return this.OR<JoinCondition>([
      {
        ALT: () => {
          this.CONSUME(K.ON);
          const expression = this.SUBRULE(this.expression);
          return { kind: 'join_on', expression, span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME(K.USING);
          this.CONSUME(LParen);
          const columns: Identifier[] = [];
          this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => columns.push(this.identifierOf(this.CONSUME(Name))) });
          this.CONSUME(RParen);
          return { kind: 'join_using', columns, span: this.spanFrom(start) };
        },
      },
    ]);
  });

  private atTable(ahead: number): boolean {
    const type = this.type(ahead);
    return type === LParen || type === K.LATERAL || this.isA(Name, ahead) || this.isA(AnyString, ahead);
  }

  /** One table and its alias: by hand, since parentheses may hold a query, a statement or a join. */
  readonly tablePrimary = this.RULE('tablePrimary', (): TableRef => {
    if (this.RECORDING_PHASE) {
      this.OR([
        { ALT: () => this.CONSUME(LParen) },
        { ALT: () => this.CONSUME(AnyString) },
        { ALT: () => this.CONSUME(K.LATERAL) },
        { ALT: () => this.CONSUME(Name) },
      ]);
      return { kind: 'file_path', path: '', alias: null, span: { start: 0, end: 0 } };
    }
    const start = this.startOffset();
    const prefix = this.readPrefixAlias();
    const table = this.readTable(start, prefix);
    if (this.at(K.TABLESAMPLE)) throw unsupported('TABLESAMPLE', this.nextSpan());
    if (this.at(K.PIVOT) || this.at(K.UNPIVOT)) throw unsupported(this.LA(1).image.toUpperCase(), this.nextSpan());
    return table;
  });

  /** `t: table` */
  private readPrefixAlias(): TableAlias | null {
    if (!this.atLabelThen(Colon)) return null;
    const name = this.readLabelOrString();
    this.take(Colon);
    return { kind: 'table_alias', name, columns: [], span: name.span };
  }

  private readTable(start: number, prefix: TableAlias | null): TableRef {
    const lateral = this.takeIf(K.LATERAL);
    if (this.at(LParen)) return this.readBracketedTable(start, lateral, prefix);
    if (this.isA(AnyString) && !lateral) {
      const path = this.readString();
      const alias = prefix ?? this.readAlias();
      return { kind: 'file_path', path, alias, span: this.spanFrom(start) };
    }
    if (this.at(K.VALUES, LParen) && !lateral) return this.readValuesTable(start, prefix);
    const name = this.readQualifiedName();
    if (this.at(LParen)) {
      const callArguments = this.readTableArguments();
      const ordinality = this.readOrdinality();
      const alias = prefix ?? this.readAlias();
      const call = { name, arguments: callArguments, ordinality, lateral, alias, span: this.spanFrom(start) };
      return { kind: 'table_function', ...call } satisfies TableFunction;
    }
    if (lateral) this.fail();
    if (this.at(K.AT, LParen)) throw unsupported('AT (time travel)', this.nextSpan());
    const alias = prefix ?? this.readAlias();
    return { kind: 'table_name', name, alias, span: this.spanFrom(start) };
  }

  /** `FROM VALUES (1, 2) t(a, b)` */
  private readValuesTable(start: number, prefix: TableAlias | null): TableRef {
    const body = this.SUBRULE(this.values);
    const rest = { recursive: false, with: [], orderBy: [], limit: null, offset: null };
    const query: Query = { kind: 'query', ...rest, body, span: body.span };
    const alias = prefix ?? this.readAlias();
    return { kind: 'derived_table', query, lateral: false, alias, span: this.spanFrom(start) };
  }

  private readBracketedTable(start: number, lateral: boolean, prefix: TableAlias | null): TableRef {
    if (this.atQuery(1)) {
      const query = this.readParenthesisedQuery();
      const alias = prefix ?? this.readAlias();
      return { kind: 'derived_table', query, lateral, alias, span: this.spanFrom(start) };
    }
    if (lateral) this.fail();
    this.take(LParen);
    if (this.at(K.DESCRIBE) || this.at(K.DESC) || this.at(K.SUMMARIZE) || this.at(K.SHOW)) {
      const statement = this.SUBRULE(this.metadataStatement);
      this.take(RParen);
      const alias = prefix ?? this.readAlias();
      return { kind: 'statement_table', statement, alias, span: this.spanFrom(start) };
    }
    if (this.at(K.PIVOT) || this.at(K.UNPIVOT)) throw unsupported(this.LA(1).image.toUpperCase(), this.nextSpan());
    const table = this.SUBRULE(this.tableRef);
    this.take(RParen);
    if (prefix !== null || this.atAlias()) throw unsupported('an alias of joined tables', this.nextSpan());
    return table;
  }

  private readOrdinality(): boolean {
    if (!this.at(K.WITH, K.ORDINALITY)) return false;
    this.take(K.WITH);
    this.take(K.ORDINALITY);
    return true;
  }

  /** Here `name = value` is a named argument too. */
  private readTableArguments(): Argument[] {
    const call = this.readCall(this.startOffset(), []);
    const extras = call.distinct || call.orderBy.length > 0 || call.filter !== null || call.over !== null;
    if (extras || call.nulls !== null) throw unsupported('aggregate syntax in a table function', call.span);
    return call.arguments.map((argument): Argument => {
      const { value } = argument;
      if (argument.name !== null || value.kind !== 'binary' || value.operator !== '=') return argument;
      if (value.left.kind !== 'column_ref' || value.left.parts.length !== 1) return argument;
      return { ...argument, name: value.left.parts[0]!, value: value.right };
    });
  }

  // -------------------------------------------------------------------------------------------------------------
  // Aliases

  /** AT is an alias unless a parenthesis follows. */
  private atAlias(): boolean {
    if (this.at(K.AS) || this.isA(Name)) return true;
    return this.at(K.AT) && !this.atCall(2);
  }

  private readAlias(): TableAlias | null {
    if (!this.atAlias()) return null;
    const start = this.startOffset();
    const name = this.takeIf(K.AS) ? this.readLabelOrString() : this.readLabel();
    const columns: Identifier[] = [];
    if (this.takeIf(LParen)) {
      do columns.push(this.readName());
      while (this.takeIf(Comma) && !this.at(RParen));
      this.take(RParen);
    }
    return { kind: 'table_alias', name, columns, span: this.spanFrom(start) };
  }
}
