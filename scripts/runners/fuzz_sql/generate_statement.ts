import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf, renderExpression } from './expression.ts';
import { ExpressionGenerator, KINDS } from './generate_expression.ts';
import type { Source, Statement } from './statement.ts';
import { COLUMNS } from './table.ts';

/** A random SELECT over the random table. */
export function generateStatement(random: Random): Statement {
  const outside = new ExpressionGenerator(random, COLUMNS);
  const source = sourceOf(random, outside);
  if (source.kind === 'unnest') return overElements(random, source);
  const make = outside;
  const where = random.chance(0.4) ? make.of('bool', 2) : undefined;
  const base = {
    source,
    distinct: false,
    keys: [],
    sets: 'one' as const,
    aggregate: false,
    where,
    having: undefined,
    orderBy: [],
    limit: undefined,
  };
  const items = (count: number): Expression[] => Array.from({ length: count }, () => make.of(make.kind(), 3));
  switch (random.below(6)) {
    case 0:
      return { ...base, items: [leaf('int', 'id'), ...items(1 + random.below(3))] };
    case 1:
      if (random.chance(0.3)) {
        const list = make.of(random.pick(['int_list', 'string_list']), 1);
        return { ...base, items: [leaf('int', 'id'), build('string', 'unnest(@)', list)] };
      }
      return { ...base, items: [leaf('int', 'id'), ...items(1 + random.below(3))] };
    case 2: {
      // rows that come twice have no order among themselves
      const source: Source = base.source.kind === 'twice' ? { kind: 'table' } : base.source;
      const orderBy = Array.from({ length: 1 + random.below(2) }, () => ({
        by: sortKey(random, make),
        suffix: random.pick(['', ' DESC', ' NULLS FIRST', ' DESC NULLS FIRST', ' ASC NULLS LAST']),
      }));
      const limit = random.chance(0.6) ? { count: random.below(50), offset: random.pick([0, 0, 3, 40]) } : undefined;
      return { ...base, source, items: [leaf('int', 'id'), ...items(1)], orderBy, limit };
    }
    case 3:
      return { ...base, distinct: true, items: items(1 + random.below(2)) };
    case 4:
      return { ...base, aggregate: true, items: aggregates(random, make, 1 + random.below(4)) };
    default: {
      const keys = Array.from({ length: 1 + random.below(2) }, () =>
        random.chance(0.6) ? make.column(random.pick(KINDS)) : make.of(make.kind(), 1),
      );
      const having = random.chance(0.2)
        ? build('bool', '(count(*) > @)', leaf('int', String(random.below(4))))
        : undefined;
      // DuckDB tells two equal keys of a set apart, though no name does, and drops sets of constants with HAVING
      const texts = keys.map(renderExpression);
      const apart = new Set(texts).size === texts.length && keys.every((key) => make.readsColumn(key));
      const sets = apart ? random.pick(['one', 'one', 'one', 'rollup', 'cube'] as const) : 'one';
      return { ...base, keys, sets, aggregate: true, items: aggregates(random, make, 1 + random.below(3)), having };
    }
  }
}

/** Elements of lists as rows, whose order DuckDB does not keep. */
function overElements(random: Random, source: Extract<Source, { kind: 'unnest' }>): Statement {
  const element: Kind = source.list.kind === 'int_list' ? 'int' : 'string';
  const columns = [
    { name: 'e', kind: element, type: '' },
    { name: 'place', kind: 'bigint' as const, type: '' },
  ];
  const make = new ExpressionGenerator(random, [...COLUMNS, ...columns, ...columns, ...columns]);
  const base = { source, sets: 'one' as const, having: undefined, orderBy: [], limit: undefined };
  const where = random.chance(0.4) ? make.of('bool', 2) : undefined;
  if (random.chance(0.5)) {
    const items = [leaf('int', 'id'), leaf(element, 'e'), make.of(make.kind(), 2)];
    return { ...base, distinct: random.chance(0.2), keys: [], aggregate: false, items, where };
  }
  const keys = random.chance(0.7) ? [make.column(random.pick([element, 'bigint', 'bool'] as const))] : [];
  const items = [
    build('bigint', 'count(@)', make.column(element)),
    build('string', `list(@ ORDER BY id, place)`, make.column(random.pick([element, 'bigint', 'int'] as const))),
    build('string', `${random.pick(['min', 'max'])}(@)`, leaf(element, 'e')),
  ];
  return { ...base, distinct: false, keys, aggregate: true, items, where };
}

function sortKey(random: Random, make: ExpressionGenerator): Expression {
  const kind = random.pick(KINDS);
  const key = make.of(kind, 1);
  return make.readsColumn(key) ? key : make.column(kind);
}

function sourceOf(random: Random, make: ExpressionGenerator): Source {
  switch (random.below(10)) {
    case 0:
      return { kind: 'filtered', where: make.of('bool', 1) };
    case 1:
      return { kind: 'limited', count: random.pick([0, 1, 40, 2050]), offset: random.pick([0, 0, 31]) };
    case 2:
      return { kind: 'twice' };
    case 3: {
      // without lambdas: DuckDB does not see the columns that they read here
      const kind = random.pick(['int_list', 'string_list'] as const);
      const form = random.pick(['@', '@', 'list_reverse(@)', 'list_sort(@)', '(@)[2:]', 'list_append(@, NULL)']);
      const list = build(kind, form, make.column(kind));
      return { kind: 'unnest', list, outer: random.chance(0.5) };
    }
    default:
      return { kind: 'table' };
  }
}

const ORDERED_KINDS: readonly Kind[] = [
  'bool',
  'int',
  'bigint',
  'double',
  'decimal',
  'string',
  'date',
  'timestamp',
  'int_list',
];

const ORDERS = ['', ' DESC', ' NULLS FIRST', ' DESC NULLS FIRST'];
const STATISTICS = ['entropy', 'mad', 'skewness', 'kurtosis', 'kurtosis_pop', 'sem', 'fsum', 'favg'];
const REGRESSIONS = [
  'regr_avgx',
  'regr_avgy',
  'regr_sxx',
  'regr_syy',
  'regr_sxy',
  'regr_slope',
  'regr_intercept',
  'regr_r2',
  'corr',
  'covar_pop',
  'covar_samp',
];

function aggregates(random: Random, make: ExpressionGenerator, count: number): Expression[] {
  return Array.from({ length: count }, () => aggregate(random, make));
}

/** Floating point goes into sums only as `tame`: any order of summing gives the same bits. */
function aggregate(random: Random, make: ExpressionGenerator): Expression {
  // with a FILTER only columns: DuckDB computes the argument for all rows, quern for those that pass
  const filter = random.chance(0.15) ? ' FILTER (WHERE @)' : '';
  const argument = (kind: Kind): Expression => (filter === '' ? make.of(kind, 1) : make.column(kind));
  const args = (...list: Expression[]): Expression[] => (filter === '' ? list : [...list, make.of('bool', 1)]);
  const number = (): Expression =>
    random.pick<() => Expression>([
      () => argument('int'),
      () => make.column('bigint'),
      () => argument('decimal'),
      () => leaf('double', 'tame'),
    ])();
  const ordered = (): Expression => argument(random.pick(ORDERED_KINDS));
  const distinct = random.chance(0.2) ? 'DISTINCT ' : '';
  return random.pick<() => Expression>([
    () => build('bigint', `count(*)${filter}`, ...args()),
    () => build('bigint', `count(${distinct}@)${filter}`, ...args(argument(make.kind()))),
    () => build('decimal', `sum(${distinct}@)${filter}`, ...args(number())),
    () => build('double', `avg(@)${filter}`, ...args(number())),
    () => build('string', `min(@)${filter}`, ...args(ordered())),
    () => build('string', `max(@)${filter}`, ...args(ordered())),
    () => build('bool', `${random.pick(['bool_and', 'bool_or'])}(@)${filter}`, ...args(argument('bool'))),
    () => build('int', `${random.pick(['bit_and', 'bit_or', 'bit_xor'])}(@)${filter}`, ...args(argument('int'))),
    () =>
      build(
        'double',
        `${random.pick(['stddev', 'var_pop', 'stddev_pop', 'var_samp'])}(@)${filter}`,
        ...args(leaf('double', random.pick(['tame', 'small', 'm']))),
      ),
    () => build('double', `median(@)${filter}`, ...args(leaf('int', 'id'))),
    () =>
      build(
        'double',
        `quantile_cont(@, ${random.pick(['0.1', '0.5', '0.99'])})${filter}`,
        ...args(leaf('double', random.pick(['tame', 'small', 'id']))),
      ),
    () => build('string', `quantile_disc(@, ${random.pick(['0.1', '0.5', '0.99'])})${filter}`, ...args(ordered())),
    () => build('string', `string_agg(@, ',')${filter}`, ...args(argument('string'))),
    () => build('string', `list(@)${filter}`, ...args(argument(make.kind()))),
    () =>
      build(
        'string',
        `${random.pick(['list', 'array_agg', 'first', 'last'])}(@ ORDER BY @${random.pick(ORDERS)}, id)${filter}`,
        ...args(argument(make.kind()), make.column(random.pick(ORDERED_KINDS))),
      ),
    () =>
      build(
        'string',
        `string_agg(@, '-' ORDER BY @${random.pick(ORDERS)}, id DESC)${filter}`,
        ...args(argument('string'), make.column(random.pick(ORDERED_KINDS))),
      ),
    () => build('string', `list_sort(list(DISTINCT @)${filter})`, ...args(argument(random.pick(ORDERED_KINDS)))),
    () => {
      const value = make.column(random.pick(ORDERED_KINDS));
      return build('string', `list(DISTINCT @ ORDER BY @${random.pick(ORDERS)})${filter}`, ...args(value, value));
    },
    () => build('string', `${random.pick(['min', 'max'])}(@, ${1 + random.below(4)})${filter}`, ...args(ordered())),
    () =>
      build(
        'string',
        `${random.pick(['arg_min', 'arg_max'])}(@, id, ${1 + random.below(3)})${filter}`,
        ...args(make.column(random.pick(ORDERED_KINDS))),
      ),
    () =>
      build('string', `${random.pick(['first', 'last', 'any_value'])}(@)${filter}`, ...args(make.column(make.kind()))),
    () => build('double', `${random.pick(STATISTICS)}(@)${filter}`, ...args(leaf('int', 'small'))),
    () =>
      build(
        'double',
        `${random.pick(REGRESSIONS)}(@, @)${filter}`,
        ...args(leaf('double', 'tame'), leaf('int', 'small')),
      ),
    () => build('string', `histogram(@)${filter}`, ...args(leaf('int', 'small'))),
    () =>
      build(
        'string',
        `${random.pick(['histogram', 'histogram_exact'])}(@, [1, 3])${filter}`,
        ...args(leaf('int', 'small')),
      ),
    () =>
      build('string', `quantile_disc(@, [${random.pick(['0.1, 0.5', '-0.2, -0.9'])}])${filter}`, ...args(ordered())),
    () =>
      build(
        'double',
        `quantile_cont(@, [${random.pick(['0.25, 0.75, 1.0', '-0.25, -0.5'])}])${filter}`,
        ...args(leaf('double', 'tame')),
      ),
    () =>
      build(
        'double',
        `${random.pick(['percentile_cont', 'percentile_disc'])}(0.3) WITHIN GROUP (ORDER BY @${random.pick(['', ' DESC'])})${filter}`,
        ...args(leaf('double', 'tame')),
      ),
    () => build('timestamp', `median(@)${filter}`, ...args(argument(random.pick(['date', 'timestamp'] as const)))),
    () =>
      build(
        'string',
        `${random.pick(['arg_min_null', 'arg_max_null', 'arg_min_nulls_last', 'arg_max_nulls_last'])}(@, id)${filter}`,
        ...args(make.column(random.pick(ORDERED_KINDS))),
      ),
    () =>
      build(
        'string',
        `${random.pick(['arg_min', 'arg_max'])}(@, id)${filter}`,
        ...args(make.column(random.pick(ORDERED_KINDS))),
      ),
  ])();
}
