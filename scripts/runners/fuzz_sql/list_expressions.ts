import type { Random } from '../random.ts';
import type { Expression, Kind } from './expression.ts';
import { build } from './expression.ts';

type Make = () => Expression;

/** What list functions are given: an expression of a kind, one level less deep. */
export interface Parts {
  readonly random: Random;
  readonly of: (kind: Kind) => Expression;
  readonly atom: (kind: Kind) => Expression;
}

/** Bodies of lambdas over an INTEGER x; some read a column of the row. */
const INT_BODIES = ['(x + 1)', '(x * 2)', '(- x)', 'coalesce(x, 0)', '(x % 7)', '(x + small)', 'greatest(x, id)'];
const INT_TESTS = ['x > 0', 'x % 2 = 0', 'x IS NOT NULL', 'x IS NULL', 'x < small', 'x BETWEEN -10 AND 10'];
const TEXT_BODIES = ['upper(x)', "(x || '!')", "coalesce(x, '')", 'reverse(x)', '(x || s2)'];
const TEXT_TESTS = ['length(x) > 1', "x LIKE '%a%'", 'x IS NULL', 'x < s'];
const SORTS = ['', ", 'ASC'", ", 'DESC'", ", 'DESC', 'NULLS FIRST'", ", 'ASC', 'NULLS FIRST'"];

/** Expressions of `kind` that call list functions; empty where none gives it. */
export function listExpressions(kind: Kind, { random, of, atom }: Parts): readonly Make[] {
  const ints = (): Expression => of('int_list');
  const texts = (): Expression => of('string_list');
  const any = (): Expression => random.pick([ints, texts])();
  switch (kind) {
    case 'int_list':
      return [
        () => build(kind, `list_transform(@, x -> ${random.pick(INT_BODIES)})::INTEGER[]`, ints()),
        () => build(kind, 'list_transform(@, (x, i) -> x + i)::INTEGER[]', ints()),
        () => build(kind, `list_filter(@, x -> ${random.pick(INT_TESTS)})`, ints()),
        () => build(kind, `[x FOR x IN (@) IF ${random.pick(INT_TESTS)}]`, ints()),
        () => build(kind, `list_sort(@${random.pick(SORTS)})`, ints()),
        () => build(kind, 'list_reverse(@)', ints()),
        () => build(kind, 'list_reverse_sort(@)', ints()),
        () => build(kind, 'list_append(@, @)::INTEGER[]', ints(), atom('int')),
        () => build(kind, 'list_prepend(@, @)::INTEGER[]', atom('int'), ints()),
        () => build(kind, `list_resize(@, ${random.below(5)})`, ints()),
        () => build(kind, 'list_sort(list_distinct(@))', ints()),
        () => build(kind, 'list_sort(list_intersect(@, coalesce(@, [])))', ints(), ints()),
        () => build(kind, `list_select(@, [${random.below(4)}, ${random.below(6) - 3}]::BIGINT[])`, ints()),
        () => build(kind, `list_where(@, [${random.pick(['true', 'false'])}, true])`, ints()),
        () => build(kind, `list_grade_up(@${random.pick(SORTS)})::INTEGER[]`, any()),
        () => build(kind, 'flatten([@, @])', ints(), ints()),
        () => build(kind, 'list_transform(@, x -> length(x))::INTEGER[]', texts()),
      ];
    case 'string_list':
      return [
        () => build(kind, `list_transform(@, x -> ${random.pick(TEXT_BODIES)})`, texts()),
        () => build(kind, `list_filter(@, x -> ${random.pick(TEXT_TESTS)})`, texts()),
        () => build(kind, `list_sort(@${random.pick(SORTS)})`, texts()),
        () => build(kind, 'list_reverse(@)', texts()),
        () => build(kind, 'list_concat(@, coalesce(@, []))', texts(), texts()),
        () => build(kind, 'list_sort(list_distinct(@))', texts()),
        () => build(kind, 'list_transform(@, x -> x::VARCHAR)', ints()),
        () => build(kind, 'list_append(@, @)', texts(), atom('string')),
      ];
    case 'int':
      return [
        () => build(kind, `${random.pick(['list_min', 'list_max', 'list_first', 'list_last'])}(@)`, ints()),
        () => build(kind, `${random.pick(['list_bit_and', 'list_bit_or', 'list_bit_xor'])}(@)`, ints()),
        () => build(kind, 'list_position(@, @)', ints(), atom('int')),
        () => build(kind, 'list_reduce(@, (a, x) -> greatest(a, x), 0)', ints()),
        () => build(kind, 'list_any_value(@)', ints()),
      ];
    case 'bigint':
      return [
        () => build(kind, 'list_count(@)', any()),
        () => build(kind, 'list_unique(@)::BIGINT', any()),
        () => build(kind, 'list_sum(@)::BIGINT', ints()),
        () => build(kind, "list_aggregate(@, 'count')", ints()),
        () => build(kind, 'len(list_zip(@, @))', any(), any()),
      ];
    case 'double':
      return [() => build(kind, 'list_avg(@)', ints()), () => build(kind, 'list_median(@)::DOUBLE', ints())];
    case 'bool':
      return [
        () => build(kind, `${random.pick(['list_has_any', 'list_has_all'])}(@, @)`, ints(), ints()),
        () => build(kind, '(@ && @)', ints(), ints()),
        () => build(kind, `list_bool_${random.pick(['and', 'or'])}(list_transform(@, x -> x > 0))`, ints()),
        () => build(kind, 'list_contains(@, @)', texts(), atom('string')),
      ];
    case 'string':
      return [
        () => build(kind, "array_to_string(@, '-')", any()),
        () => build(kind, `${random.pick(['list_min', 'list_max', 'list_first', 'list_last'])}(@)`, texts()),
        () => build(kind, 'list_histogram(@)::VARCHAR', any()),
        () => build(kind, 'list_zip(@, @)::VARCHAR', any(), any()),
        () => build(kind, "list_reduce(@, (a, x) -> a || x, '')", texts()),
      ];
    default:
      return [];
  }
}
