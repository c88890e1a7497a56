import { EOF } from 'chevrotain';
import { unsupported, userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type {
  Copy,
  CreateView,
  Describe,
  DropView,
  Explain,
  Expression,
  Identifier,
  Option,
  QualifiedName,
  Query,
  ResetSetting,
  SetSetting,
  Show,
  Statement,
  Summarize,
  TableRef,
} from '../ast.ts';
import { AnyString, Comma, Dot, Equals, K, Label, LParen, Name, RParen, Semicolon } from '../tokens.ts';
import { QueryGrammar } from './query_grammar.ts';

/** First words of statements that DuckDB has and quern has not. */
const UNSUPPORTED_STATEMENTS = new Set(
  (
    'ALTER ATTACH BEGIN CALL CHECKPOINT COMMENT COMMIT DEALLOCATE DELETE DETACH EXECUTE EXPORT IMPORT INSERT INSTALL ' +
    'LOAD MERGE PIVOT PRAGMA PREPARE ROLLBACK START TRUNCATE UNPIVOT UPDATE USE VACUUM ANALYZE'
  ).split(' '),
);

/** Whole statements. */
export class StatementGrammar extends QueryGrammar {
  constructor(validate = false) {
    super(validate);
    this.performSelfAnalysis();
  }

  /** Statements separated by semicolons; empty ones are skipped. */
  readonly script = this.RULE('script', (): Statement[] => {
    const statements: Statement[] = [];
    this.MANY(() => this.CONSUME(Semicolon));
    this.ACTION(() => this.refuseUnsupported());
    this.MANY2({
      GATE: () => !this.atEnd(),
      DEF: () => {
        this.ACTION(() => this.startStatement());
        statements.push(this.SUBRULE(this.statement));
        this.ACTION(() => {
          if (!this.atEnd() && !this.at(Semicolon)) this.fail();
        });
        this.MANY3(() => this.CONSUME2(Semicolon));
        this.ACTION(() => this.refuseUnsupported());
      },
    });
    return statements;
  });

  /** One expression and nothing else. */
  readonly loneExpression = this.RULE('loneExpression', (): Expression => {
    const expression = this.SUBRULE(this.expression);
    this.ACTION(() => {
      if (!this.atEnd()) this.fail();
    });
    return expression;
  });

  readonly statement = this.RULE('statement', (): Statement => {
    this.ACTION(() => this.refuseUnsupported());
    return this.OR<Statement>([
      { ALT: () => this.SUBRULE(this.explain) },
      { ALT: () => this.SUBRULE(this.metadataStatement) },
      { ALT: () => this.SUBRULE(this.setSetting) },
      { ALT: () => this.SUBRULE(this.resetSetting) },
      { ALT: () => this.SUBRULE(this.createView) },
      { ALT: () => this.SUBRULE(this.dropView) },
      { ALT: () => this.SUBRULE(this.copy) },
      {
        ALT: () => {
          const query = this.SUBRULE(this.query);
          return { kind: 'select_statement', query, span: query.span };
        },
      },
    ]);
  });

  private refuseUnsupported(): void {
    const word = this.LA(1).image.toUpperCase();
    if (UNSUPPORTED_STATEMENTS.has(word)) throw unsupported(word, this.nextSpan());
  }

  // -------------------------------------------------------------------------------------------------------------
  // EXPLAIN

  private readonly explain = this.RULE('explain', (): Explain => {
    const start = this.startOffset();
    let analyze = false;
    let options: Option[] = [];
    this.CONSUME(K.EXPLAIN);
    this.OPTION(() => {
      this.CONSUME(K.ANALYZE);
      analyze = true;
    });
    this.OPTION2({
      GATE: () => !this.atQuery(1),
      DEF: () => {
        options = this.SUBRULE(this.optionList);
      },
    });
    this.ACTION(() => this.deeper());
    const statement = this.SUBRULE(this.statement);
    this.ACTION(() => {
      this.shallower();
      analyze ||= options.some((option) => option.name === 'analyze' && !isFalse(option.value));
      options = options.filter((option) => option.name !== 'analyze');
    });
    return { kind: 'explain', analyze, options, statement, span: this.spanFrom(start) };
  });

  /** `(FORMAT json, COMPRESSION 'zstd', PARTITION_BY (a, b), HEADER)` */
  private readonly optionList = this.RULE('optionList', (): Option[] => {
    const options: Option[] = [];
    this.CONSUME(LParen);
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => options.push(this.SUBRULE(this.namedOption)) });
    this.CONSUME(RParen);
    return options;
  });

  private readonly namedOption = this.RULE('namedOption', (): Option => {
    const start = this.startOffset();
    const token = this.CONSUME(Label);
    let value: Expression | null = null;
    this.ACTION(() => {
      this.takeIf(Equals);
      if (!this.at(Comma) && !this.at(RParen)) value = this.readOptionValue();
    });
    const name = this.identifierOf(token).name.toLowerCase();
    return { kind: 'option', name, value, span: this.spanFrom(start) };
  });

  /** A bare word is a string, `(a, b)` a row of such, anything else an expression. */
  private readOptionValue(): Expression {
    const start = this.startOffset();
    if (this.at(LParen)) {
      this.take(LParen);
      const elements = [this.readOptionValue()];
      while (this.takeIf(Comma)) elements.push(this.readOptionValue());
      this.take(RParen);
      return { kind: 'row', elements, span: this.spanFrom(start) };
    }
    return this.readWordOrExpression();
  }

  private readWordOrExpression(): Expression {
    const start = this.startOffset();
    const next = this.type(2);
    const alone = next === Comma || next === RParen || next === Semicolon || next === EOF;
    const constant = this.at(K.TRUE) || this.at(K.FALSE) || this.at(K.NULL);
    if (this.isA(Label) && alone && !constant) {
      return { kind: 'string_literal', value: this.readLabel().name, span: this.spanFrom(start) };
    }
    return this.readExpression();
  }

  // -------------------------------------------------------------------------------------------------------------
  // DESCRIBE, SUMMARIZE, SHOW

  override readonly metadataStatement = this.RULE('metadataStatement', (): Describe | Summarize | Show => {
    return this.OR<Describe | Summarize | Show>([
      { ALT: () => this.SUBRULE(this.describe) },
      { ALT: () => this.SUBRULE(this.summarize) },
      { ALT: () => this.SUBRULE(this.show) },
    ]);
  });

  private readonly describe = this.RULE('describe', (): Describe | Show => {
    const start = this.startOffset();
    let target: Query | TableRef | undefined;
    this.OR([{ ALT: () => this.CONSUME(K.DESCRIBE) }, { ALT: () => this.CONSUME(K.DESC) }]);
    this.OPTION({
      GATE: () => !this.atStatementEnd(),
      DEF: () => {
        target = this.SUBRULE(this.describeTarget);
      },
    });
    const span = this.spanFrom(start);
    return target === undefined ? { kind: 'show', what: 'tables', span } : { kind: 'describe', target, span };
  });

  private atStatementEnd(): boolean {
    return this.at(Semicolon) || this.at(RParen) || this.atEnd();
  }

  private readonly summarize = this.RULE('summarize', (): Summarize => {
    const start = this.startOffset();
    this.CONSUME(K.SUMMARIZE);
    const target = this.SUBRULE(this.describeTarget);
    return { kind: 'summarize', target, span: this.spanFrom(start) };
  });

  /** A query, or a table or file by its name. */
  private readonly describeTarget = this.RULE('describeTarget', (): Query | TableRef => {
    return this.OR<Query | TableRef>([
      {
        GATE: () => this.atQueryStart() || this.atQuery(1),
        ALT: () => this.SUBRULE(this.query),
        IGNORE_AMBIGUITIES: true,
      },
      { ALT: () => this.SUBRULE(this.unnamedTable) },
    ]);
  });

  private readonly unnamedTable = this.RULE('unnamedTable', (): TableRef => {
    const table = this.SUBRULE(this.tablePrimary);
    this.ACTION(() => {
      if (table.kind === 'join' || table.alias === null) return;
      throw userError('parse', `an alias has no use here: ${table.alias.name.name}`, table.alias.span);
    });
    return table;
  });

  /** SHOW of a table is DESCRIBE, SHOW alone is SHOW TABLES. */
  private readonly show = this.RULE('show', (): Show | Describe => {
    const start = this.startOffset();
    this.CONSUME(K.SHOW);
    return this.OR<Show | Describe>([
      {
        ALT: () => {
          this.CONSUME(K.ALL);
          this.OPTION(() => this.CONSUME(K.TABLES));
          return { kind: 'show', what: 'all_tables', span: this.spanFrom(start) };
        },
      },
      {
        ALT: () => {
          this.CONSUME2(K.TABLES);
          this.ACTION(() => {
            if (this.at(K.FROM)) throw unsupported('SHOW TABLES FROM', this.nextSpan());
          });
          return { kind: 'show', what: 'tables', span: this.spanFrom(start) };
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        GATE: () => this.atWord('SETTINGS') || this.atWord('FUNCTIONS'),
        ALT: () => {
          const word = this.CONSUME(Name).image.toLowerCase();
          const what = word === 'settings' ? 'settings' : 'functions';
          return { kind: 'show', what, span: this.spanFrom(start) };
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.ACTION(() => {
            if (this.atWord('DATABASES') || this.atWord('SCHEMAS')) {
              throw unsupported(`SHOW ${this.LA(1).image.toUpperCase()}`, this.nextSpan());
            }
          });
          const target = this.SUBRULE(this.unnamedTable);
          return { kind: 'describe', target, span: this.spanFrom(start) };
        },
      },
      { ALT: () => ({ kind: 'show', what: 'tables', span: this.spanFrom(start) }) },
    ]);
  });

  // -------------------------------------------------------------------------------------------------------------
  // SET, RESET

  private readonly setSetting = this.RULE('setSetting', (): SetSetting => {
    const start = this.startOffset();
    this.CONSUME(K.SET);
    const { name, nameSpan } = this.SUBRULE(this.settingName);
    let value: Expression | null = null;
    this.OR([{ ALT: () => this.CONSUME(Equals) }, { ALT: () => this.CONSUME(K.TO) }]);
    this.ACTION(() => {
      value = this.takeIf(K.DEFAULT) ? null : this.readWordOrExpression();
    });
    return { kind: 'set', name, nameSpan, value, span: this.spanFrom(start) };
  });

  private readonly resetSetting = this.RULE('resetSetting', (): ResetSetting => {
    const start = this.startOffset();
    this.CONSUME(K.RESET);
    const { name, nameSpan } = this.SUBRULE(this.settingName);
    return { kind: 'reset', name, nameSpan, span: this.spanFrom(start) };
  });

  /** `[SESSION | GLOBAL | LOCAL] a.b` */
  private readonly settingName = this.RULE('settingName', (): { name: string; nameSpan: SourceSpan } => {
    if (this.RECORDING_PHASE) {
      this.CONSUME(Name);
      return { name: '', nameSpan: { start: 0, end: 0 } };
    }
    if (this.atWord('VARIABLE') && this.isA(Name, 2)) throw unsupported('SET VARIABLE', this.nextSpan());
    const scope = this.atWord('SESSION') || this.atWord('GLOBAL') || this.atWord('LOCAL');
    if (scope && this.isA(Label, 2)) this.take(Name);
    const start = this.startOffset();
    const parts = [this.readName()];
    while (this.takeIf(Dot)) parts.push(this.readLabel());
    return { name: parts.map((part) => part.name.toLowerCase()).join('.'), nameSpan: this.spanFrom(start) };
  });

  // -------------------------------------------------------------------------------------------------------------
  // Views

  private readonly createView = this.RULE('createView', (): CreateView => {
    const start = this.startOffset();
    let orReplace = false;
    let temporary = false;
    let ifNotExists = false;
    let name: QualifiedName = [];
    const columns: Identifier[] = [];
    this.CONSUME(K.CREATE);
    this.OPTION(() => {
      this.CONSUME(K.OR);
      this.CONSUME(K.REPLACE);
      orReplace = true;
    });
    this.OPTION2(() => {
      this.OR([{ ALT: () => this.CONSUME(K.TEMP) }, { ALT: () => this.CONSUME(K.TEMPORARY) }]);
      temporary = true;
    });
    this.ACTION(() => this.refuseOtherThanView('CREATE'));
    this.CONSUME(K.VIEW);
    this.OPTION3({
      GATE: () => this.type(2) === K.NOT,
      DEF: () => {
        this.CONSUME(K.IF);
        this.CONSUME(K.NOT);
        this.CONSUME(K.EXISTS);
        ifNotExists = true;
      },
    });
    name = this.SUBRULE(this.qualifiedName);
    this.OPTION4(() => {
      this.CONSUME(LParen);
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => columns.push(this.identifierOf(this.CONSUME(Name))) });
      this.CONSUME(RParen);
    });
    this.CONSUME(K.AS);
    const query = this.SUBRULE(this.query);
    return { kind: 'create_view', orReplace, temporary, ifNotExists, name, columns, query, span: this.spanFrom(start) };
  });

  private readonly dropView = this.RULE('dropView', (): DropView => {
    const start = this.startOffset();
    let ifExists = false;
    const names: QualifiedName[] = [];
    this.CONSUME(K.DROP);
    this.ACTION(() => this.refuseOtherThanView('DROP'));
    this.CONSUME(K.VIEW);
    this.OPTION({
      GATE: () => this.type(2) === K.EXISTS,
      DEF: () => {
        this.CONSUME(K.IF);
        this.CONSUME(K.EXISTS);
        ifExists = true;
      },
    });
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => names.push(this.SUBRULE(this.qualifiedName)) });
    return { kind: 'drop_view', ifExists, names, span: this.spanFrom(start) };
  });

  private readonly qualifiedName = this.RULE('qualifiedName', (): QualifiedName => {
    const parts = [this.identifierOf(this.CONSUME(Name))];
    this.MANY(() => {
      this.CONSUME(Dot);
      parts.push(this.identifierOf(this.CONSUME(Label)));
    });
    return parts;
  });

  private refuseOtherThanView(command: 'CREATE' | 'DROP'): void {
    if (this.at(K.VIEW) || !this.isA(Label)) return;
    const hint = command === 'CREATE' ? 'quern creates views only: CREATE VIEW name AS query' : undefined;
    throw unsupported(`${command} ${this.LA(1).image.toUpperCase()}`, this.nextSpan(), hint);
  }

  // -------------------------------------------------------------------------------------------------------------
  // COPY

  private readonly copy = this.RULE('copy', (): Copy => {
    const start = this.startOffset();
    let options: Option[] = [];
    this.CONSUME(K.COPY);
    const query = this.OR<Query>([
      {
        ALT: () => {
          this.CONSUME(LParen);
          const copied = this.SUBRULE(this.query);
          this.CONSUME(RParen);
          return copied;
        },
      },
      { ALT: () => this.SUBRULE(this.copiedTable) },
    ]);
    this.ACTION(() => {
      if (this.at(K.FROM)) throw unsupported('COPY FROM', this.nextSpan(), "read the file in a query: FROM 'file'");
    });
    this.CONSUME(K.TO);
    const target = this.CONSUME(AnyString);
    const targetSpan = this.spanFrom(target.startOffset);
    this.OPTION(() => this.CONSUME(K.WITH));
    this.OPTION2(() => {
      options = this.SUBRULE(this.optionList);
    });
    const path = this.ACTION(() => this.stringOf(target)) ?? '';
    return { kind: 'copy', query, target: path, targetSpan, options, span: this.spanFrom(start) };
  });

  /** `t`, `t(a, b)` as a query */
  private readonly copiedTable = this.RULE('copiedTable', (): Query => {
    const start = this.startOffset();
    const columns: Identifier[] = [];
    const name = this.SUBRULE(this.qualifiedName);
    const nameSpan = this.spanFrom(start);
    this.OPTION(() => {
      this.CONSUME(LParen);
      this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => columns.push(this.identifierOf(this.CONSUME(Name))) });
      this.CONSUME(RParen);
    });
    const from: TableRef = { kind: 'table_name', name, alias: null, span: nameSpan };
    const body = this.selectFrom(start, from, columns);
    const rest = { recursive: false, with: [], orderBy: [], limit: null, offset: null };
    return { kind: 'query', ...rest, body, span: this.spanFrom(start) };
  });
}

function isFalse(value: Expression | null): boolean {
  return value?.kind === 'boolean_literal' && !value.value;
}
