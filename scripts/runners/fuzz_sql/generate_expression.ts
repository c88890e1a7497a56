import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf, renderExpression, walk } from './expression.ts';
import { functionExpressions } from './function_expressions.ts';
import { listExpressions } from './list_expressions.ts';
import { literal, pattern } from './literals.ts';
import type { Column } from './table.ts';

export const KINDS: readonly Kind[] = [
  'bool',
  'int',
  'bigint',
  'float',
  'double',
  'decimal',
  'string',
  'date',
  'timestamp',
  'int_list',
  'string_list',
  'float_list',
  'nested_list',
];
const NUMERIC: readonly Kind[] = ['int', 'bigint', 'double', 'decimal', 'float'];
/** Kinds whose comparison is defined and whose values DuckDB orders as quern does. */
const COMPARABLE: readonly Kind[] = [
  'int',
  'int',
  'bigint',
  'double',
  'decimal',
  'string',
  'date',
  'timestamp',
  'bool',
  'int_list',
];

/** Parameters of a lambda by name. */
type Parameters = Readonly<Record<string, Kind>>;

/** Makes random expressions over the columns of a table. */
export class ExpressionGenerator {
  private readonly random: Random;
  private readonly columns: readonly Column[];

  constructor(random: Random, columns: readonly Column[]) {
    this.random = random;
    this.columns = columns;
  }

  kind(): Kind {
    return this.random.pick(KINDS);
  }

  /** An expression of `kind`, at most `depth` deep. */
  of(kind: Kind, depth: number): Expression {
    if (depth <= 0 || this.random.chance(0.2)) return this.atom(kind);
    if (this.random.chance(0.2)) return this.conditional(kind, depth - 1);
    const parts = {
      random: this.random,
      of: (part: Kind) => this.of(part, depth - 1),
      atom: (part: Kind) => this.atom(part),
      body: (part: Kind, parameters: Parameters) => this.body(part, parameters, this.columns, depth - 1),
      closed: (part: Kind, parameters: Parameters) => this.closed(part, parameters, depth - 1),
    };
    const onLists = listExpressions(kind, parts);
    if (onLists.length > 0 && this.random.chance(0.3)) return this.random.pick(onLists)();
    const functions = functionExpressions(kind, parts);
    if (functions.length > 0 && this.random.chance(0.4)) return this.random.pick(functions)();
    return this.call(kind, depth - 1);
  }

  column(kind: Kind): Expression {
    const columns = this.columns.filter((column) => column.kind === kind);
    return columns.length === 0 ? leaf(kind, literal(this.random, kind)) : leaf(kind, this.random.pick(columns).name);
  }

  /** Whether an expression reads a column: a constant that folds to an integer would be an ordinal in ORDER BY. */
  readsColumn(expression: Expression): boolean {
    let reads = false;
    walk(expression, (part) => {
      reads ||= part.args.length === 0 && this.columns.some((column) => column.name === part.pieces[0]);
    });
    return reads;
  }

  /** An expression that may also read `parameters`; half of the leaves that can are parameters. */
  private body(kind: Kind, parameters: Parameters, columns: readonly Column[], depth: number): Expression {
    const own = Object.entries(parameters).map(([name, of]) => ({ name, kind: of, type: '' }));
    const outer = columns.filter((column) => parameters[column.name] === undefined);
    const inside = new ExpressionGenerator(this.random, [...outer, ...own.flatMap((p) => [p, p, p])]);
    return inside.of(kind, Math.min(depth, 2));
  }

  private closed(kind: Kind, parameters: Parameters, depth: number): Expression {
    const names = this.columns.map((column) => column.name).filter((name) => parameters[name] === undefined);
    const reads = new RegExp(`\\b(${names.join('|')})\\b`);
    for (let attempt = 0; attempt < 5; attempt++) {
      const made = this.body(kind, parameters, [], depth);
      if (!reads.test(renderExpression(made))) return made;
    }
    return leaf(kind, literal(this.random, kind));
  }

  private atom(kind: Kind): Expression {
    return this.random.chance(0.75) ? this.column(kind) : leaf(kind, literal(this.random, kind));
  }

  private conditional(kind: Kind, depth: number): Expression {
    const value = (): Expression => this.of(kind, depth);
    switch (this.random.below(5)) {
      case 0:
        return build(kind, '(CASE WHEN @ THEN @ ELSE @ END)', this.of('bool', depth), value(), value());
      case 1:
        return build(kind, '(CASE WHEN @ THEN @ END)', this.of('bool', depth), value());
      case 2:
        return build(kind, 'coalesce(@, @)', value(), value());
      case 3:
        return build(kind, 'nullif(@, @)', value(), value());
      default: {
        const over = this.random.pick(COMPARABLE);
        return build(
          kind,
          '(CASE @ WHEN @ THEN @ ELSE @ END)',
          this.of(over, depth),
          this.atom(over),
          value(),
          value(),
        );
      }
    }
  }

  private call(kind: Kind, depth: number): Expression {
    const of = (k: Kind): Expression => this.of(k, depth);
    const numeric = (): Expression => of(this.random.pick(NUMERIC));
    switch (kind) {
      case 'bool':
        return this.predicate(depth);
      case 'int':
        return this.random.pick<() => Expression>([
          () => build(kind, `(@ ${this.random.pick(['+', '-', '*'])} @)`, of('int'), of('int')),
          () => build(kind, `(@ ${this.random.pick(['//', '%'])} @)`, of('int'), of('int')),
          () => build(kind, '(- @)', of('int')),
          () => build(kind, `(@ ${this.random.pick(['&', '|'])} @)`, of('int'), of('int')),
          () => build(kind, 'abs(@)', of('int')),
          () => build(kind, `${this.random.pick(['greatest', 'least'])}(@, @)`, of('int'), of('int')),
          () => build(kind, '@::INTEGER', this.of(this.random.pick(['bool', 'decimal', 'float'] as Kind[]), depth)),
          () => build(kind, '@[@]', this.column('int_list'), leaf('int', String(this.random.below(5) - 2))),
          () => build(kind, 'sign(@)::INTEGER', numeric()),
        ])();
      case 'bigint':
        return this.random.pick<() => Expression>([
          () => build(kind, `(@ ${this.random.pick(['+', '-'])} @)`, of('bigint'), of('int')),
          () => build(kind, `(@ ${this.random.pick(['//', '%'])} @)`, of('bigint'), of('int')),
          () => build(kind, '@::BIGINT', of('int')),
          () => build(kind, 'length(@)', of('string')),
          () => build(kind, 'strlen(@)', of('string')),
          () => build(kind, 'len(@)', of('int_list')),
          () =>
            build(
              kind,
              `extract(${this.random.pick(['year', 'month', 'day', 'doy', 'quarter', 'dow'])} FROM @)`,
              of('date'),
            ),
          () =>
            build(kind, `extract(${this.random.pick(['hour', 'minute', 'second', 'year'])} FROM @)`, of('timestamp')),
          () => build(kind, '(@ - @)', of('date'), of('date')),
        ])();
      case 'float':
        return this.random.pick<() => Expression>([
          () => build(kind, `(@ ${this.random.pick(['+', '-', '*'])} @)`, of('float'), of('float')),
          () => build(kind, '@::FLOAT', of(this.random.pick(['int', 'bigint', 'decimal'] as Kind[]))),
          () => build(kind, 'abs(@)', of('float')),
        ])();
      case 'double':
        return this.random.pick<() => Expression>([
          () => build(kind, `(@ ${this.random.pick(['+', '-', '*', '/'])} @)`, of('double'), of('double')),
          () => build(kind, `(@ ${this.random.pick(['+', '-', '*'])} @)`, of('double'), numeric()),
          () => build(kind, '(@ / @)', of('int'), of('int')),
          () => build(kind, '(@ / @)', of('decimal'), of('decimal')),
          () => build(kind, '@::DOUBLE', numeric()),
          () => build(kind, `${this.random.pick(['abs', 'floor', 'ceil', 'round'])}(@)`, of('double')),
          () => build(kind, 'sqrt(abs(@))', of('double')),
        ])();
      case 'decimal':
        return this.random.pick<() => Expression>([
          () => build(kind, `(@ ${this.random.pick(['+', '-'])} @)`, of('decimal'), of('decimal')),
          () => build(kind, '(@ * @)', this.column('decimal'), leaf('decimal', literal(this.random, 'decimal'))),
          () => build(kind, `(@ ${this.random.pick(['+', '-'])} @)`, of('decimal'), of('int')),
          () => build(kind, '(- @)', of('decimal')),
          () => build(kind, 'abs(@)', of('decimal')),
          () =>
            build(
              kind,
              `@::DECIMAL(${this.random.pick(['12,2', '18,4', '9,0', '22,6'])})`,
              of(this.random.pick(['int', 'decimal'] as Kind[])),
            ),
          () => build(kind, `round(@, ${this.random.below(3)})`, of('decimal')),
        ])();
      case 'string':
        return this.random.pick<() => Expression>([
          () => build(kind, '(@ || @)', of('string'), of('string')),
          () => build(kind, 'concat(@, @)', of('string'), of('int')),
          () =>
            build(
              kind,
              `${this.random.pick(['upper', 'lower', 'trim', 'ltrim', 'rtrim', 'reverse'])}(@)`,
              of('string'),
            ),
          () => build(kind, `substring(@, ${this.random.below(7) - 3}, ${this.random.below(4)})`, of('string')),
          () => build(kind, 'replace(@, @, @)', of('string'), this.atom('string'), this.atom('string')),
          () => build(kind, '@::VARCHAR', of(this.kind())),
          () => build(kind, `${this.random.pick(['left', 'right'])}(@, ${this.random.below(6) - 2})`, of('string')),
          () => build(kind, `@[${this.random.below(4) - 1}]`, this.column('string_list')),
          () => build(kind, `${this.random.pick(['greatest', 'least'])}(@, @)`, of('string'), of('string')),
        ])();
      case 'date':
        return this.random.pick<() => Expression>([
          () =>
            build(
              kind,
              `(@ ${this.random.pick(['+', '-'])} @)`,
              this.column('date'),
              leaf('int', String(this.random.below(40))),
            ),
          () => build(kind, '@::DATE', of('timestamp')),
          () => build(kind, `date_trunc('${this.random.pick(['year', 'month', 'week', 'day'])}', @)::DATE`, of('date')),
        ])();
      case 'timestamp':
        return this.random.pick<() => Expression>([
          () => build(kind, '@::TIMESTAMP', of('date')),
          () =>
            // plus a day: DuckDB turns a comparison of the bare call into one of ranges and loses its NULL
            build(
              kind,
              `(date_trunc('${this.random.pick(['year', 'month', 'hour', 'minute', 'second'])}', @) + INTERVAL 1 day)`,
              of('timestamp'),
            ),
          () =>
            build(
              kind,
              `(@ + INTERVAL ${1 + this.random.below(40)} ${this.random.pick(['day', 'hour', 'month'])})`,
              this.column('timestamp'),
            ),
        ])();
      case 'int_list':
        return this.random.pick<() => Expression>([
          () => build(kind, '([@, @]::INTEGER[])', of('int'), of('int')),
          () => build(kind, 'list_concat(@, coalesce(@, []))', of('int_list'), of('int_list')),
          () => build(kind, `@[${this.random.below(4)}:${this.random.below(4)}]`, of('int_list')),
        ])();
      case 'float_list':
        return this.random.pick<() => Expression>([
          () => build(kind, '([@, @]::FLOAT[])', of('float'), of('float')),
          () => build(kind, `@[${this.random.below(3)}:${1 + this.random.below(3)}]`, of('float_list')),
        ])();
      case 'nested_list':
        return build(kind, '[@, @]', of('int_list'), of('int_list'));
      case 'string_list':
        return this.random.pick<() => Expression>([
          () => build(kind, '[@, @]', of('string'), of('string')),
          () => build(kind, `@[${this.random.below(3)}:${1 + this.random.below(3)}]`, of('string_list')),
        ])();
    }
  }

  private predicate(depth: number): Expression {
    const kind = this.random.pick(COMPARABLE);
    // DuckDB has no BETWEEN of lists, and its IS DISTINCT FROM of lists loses rows
    const scalar = kind === 'int_list' ? 'int' : kind;
    const of = (k: Kind): Expression => this.of(k, depth);
    return this.random.pick<() => Expression>([
      () => build('bool', `(@ ${this.random.pick(['=', '<>', '<', '<=', '>', '>='])} @)`, of(kind), of(kind)),
      () =>
        build('bool', `(@ ${this.random.pick(['=', '<', '>='])} @)`, of(kind), leaf(kind, literal(this.random, kind))),
      () =>
        build(
          'bool',
          `(@ ${this.random.pick(['<', '='])} @)`,
          of(this.random.pick(NUMERIC)),
          of(this.random.pick(NUMERIC)),
        ),
      () => build('bool', `(@ ${this.random.pick(['AND', 'OR'])} @)`, of('bool'), of('bool')),
      () => build('bool', '(NOT @)', of('bool')),
      () => build('bool', `(@ IS ${this.random.pick(['', 'NOT '])}NULL)`, of(this.kind())),
      () => build('bool', `(@ IS ${this.random.pick(['', 'NOT '])}DISTINCT FROM @)`, of(scalar), of(scalar)),
      () =>
        build(
          'bool',
          `(@ ${this.random.pick(['', 'NOT '])}BETWEEN @ AND @)`,
          of(scalar),
          this.atom(scalar),
          this.atom(scalar),
        ),
      () =>
        build(
          'bool',
          `(@ ${this.random.pick(['', 'NOT '])}IN (@, @, @))`,
          of(kind),
          this.atom(kind),
          this.atom(kind),
          this.atom(kind),
        ),
      () =>
        build('bool', `(@ ${this.random.pick(['LIKE', 'NOT LIKE', 'ILIKE'])} ${pattern(this.random)})`, of('string')),
      () => build('bool', 'list_contains(@, @)', of('int_list'), this.atom('int')),
      () => build('bool', 'starts_with(@, @)', of('string'), this.atom('string')),
    ])();
  }
}
