import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf } from './expression.ts';
import type { Field, Scope } from './relation_expression.ts';
import { RELATION_KINDS, RelationExpressions } from './relation_expression.ts';
import type { RelationTable } from './relation_tables.ts';
import { LARGE_TABLE, RELATION_TABLES } from './relation_tables.ts';

/** A relation of a FROM clause and the columns it has there. */
interface Relation {
  readonly expression: Expression;
  readonly fields: readonly Field[];
}

/** A query of a WITH clause: name and kinds of its columns c0, c1, …. */
interface Named {
  readonly name: string;
  readonly kinds: readonly Kind[];
}

/** Rows that a query over the large table shows. */
const MOST_ROWS = 300;
const NOWHERE: Scope = { own: [], outer: [] };
const JOINS = ['JOIN', 'INNER JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'LEFT JOIN', 'SEMI JOIN', 'ANTI JOIN'];
const SETS = ['UNION', 'UNION ALL', 'INTERSECT', 'INTERSECT ALL', 'EXCEPT', 'EXCEPT ALL'];

/** Makes one random query over the tables of relation_tables.ts. Every relation has a name of its own: t1, t2, …. */
export class QueryGenerator {
  private readonly random: Random;
  private readonly expressions: RelationExpressions;
  private named: readonly Named[] = [];
  private relations = 0;
  private readsLarge = false;

  constructor(random: Random) {
    this.random = random;
    this.expressions = new RelationExpressions(random, (kinds, form, scope, depth) =>
      form === 'rows' ? this.body(kinds, scope, depth) : this.scalar(kinds[0] as Kind, scope, depth),
    );
  }

  statement(): Expression {
    const withs: Expression[] = [];
    if (this.random.chance(0.25)) {
      for (let i = 1 + this.random.below(2); i > 0; i--) withs.push(this.withClause(withs.length));
    }
    const kinds = this.kinds(1 + this.random.below(3));
    const query = this.counted(this.query(kinds, NOWHERE, 2));
    if (withs.length === 0) return query;
    return build('query', `WITH ${withs.map(() => '@').join(', ')} @`, ...withs, query);
  }

  /** Of a query over many rows each different one and how often it comes: comparing is the slow part. */
  private counted(query: Expression): Expression {
    if (!this.readsLarge) return query;
    return build('query', `SELECT *, count(*) AS n FROM (@) AS q GROUP BY ALL ORDER BY ALL LIMIT ${MOST_ROWS}`, query);
  }

  private withClause(index: number): Expression {
    const kinds = this.kinds(3);
    const hint = this.random.pick(['', '', 'MATERIALIZED ', 'NOT MATERIALIZED ']);
    const query = this.query(kinds, NOWHERE, 1);
    const name = `w${index}`;
    this.named = [...this.named, { name, kinds }];
    return build('relation', `${name} AS ${hint}(@)`, query);
  }

  private kinds(count: number): Kind[] {
    return Array.from({ length: count }, () => this.random.pick(RELATION_KINDS));
  }

  /** A query with columns c0, c1, … of these kinds. */
  private query(kinds: readonly Kind[], scope: Scope, depth: number): Expression {
    const body = this.body(kinds, scope, depth);
    if (!this.random.chance(0.15)) return body;
    return build('query', `@ ORDER BY ALL LIMIT ${this.random.below(12)}`, body);
  }

  private body(kinds: readonly Kind[], scope: Scope, depth: number, isOperand = false): Expression {
    if (depth > 0 && this.random.chance(0.2)) {
      const sides = [this.body(kinds, scope, depth - 1, true), this.body(kinds, scope, depth - 1, true)] as const;
      return build('query', `(@) ${this.random.pick(SETS)} (@)`, ...sides);
    }
    const from = this.from(scope, depth);
    const inside = { own: from.fields, outer: [...scope.outer, ...scope.own] };
    const where = this.random.chance(0.6)
      ? build('clause', ' WHERE @', this.expressions.predicate(inside, depth))
      : leaf('clause', '');
    // The row of no rows is none in DuckDB in a set operation that may refer to a row around it (docs/differences.md).
    const hasTotals = !isOperand || inside.outer.length === 0;
    switch (this.random.below(5)) {
      case 0:
        return this.grouped(kinds, inside, from, where, depth);
      case hasTotals ? 1 : -1:
        return this.list(
          kinds.map((kind) => this.aggregate(kind, inside)),
          '',
          from,
          where,
          [],
        );
      default: {
        const items = kinds.map((kind) => this.expressions.value(kind, inside, depth));
        return this.list(items, this.random.chance(0.2) ? 'DISTINCT ' : '', from, where, []);
      }
    }
  }

  private list(
    items: readonly Expression[],
    distinct: string,
    from: Relation,
    where: Expression,
    after: readonly Expression[],
  ): Expression {
    const names = items.map((_, i) => `@ AS c${i}`).join(', ');
    const rest = after.map(() => '@').join('');
    return build('query', `SELECT ${distinct}${names} FROM @@${rest}`, ...items, from.expression, where, ...after);
  }

  /** Aggregates of groups, also of several sets of keys; the keys are columns, none twice. */
  private grouped(kinds: readonly Kind[], scope: Scope, from: Relation, where: Expression, depth: number): Expression {
    const fields = scope.own;
    const keys = new Map<string, Field>();
    for (let i = 1 + this.random.below(3); i > 0 && fields.length > 0; i--) {
      const key = this.random.pick(fields);
      keys.set(key.text, key);
    }
    const list = [...keys.values()];
    const texts = list.map((key) => key.text);
    const [first, ...others] = texts;
    const all = texts.join(', ');
    // The total of no rows is no row in DuckDB where the query may refer to a row around it (docs/differences.md).
    const totals = [`ROLLUP (${all})`, `CUBE (${all})`, `GROUPING SETS ((${all}), (${first}), ())`];
    const forms = [all, all, ...(scope.outer.length === 0 ? totals : [])];
    if (others.length > 0)
      forms.push(`${first}, ROLLUP (${others.join(', ')})`, `GROUPING SETS ((${first}), (${others.join(', ')}))`);
    const groups = this.random.pick(forms);
    const items = kinds.map((kind) => {
      const key = list.filter((candidate) => candidate.kind === kind);
      if (kind === 'bigint' && groups !== all && this.random.chance(0.5)) return leaf(kind, `GROUPING(${all})`);
      return key.length > 0 && this.random.chance(0.6)
        ? leaf(kind, this.random.pick(key).text)
        : this.aggregate(kind, scope);
    });
    const having = this.random.chance(0.3)
      ? build(
          'clause',
          ` HAVING (@ ${this.random.pick(['>', '=', '<='])} @)`,
          leaf('bigint', 'count(*)'),
          this.havingBound(depth, scope),
        )
      : leaf('clause', '');
    return this.list(items, '', from, where, [leaf('relation', ` GROUP BY ${groups}`), having]);
  }

  private havingBound(depth: number, scope: Scope): Expression {
    if (depth > 0 && this.random.chance(0.3)) {
      return build('int', '(@)', this.scalar('int', { own: [], outer: scope.outer }, depth - 1));
    }
    return leaf('int', String(this.random.below(4)));
  }

  private aggregate(kind: Kind, scope: Scope): Expression {
    const own = { own: scope.own, outer: [] };
    const filter = this.random.chance(0.15) ? ' FILTER (WHERE @)' : '';
    const tests = filter === '' ? [] : [this.expressions.predicate(own, -1)];
    const distinct = this.random.pick(['', '', 'DISTINCT ']);
    const any = this.random.pick(RELATION_KINDS);
    const argument = this.expressions.field(kind, own);
    if (kind === 'bigint' && this.random.chance(0.7)) {
      return this.random.pick([
        () => build(kind, `count(*)${filter}`, ...tests),
        () => build(kind, `count(${distinct}@)${filter}`, this.expressions.field(any, own), ...tests),
        () => build(kind, `sum(${distinct}@)${filter}`, this.expressions.field('int', own), ...tests),
      ])();
    }
    if (kind === 'decimal' && this.random.chance(0.5))
      return build(kind, `sum(${distinct}@)${filter}`, argument, ...tests);
    if (kind === 'string' && argument.pieces[0]?.startsWith('t') && this.random.chance(0.3)) {
      return build(kind, `string_agg(@, '-' ORDER BY @)${filter}`, argument, argument, ...tests);
    }
    return build(kind, `${this.random.pick(['min', 'max'])}(@)${filter}`, argument, ...tests);
  }

  /** A query of one row at most, so that neither engine complains: an aggregate, or the first of sorted rows. */
  private scalar(kind: Kind, scope: Scope, depth: number): Expression {
    const from = this.from(scope, Math.min(depth, 0));
    const inside = { own: from.fields, outer: [...scope.outer, ...scope.own] };
    const where = this.random.chance(0.8)
      ? build('clause', ' WHERE @', this.expressions.predicate(inside, depth))
      : leaf('clause', '');
    if (this.random.chance(0.75)) return this.list([this.aggregate(kind, inside)], '', from, where, []);
    const item = this.expressions.field(kind, { own: inside.own, outer: [] });
    return this.list([item], '', from, where, [leaf('relation', ' ORDER BY 1 LIMIT 1')]);
  }

  private from(scope: Scope, depth: number): Relation {
    let from = this.relation(depth);
    const joins = this.random.pick(depth > 1 ? [0, 1, 1, 1, 2] : [0, 0, 1]);
    for (let i = 0; i < joins; i++) {
      from =
        depth > 0 && this.random.chance(0.12)
          ? this.lateral(from, scope, depth - 1)
          : this.join(from, this.relation(depth - 1), scope);
    }
    return from;
  }

  private relation(depth: number): Relation {
    const name = `t${++this.relations}`;
    if (this.named.length > 0 && this.random.chance(0.4)) {
      const cte = this.random.pick(this.named);
      return { expression: leaf('relation', `${cte.name} AS ${name}`), fields: fieldsOf(name, cte.kinds) };
    }
    if (depth > 0 && this.random.chance(0.2)) {
      const kinds = this.kinds(3);
      const query = this.query(kinds, NOWHERE, depth - 1);
      return { expression: build('relation', `(@) AS ${name}`, query), fields: fieldsOf(name, kinds) };
    }
    const table = this.table();
    const fields = table.columns.map((column) => ({ text: `${name}.${column.name}`, kind: column.kind }));
    return { expression: leaf('relation', `{${table.name}} AS ${name}`), fields };
  }

  private table(): RelationTable {
    if (this.readsLarge || !this.random.chance(0.12)) return this.random.pick(RELATION_TABLES);
    this.readsLarge = true;
    return LARGE_TABLE;
  }

  /** A query for each row of the relations on its left. */
  private lateral(left: Relation, scope: Scope, depth: number): Relation {
    const name = `t${++this.relations}`;
    const kinds = this.kinds(2);
    const outer = [...scope.outer, ...left.fields, ...left.fields];
    const query = this.query(kinds, { own: [], outer }, depth);
    const fields = [...left.fields, ...fieldsOf(name, kinds)];
    const form = this.random.pick(['@, LATERAL (@) AS #', '(@ JOIN LATERAL (@) AS # ON true)']);
    const outerForm = '(@ LEFT JOIN LATERAL (@) AS # ON true)';
    const text = (this.random.chance(0.4) ? outerForm : form).replace('#', name);
    return { expression: build('relation', text, left.expression, query), fields };
  }

  private join(left: Relation, right: Relation, scope: Scope): Relation {
    const both = [...left.fields, ...right.fields];
    const sides = [left.expression, right.expression] as const;
    if (this.random.chance(0.15)) {
      return { expression: build('relation', `@${this.random.pick([' CROSS JOIN ', ', '])}@`, ...sides), fields: both };
    }
    const kind = this.random.pick(JOINS);
    const shown = kind === 'SEMI JOIN' || kind === 'ANTI JOIN' ? left.fields : both;
    const key = this.random.pick(['k', 'k2', 's']);
    if (this.random.chance(0.2) && [left, right].every((side) => one(side, key))) {
      const keys =
        this.random.chance(0.3) && [left, right].every((side) => one(side, 'k2')) ? [...new Set([key, 'k2'])] : [key];
      return { expression: build('relation', `@ ${kind} @ USING (${keys.join(', ')})`, ...sides), fields: shown };
    }
    // DuckDB has no outer join whose condition reads the query around it
    const outer = /LEFT|RIGHT|FULL|SEMI|ANTI/.test(kind) ? [] : scope.outer;
    const condition = this.expressions.joinCondition(left.fields, right.fields, outer);
    return { expression: build('relation', `(@ ${kind} @ ON @)`, ...sides, condition), fields: shown };
  }
}

/** Whether a relation has one column of the name. */
const one = (relation: Relation, name: string): boolean =>
  relation.fields.filter((field) => field.text.endsWith(`.${name}`)).length === 1;

const fieldsOf = (name: string, kinds: readonly Kind[]): Field[] =>
  kinds.map((kind, i) => ({ text: `${name}.c${i}`, kind }));
