import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build, leaf } from './expression.ts';

type Make = () => Expression;

/** What list functions are given: an expression of a kind, one level less deep. */
export interface Parts {
  readonly random: Random;
  readonly of: (kind: Kind) => Expression;
  readonly atom: (kind: Kind) => Expression;
  /** an expression that may also read the parameters of a lambda */
  readonly body: (kind: Kind, parameters: Readonly<Record<string, Kind>>) => Expression;
  /** the same without columns: DuckDB takes those of other rows in list_reduce */
  readonly closed: (kind: Kind, parameters: Readonly<Record<string, Kind>>) => Expression;
}

const SORTS = ['', ", 'ASC'", ", 'DESC'", ", 'DESC', 'NULLS FIRST'", ", 'ASC', 'NULLS FIRST'"];
/** Functions of two vectors; those of an angle are NULL beside a zero vector. */
const VECTOR_CALLS = [
  'list_distance(@, @)',
  'list_inner_product(@, @)',
  'list_dot_product(@, @)',
  'list_negative_inner_product(@, @)',
  'list_cosine_similarity(@, @)',
  'list_cosine_distance(@, @)',
  '(@ <-> @)',
  '(@ <=> @)',
];
const TRANSFORM = ['list_transform', 'array_transform', 'list_apply', 'array_apply', 'apply'];
const FILTER = ['list_filter', 'array_filter', 'filter'];
const REDUCE = ['list_reduce', 'array_reduce', 'reduce'];
const CONCAT = ['list_concat(@, @)', 'list_cat(@, @)', 'array_concat(@, @)', 'array_cat(@, @)', '(@ || @)'];

const ELEMENTS: Readonly<Partial<Record<Kind, Kind>>> = {
  int_list: 'int',
  string_list: 'string',
  float_list: 'float',
  nested_list: 'int_list',
};
const SQL_ELEMENTS: Readonly<Partial<Record<Kind, string>>> = {
  int_list: 'INTEGER[]',
  string_list: 'VARCHAR[]',
  float_list: 'FLOAT[]',
  nested_list: 'INTEGER[][]',
};

/** Names of lambda parameters, so that an inner lambda usually hides none of an outer one. */
const NAMES = ['x', 'y', 'z', 'e'];

/** Expressions of `kind` that call list functions; empty where none gives it. */
export function listExpressions(kind: Kind, parts: Parts): readonly Make[] {
  const { random, of, atom, body, closed } = parts;
  const one = (names: readonly string[]): string => random.pick(names);
  const ints = (): Expression => of('int_list');
  const texts = (): Expression => of('string_list');
  const floats = (): Expression => of('float_list');
  const nested = (): Expression => of('nested_list');
  const any = (): Expression => random.pick([ints, texts, floats, nested])();
  const flat = (): Expression => random.pick([ints, texts, floats])();
  const element = ELEMENTS[kind];
  const mapped = mappedLists(kind, parts);
  switch (kind) {
    case 'int_list':
      return [
        ...sameLists(kind, 'int', parts),
        ...mapped,
        () => build(kind, 'list_append(@, @)::INTEGER[]', ints(), atom('int')),
        () =>
          build(
            kind,
            `list_grade_up(list_transform(@, (x, i) -> coalesce(x % 100, 0) * 100 + i)${one(SORTS)})::INTEGER[]`,
            ints(),
          ),
        () => build(kind, 'flatten(@)', nested()),
        () => build(kind, 'flatten([@, @])', ints(), ints()),
        () => build(kind, '@[@]', nested(), atom('int')),
        () => build(kind, `${one(['range', 'generate_series'])}(0, @)::INTEGER[]`, build('int', 'small')),
      ];
    case 'string_list':
      return [...sameLists(kind, 'string', parts), ...mapped];
    case 'float_list':
      return [...sameLists(kind, 'float', parts), ...mapped, () => build(kind, '@::FLOAT[]', ints())];
    case 'nested_list':
      return [
        ...mapped,
        () => build(kind, '[@, @]', ints(), ints()),
        () => build(kind, 'list_reverse(@)', nested()),
        () => build(kind, `list_sort(@${one(SORTS)})`, nested()),
        () => build(kind, 'list_append(@, @)', nested(), ints()),
        () => build(kind, one(CONCAT), nested(), build(kind, 'coalesce(@, [])', nested())),
        () => build(kind, 'list_sort(list_distinct(@))', nested()),
        () => build(kind, `@[${random.below(4) - 1}:${random.below(4) - 1}]`, nested()),
      ];
    case 'int':
      return [
        () => build(kind, `${one(['list_min', 'list_max', 'list_first', 'list_last'])}(@)`, ints()),
        () => build(kind, `${one(['list_bit_and', 'list_bit_or', 'list_bit_xor'])}(@)`, ints()),
        () => build(kind, `${one(['list_position', 'list_indexof', 'array_position'])}(@, @)`, ints(), atom('int')),
        () => build(kind, `${one(['list_extract', 'list_element', 'array_extract'])}(@, @)`, ints(), atom('int')),
        () =>
          build(
            kind,
            `${one(REDUCE)}(@, (a, x) -> (@)::INTEGER | 0, @)`,
            ints(),
            closed('int', { a: kind, x: kind }),
            atom(kind),
          ),
        () =>
          build(
            kind,
            `${one(REDUCE)}(@, (a, x, i) -> (@)::INTEGER | 0, @)`,
            ints(),
            closed('int', { a: 'int', x: 'int', i: 'bigint' }),
            atom('int'),
          ),
        () => build(kind, 'list_reduce([0] || @, (a, x) -> coalesce(a, 0) + x // 1000)', ints()),
        () => build(kind, 'list_any_value(@)', ints()),
      ];
    case 'bigint':
      return [
        () => build(kind, 'list_count(@)', any()),
        () => build(kind, `${one(['len', 'length', 'array_length'])}(@)`, any()),
        () => build(kind, `${one(['list_unique', 'array_unique'])}(@)::BIGINT`, any()),
        () => build(kind, 'list_sum(@)::BIGINT', ints()),
        () => build(kind, `${one(['list_aggregate', 'list_aggr', 'array_aggregate'])}(@, 'count')`, any()),
        () => build(kind, 'list_product(list_filter(@, x -> abs(x) < 5))::BIGINT', ints()),
        () => build(kind, 'len(list_zip(@, @))', any(), any()),
      ];
    case 'float':
      return [
        () => build(kind, `${one(['list_min', 'list_max', 'list_first', 'list_last'])}(@)`, floats()),
        () => build(kind, `@[${random.below(5) - 2}]`, floats()),
      ];
    case 'double':
      return [
        () => build(kind, 'list_avg(@)', ints()),
        () => build(kind, 'list_median(@)::DOUBLE', ints()),
        () => build(kind, `${one(['list_sum', 'list_avg'])}(@)`, leaf('float_list', one(['v', 'h']))),
        () =>
          build(
            kind,
            `round(list_${one(['stddev_pop', 'var_samp', 'entropy'])}(@), 6)`,
            leaf('float_list', one(['v', 'h'])),
          ),
        () => build(kind, one(VECTOR_CALLS), leaf('float_list', 'v'), leaf('float_list', one(['v', 'h', VECTOR]))),
        () => build(kind, one(VECTOR_CALLS), leaf('float_list', one(['h', VECTOR])), leaf('float_list', 'v')),
      ];
    case 'bool':
      return [
        () =>
          build(
            kind,
            `${one(['list_has_any', 'list_has_all', 'array_has_any', 'array_has_all'])}(@, @)`,
            ints(),
            ints(),
          ),
        () => infix(kind, one(['&&', '@>', '<@']), ...pair(random.chance(0.5) ? ints : texts)),
        () =>
          build(kind, `list_bool_${one(['and', 'or'])}(list_transform(@, x -> @))`, ints(), body(kind, { x: 'int' })),
        () => build(kind, `${one(['list_contains', 'array_contains', 'list_has'])}(@, @)`, texts(), atom('string')),
        () => build(kind, 'list_contains(@, @)', nested(), ints()),
        () => build(kind, `(@ ${one(['=', '<', '>=', '<>'])} @)`, ...pair(random.pick([texts, floats, nested]))),
        () => build(kind, `(@ ${one(['IN', 'NOT IN'])} l)`, atom('int')),
      ];
    case 'string':
      return [
        () => build(kind, "list_aggregate(@, 'string_agg', '-')", texts()),
        () => build(kind, "array_to_string(@, '-')", any()),
        () => build(kind, `${one(['list_min', 'list_max', 'list_first', 'list_last'])}(@)`, texts()),
        () => build(kind, 'list_histogram(@)::VARCHAR', flat()),
        () => build(kind, 'list_zip(@, @)::VARCHAR', any(), any()),
        () => build(kind, 'list_zip(@, @, @)::VARCHAR', flat(), any(), flat()),
        () => build(kind, 'list_zip(@, @, true)::VARCHAR', any(), any()),
        () =>
          build(kind, `list_reduce(@, (a, x) -> @ || '', @)`, texts(), closed(kind, { a: kind, x: kind }), atom(kind)),
        () => build(kind, 'list_transform(@, (x, i) -> {p: i, q: x})::VARCHAR', flat()),
        () => build(kind, '@::VARCHAR', any()),
      ];
    default:
      return element === undefined ? [] : mapped;
  }
}

/** Values beside a column of vectors. */
const VECTOR = '[1.5, -2, 0.25]::FLOAT[]';

/** An operator that may hold the mark of an argument. */
const infix = (kind: Kind, operator: string, ...args: [Expression, Expression]): Expression => ({
  kind,
  pieces: ['(', ` ${operator} `, ')'],
  args,
});

const pair = (make: Make): [Expression, Expression] => [make(), make()];

/** Lists that functions make from lists of the same type. */
function sameLists(kind: Kind, element: Kind, { random, of, atom, body }: Parts): Make[] {
  const one = (names: readonly string[]): string => random.pick(names);
  const list = (): Expression => of(kind);
  const orEmpty = (): Expression => build(kind, 'coalesce(@, [])', list());
  const bound = (): string => (random.chance(0.2) ? '' : String(random.below(9) - 4));
  return [
    () => build(kind, `${one(['list_sort', 'array_sort'])}(@${one(SORTS)})`, list()),
    () => build(kind, `list_select(@, list_grade_up(@${one(SORTS)}))`, ...twice(list())),
    () => build(kind, `${one(['list_reverse', 'array_reverse'])}(@)`, list()),
    () => build(kind, `${one(['list_reverse_sort', 'array_reverse_sort'])}(@)`, list()),
    () =>
      build(
        kind,
        `${one(['list_append', 'array_append', 'array_push_back'])}(@, (@)::${TYPES[element]})`,
        list(),
        atom(element),
      ),
    () => build(kind, `${one(['list_prepend', 'array_prepend'])}((@)::${TYPES[element]}, @)`, atom(element), list()),
    () => build(kind, `${one(['array_pop_back', 'array_pop_front'])}(@)`, list()),
    () => build(kind, one(CONCAT), list(), orEmpty()),
    () => build(kind, `list_resize(@, ${random.below(5)})`, list()),
    () => build(kind, `list_resize(@, ${random.below(5)}, (@)::${TYPES[element]})`, list(), atom(element)),
    () => build(kind, 'list_sort(list_distinct(@))', list()),
    () => build(kind, 'list_sort(list_intersect(@, coalesce(@, [])))', list(), list()),
    // DuckDB reads beyond the elements of a list of texts for positions outside
    () =>
      kind === 'string_list'
        ? build(kind, `list_select(['a', 'ż', NULL] || @, [${1 + random.below(3)}, 2]::BIGINT[])`, list())
        : build(kind, `list_select(@, [${random.below(4)}, ${random.below(6) - 3}]::BIGINT[])`, list()),
    () => build(kind, `list_where(@, [${one(['true', 'false'])}, true])`, list()),
    () => build(kind, `(@)[${bound()}:${bound()}]`, list()),
    () => build(kind, `${one(['list_slice', 'array_slice'])}(@, ${bound() || 1}, ${bound() || 2})`, list()),
    () => build(kind, `${one(FILTER)}(@, x -> @)`, list(), body('bool', { x: element })),
    () => build(kind, `${one(FILTER)}(@, (x, i) -> @)`, list(), body('bool', { x: element, i: 'bigint' })),
    () => build(kind, `[x FOR x IN (@) IF @]`, list(), body('bool', { x: element })),
    () => build(kind, `list_filter(@, lambda x, i: i % 2 = 1)`, list()),
  ];
}

const twice = (expression: Expression): [Expression, Expression] => [expression, expression];

/** Element types as casts name them. */
const TYPES: Readonly<Partial<Record<Kind, string>>> = { int: 'INTEGER', string: 'VARCHAR', float: 'FLOAT' };

/** Lists that a lambda makes from the elements of another, which may be of another type. */
function mappedLists(kind: Kind, { random, of, body }: Parts): Make[] {
  const element = ELEMENTS[kind];
  const type = SQL_ELEMENTS[kind];
  if (element === undefined || type === undefined) return [];
  const from = random.pick(['int_list', 'int_list', 'string_list', 'float_list', 'nested_list'] as const);
  const inner = ELEMENTS[from] as Kind;
  const name = random.pick(NAMES);
  const call = random.pick(TRANSFORM);
  return [
    () => build(kind, `${call}(@, ${name} -> @)::${type}`, of(from), body(element, { [name]: inner })),
    () =>
      build(kind, `${call}(@, (${name}, i) -> @)::${type}`, of(from), body(element, { [name]: inner, i: 'bigint' })),
    () => build(kind, `${call}(@, lambda ${name}: @)::${type}`, of(from), body(element, { [name]: inner })),
    () => build(kind, `([@ FOR ${name} IN (@)]::${type})`, body(element, { [name]: inner }), of(from)),
  ];
}
