import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf } from './expression.ts';

/** A column that an expression may read: `t1.k`. */
export interface Field {
  readonly text: string;
  readonly kind: Kind;
}

/** What an expression sees: the columns of its own FROM clause and, in a subquery, those of the queries around it. */
export interface Scope {
  readonly own: readonly Field[];
  readonly outer: readonly Field[];
}

/** Makes a subquery with one column of each kind. */
export type Subquery = (kinds: readonly Kind[], form: 'rows' | 'scalar', scope: Scope, depth: number) => Expression;

export const RELATION_KINDS: readonly Kind[] = ['int', 'int', 'bigint', 'string', 'decimal', 'date'];
const COMPARISONS = ['=', '=', '<>', '<', '<=', '>', '>='];
const SMALL: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  int: ['0', '1', '2', '3', '7'],
  bigint: ['1::BIGINT', '3::BIGINT'],
  string: ["'a'", "'b'", "''"],
  decimal: ['0.25', '0.50', '1.00'],
  date: ["DATE '2024-01-02'", "DATE '2024-01-04'"],
  bool: ['true', 'false'],
};

/** Makes expressions over the columns of joined relations; `depth` counts the levels of subqueries that may follow. */
export class RelationExpressions {
  private readonly random: Random;
  private readonly subquery: Subquery;

  constructor(random: Random, subquery: Subquery) {
    this.random = random;
    this.subquery = subquery;
  }

  /** A column of the kind, else a constant. A subquery takes one in three from around it. */
  field(kind: Kind, scope: Scope): Expression {
    const outer = scope.outer.length > 0 && this.random.chance(0.33);
    const fields = (outer ? scope.outer : scope.own).filter((field) => field.kind === kind);
    return fields.length === 0 ? this.constant(kind) : leaf(kind, this.random.pick(fields).text);
  }

  constant(kind: Kind): Expression {
    return leaf(kind, this.random.pick(SMALL[kind] ?? ['NULL']));
  }

  value(kind: Kind, scope: Scope, depth: number): Expression {
    const value = (): Expression => this.value(kind, scope, depth - 1);
    const field = (): Expression => this.field(kind, scope);
    if (this.random.chance(0.6) || depth < 0) return field();
    const makes: (() => Expression)[] = [
      () => build(kind, 'coalesce(@, @)', field(), this.constant(kind)),
      () => build(kind, '(CASE WHEN @ THEN @ ELSE @ END)', this.predicate(scope, depth - 1), field(), value()),
      () => build(kind, 'nullif(@, @)', field(), this.constant(kind)),
    ];
    if (kind === 'int') makes.push(() => build(kind, '(@ + @)', field(), this.constant(kind)));
    if (kind === 'decimal') makes.push(() => build(kind, '(@ + @)', field(), field()));
    if (kind === 'string') makes.push(() => build(kind, '(@ || @)', field(), field()));
    if (depth > 0) makes.push(() => build(kind, '(@)', this.subquery([kind], 'scalar', scope, depth - 1)));
    return this.random.pick(makes)();
  }

  /** The condition of a join between the fields of its sides. */
  joinCondition(left: readonly Field[], right: readonly Field[], outer: readonly Field[]): Expression {
    const scope = { own: [...left, ...right], outer };
    const equality = (): Expression => this.pair('=', left, right) ?? this.predicate(scope, -1);
    const range = (): Expression =>
      this.pair(this.random.pick(['<', '<=', '>', '>=', '<>']), left, right) ?? this.predicate(scope, -1);
    return this.random.pick<() => Expression>([
      equality,
      equality,
      () => build('bool', '(@ AND @)', equality(), equality()),
      () => build('bool', '(@ AND @)', equality(), range()),
      () => build('bool', '(@ AND @)', equality(), this.predicate(scope, -1)),
      range,
      () => build('bool', '(@ AND @)', range(), range()),
      () => build('bool', '(@ OR @)', equality(), equality()),
      () => build('bool', '((@ AND @) OR (@ AND @))', ...this.factored(equality, scope)),
      () => this.pair('IS NOT DISTINCT FROM', left, right) ?? leaf('bool', 'true'),
      () => this.predicate(scope, -1),
    ])();
  }

  /** Two alternatives with one conjunct in common. */
  private factored(equality: () => Expression, scope: Scope): [Expression, Expression, Expression, Expression] {
    const common = equality();
    return [common, this.predicate(scope, -1), common, this.predicate(scope, -1)];
  }

  private pair(operator: string, left: readonly Field[], right: readonly Field[]): Expression | undefined {
    const numeric = (kind: Kind): Kind => (kind === 'bigint' || kind === 'decimal' ? 'int' : kind);
    const pairs = left.flatMap((a) =>
      right.filter((b) => numeric(a.kind) === numeric(b.kind)).map((b) => [a, b] as const),
    );
    if (pairs.length === 0) return undefined;
    const [a, b] = this.random.pick(pairs);
    const [first, second] = this.random.chance(0.5) ? [a, b] : [b, a];
    return build('bool', `(@ ${operator} @)`, leaf(first.kind, first.text), leaf(second.kind, second.text));
  }

  predicate(scope: Scope, depth: number): Expression {
    const kind = this.random.pick(RELATION_KINDS);
    const field = (): Expression => this.field(kind, scope);
    const operator = this.random.pick(COMPARISONS);
    const simple: (() => Expression)[] = [
      () => build('bool', `(@ ${operator} @)`, field(), field()),
      () => build('bool', `(@ ${operator} @)`, field(), this.constant(kind)),
      () => build('bool', `(@ IS ${this.random.pick(['', 'NOT '])}NULL)`, field()),
      () => build('bool', `(@ IS ${this.random.pick(['', 'NOT '])}DISTINCT FROM @)`, field(), field()),
      () => build('bool', '(@ IN (@, @))', field(), this.constant(kind), this.constant(kind)),
      () => build('bool', '(@ BETWEEN @ AND @)', field(), this.constant(kind), field()),
      () => build('bool', `(@ LIKE '${this.random.pick(['a%', '%b', '_'])}')`, this.field('string', scope)),
    ];
    if (depth < 0) return this.random.pick(simple)();
    const inner = (): Expression => this.predicate(scope, depth - 1);
    if (depth === 0 || this.random.chance(0.4)) {
      return this.random.pick([
        ...simple,
        ...simple,
        () => build('bool', `(@ ${this.random.pick(['AND', 'OR'])} @)`, inner(), inner()),
        () => build('bool', '(NOT @)', inner()),
      ])();
    }
    const rows = (kinds: readonly Kind[]): Expression => this.subquery(kinds, 'rows', scope, depth - 1);
    const not = this.random.pick(['', 'NOT ']);
    const some = this.random.pick(['ANY', 'ALL', 'SOME']);
    return this.random.pick<() => Expression>([
      () => build('bool', `(@ ${not}IN (@))`, this.value(kind, scope, -1), rows([kind])),
      () => build('bool', `(@ ${not}IN (@))`, field(), rows([kind])),
      () => build('bool', `(${not}EXISTS (@))`, rows([kind])),
      () => build('bool', `(${not}EXISTS (@))`, rows([kind])),
      () => build('bool', `(@ ${operator} ${some} (@))`, field(), rows([kind])),
      () => build('bool', `(@ ${operator} (@))`, field(), this.subquery([kind], 'scalar', scope, depth - 1)),
      // DuckDB has no such IN with a correlated query, and takes a NULL of one column for an unknown row
      () => {
        const query = this.subquery(['int', kind], 'rows', { own: [], outer: [] }, depth - 1);
        return build('bool', 'coalesce((@, @) IN (@), false)', this.field('int', scope), field(), query);
      },
      () => build('bool', '(@ OR @)', inner(), inner()),
      () => build('bool', '(@ AND @)', inner(), inner()),
    ])();
  }
}
