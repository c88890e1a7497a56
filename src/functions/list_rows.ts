import { FLOAT64, INT64, list, NULL_TYPE, STRING } from '../common/data_type.ts';
import { userError } from '../common/error.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow, Resolution, ResolvedArgument } from './function_row.ts';
import { reordered, resolveKeepingHalf, scalars, signaturesOf } from './function_row.ts';
import { NESTED_ROWS } from './nested_rows.ts';
import type { MatchFailure } from './overload.ts';
import { onVector } from './vector_types.ts';

type Resolved = Resolution | MatchFailure;

/** Lists keep the type of their elements, halves included. */
const onLists =
  (target: string): FunctionRow['resolve'] =>
  (args) =>
    resolveKeepingHalf(signaturesOf('scalar', [target]), args);

const text = (value: string): ResolvedArgument => ({ value, type: STRING });
const whole = (value: bigint): ResolvedArgument => ({ value, type: INT64 });

/** A call of `fn` on a list, with constants after it. */
function onList(
  fn: string,
  [value]: readonly ArgumentType[],
  constants: readonly ResolvedArgument[],
  fallible = false,
): Resolved {
  if (value === undefined || (value.type.kind !== 'list' && value.type.kind !== 'null')) return 'no_match';
  const type = value.type.kind === 'list' ? value.type : list(NULL_TYPE);
  return { fn, args: [{ index: 0, type }, ...constants], type, fallible };
}

/** list_sort(l[, order[, nulls]]), list_reverse_sort(l[, nulls]) */
const sorted =
  (order: 'ASC' | 'DESC'): FunctionRow['resolve'] =>
  (args) => {
    if (args.length < 1 || args.length > (order === 'ASC' ? 3 : 2)) return 'no_match';
    if (args.slice(1).some((arg) => arg.type.kind !== 'string')) return 'no_match';
    const given: ResolvedArgument[] = args.slice(1).map((_, i) => ({ index: i + 1, type: STRING }));
    const options = order === 'DESC' ? [text('DESC'), ...given] : given;
    const defaults = [text('ASC'), text('NULLS LAST')];
    return onList('list_sort', args, [...options, ...defaults.slice(options.length)], true);
  };

/** range(end), range(start, end[, step]) */
const series =
  (fn: string): FunctionRow['resolve'] =>
  (args) => {
    if (args.length < 1 || args.length > 3) return 'no_match';
    const filled = resolveKeepingHalf(signaturesOf('scalar', [fn]), [
      ...(args.length === 1 ? [ZERO] : []),
      ...args,
      ...(args.length < 3 ? [ONE] : []),
    ]);
    if (typeof filled === 'string') return filled;
    const given = args.map((_, index): ResolvedArgument => ({ index, type: INT64 }));
    const start = args.length === 1 ? [whole(0n)] : [];
    return { ...filled, args: [...start, ...given, ...(args.length < 3 ? [whole(1n)] : [])] };
  };
const ZERO: ArgumentType = { type: INT64, literal: 0n };
const ONE: ArgumentType = { type: INT64, literal: 1n };

/** array_to_string(l, separator): elements as text. */
const joined: FunctionRow['resolve'] = (args) => {
  const [value, separator] = args;
  if (value === undefined || args.length > 2 || (value.type.kind !== 'list' && value.type.kind !== 'null'))
    return 'no_match';
  if (separator !== undefined && separator.type.kind !== 'string' && separator.type.kind !== 'null') return 'no_match';
  const by: ResolvedArgument = separator === undefined ? text(',') : { index: 1, type: STRING };
  return { fn: 'array_to_string', args: [{ index: 0, type: list(STRING) }, by], type: STRING, fallible: false };
};

/** Names of aggregates in list_aggregate, where they are not those of a list function after `list_`. */
const AGGREGATE_NAMES: Readonly<Record<string, string>> = {
  mean: 'list_avg',
  arbitrary: 'list_first',
  group_concat: 'list_string_agg',
};

/** list_aggregate(l, 'name', …) is list_name(l, …). */
const aggregated: FunctionRow['resolve'] = (args) => {
  const name = args[1]?.literal;
  if (typeof name !== 'string') {
    throw userError(
      'binder',
      'list_aggregate takes a list and the name of an aggregate',
      undefined,
      "e.g. list_aggregate(l, 'sum')",
    );
  }
  const wanted = AGGREGATE_NAMES[name.toLowerCase()] ?? `list_${name.toLowerCase()}`;
  const row = REDUCTIONS().find((known) => known.names.includes(wanted));
  if (row === undefined) throw userError('binder', `no aggregate of lists: ${name}`);
  const others = args.map((_, i) => i).filter((i) => i !== 1);
  return reordered(row.resolve(others.map((i) => args[i] as ArgumentType)), others);
};

/** Rows that make one value of a list, found when they are asked for. */
const REDUCTIONS = (): readonly FunctionRow[] =>
  [...NESTED_ROWS, ...LIST_ROWS].filter((row) => row.category === 'list' && row.names[0] !== 'list_aggregate');

interface RowText {
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly example: string;
}

/** Rows over lists of anything, whose first name is the engine's. */
const plain = (rows: readonly RowText[]): FunctionRow[] =>
  scalars(
    'list',
    rows.map((row) => ({ ...row, targets: [row.names[0]], resolve: onLists(row.names[0]) })),
  );

/** Rows over lists of numbers with one DOUBLE as result. */
const ofNumbers = (rows: readonly RowText[]): FunctionRow[] =>
  scalars(
    'list',
    rows.map((row) => ({ ...row, targets: [row.names[0]], resolve: onVector(row.names[0], FLOAT64) })),
  );

/** What is made of lists, besides the functions of nested_rows.ts and vector_rows.ts. */
export const LIST_ROWS: readonly FunctionRow[] = [
  ...scalars('list', [
    {
      names: ['list_sort', 'array_sort'],
      targets: ['list_sort'],
      resolve: sorted('ASC'),
      doc: "Elements in order, NULLs last; takes `'ASC'` or `'DESC'`, then `'NULLS FIRST'` or `'NULLS LAST'`.",
      example: "list_sort([3, NULL, 1], 'DESC', 'NULLS FIRST')",
    },
    {
      names: ['list_reverse_sort', 'array_reverse_sort'],
      targets: ['list_sort'],
      resolve: sorted('DESC'),
      doc: "Elements in descending order, NULLs last; takes `'NULLS FIRST'` or `'NULLS LAST'`.",
      example: 'list_reverse_sort([3, 1, 2])',
    },
  ]),
  ...plain([
    {
      names: ['list_reverse', 'array_reverse'],
      doc: 'Elements from the last to the first.',
      example: 'list_reverse([1, 2, 3])',
    },
    {
      names: ['list_distinct', 'array_distinct'],
      doc: 'Different elements without NULL, in the order in which they first appear.',
      example: 'list_distinct([2, 1, NULL, 2])',
    },
    {
      names: ['list_unique', 'array_unique'],
      doc: 'Number of different elements, NULL not counted.',
      example: 'list_unique([2, 1, NULL, 2])',
    },
    {
      names: ['list_append', 'array_append', 'array_push_back'],
      doc: 'List with a value added at its end; a NULL list counts as empty.',
      example: 'list_append([1], 2)',
    },
    {
      names: ['list_prepend', 'array_prepend'],
      doc: 'List with a value added at its front.',
      example: 'list_prepend(1, [2])',
    },
    {
      names: ['list_resize', 'array_resize'],
      doc: 'List cut or filled up to a length, with NULL or a value.',
      example: 'list_resize([1, 2], 3, 0)',
    },
    {
      names: ['list_intersect', 'array_intersect'],
      doc: 'Different elements that both lists hold, in the order of the first.',
      example: 'list_intersect([1, 2, 3], [3, 1])',
    },
    {
      names: ['list_has_any', 'array_has_any'],
      doc: 'True when two lists share a value: `a && b`; NULL elements are ignored.',
      example: 'list_has_any([1, 2], [2, 3])',
    },
    {
      names: ['list_has_all', 'array_has_all'],
      doc: 'True when the first list holds every value of the second: `a @> b`; NULL elements are ignored.',
      example: 'list_has_all([1, 2], [2])',
    },
    {
      names: ['list_has_null', 'array_has_null'],
      doc: 'True when an element is NULL.',
      example: 'list_has_null([1, NULL])',
    },
    {
      names: ['flatten'],
      doc: 'Elements of the inner lists, one after another; NULL inner lists add nothing.',
      example: 'flatten([[1], [2, 3]])',
    },
    { names: ['list_first', 'array_first'], doc: 'First element, NULL included.', example: 'list_first([1, 2])' },
    { names: ['list_last', 'array_last'], doc: 'Last element, NULL included.', example: 'list_last([1, 2])' },
    { names: ['list_any_value'], doc: 'First element that is not NULL.', example: 'list_any_value([NULL, 2])' },
    {
      names: ['list_bool_and'],
      doc: 'True when every element is true; NULLs are skipped.',
      example: 'list_bool_and([true, false])',
    },
    {
      names: ['list_bool_or'],
      doc: 'True when an element is true; NULLs are skipped.',
      example: 'list_bool_or([true, false])',
    },
  ]),
  ...ofNumbers([
    {
      names: ['list_stddev_samp', 'list_stddev', 'array_stddev'],
      doc: 'Sample standard deviation of the elements.',
      example: 'list_stddev_samp([1, 2, 4])',
    },
    {
      names: ['list_stddev_pop'],
      doc: 'Population standard deviation of the elements.',
      example: 'list_stddev_pop([1, 2, 4])',
    },
    {
      names: ['list_var_samp', 'list_variance'],
      doc: 'Sample variance of the elements.',
      example: 'list_var_samp([1, 2, 4])',
    },
    { names: ['list_var_pop'], doc: 'Population variance of the elements.', example: 'list_var_pop([1, 2, 4])' },
    {
      names: ['list_median', 'array_median'],
      doc: 'Middle element as DOUBLE, or the mean of the two middle ones.',
      example: 'list_median([1, 5, 3])',
    },
  ]),
  ...scalars('list', [
    {
      names: ['slice', 'subvector'],
      targets: ['list_part'],
      resolve: onLists('list_part'),
      doc: 'Part of a list by start (from 1, negative from the end) and length, cut to the list.',
      example: 'slice([10, 20, 30], 2, 2)',
    },
    {
      names: ['array_pop_back'],
      targets: ['list_slice'],
      resolve: (args) => (args.length === 1 ? onList('list_slice', args, [whole(1n), whole(-2n)]) : 'no_match'),
      doc: 'List without its last element.',
      example: 'array_pop_back([1, 2])',
    },
    {
      names: ['array_pop_front'],
      targets: ['list_slice'],
      resolve: (args) => (args.length === 1 ? onList('list_slice', args, [whole(2n), whole(-1n)]) : 'no_match'),
      doc: 'List without its first element.',
      example: 'array_pop_front([1, 2])',
    },
    {
      names: ['array_push_front'],
      targets: ['list_prepend'],
      resolve: ([value, element, ...rest]) =>
        value === undefined || element === undefined || rest.length > 0
          ? 'no_match'
          : reordered(onLists('list_prepend')([element, value]), [1, 0]),
      doc: 'List with a value added at its front.',
      example: 'array_push_front([2], 1)',
    },
    {
      names: ['range'],
      resolve: series('range'),
      doc: 'List of whole numbers from a start (0) up to an end that is left out, by a step (1).',
      example: 'range(1, 4)',
    },
    {
      names: ['generate_series'],
      resolve: series('generate_series'),
      doc: 'List of whole numbers from a start (0) to an end, by a step (1).',
      example: 'generate_series(1, 3)',
    },
    {
      names: ['array_to_string', 'list_string_agg', 'array_to_string_comma_default'],
      targets: ['array_to_string'],
      resolve: joined,
      doc: 'Elements as text with a separator (a comma) between them; NULLs are skipped.',
      example: "array_to_string([1, 2], '-')",
    },
    {
      names: ['list_aggregate', 'list_aggr', 'array_aggregate', 'array_aggr'],
      targets: ['list_stddev_samp'],
      resolve: aggregated,
      doc: "A named aggregate over the elements: `list_aggregate(l, 'sum')` is `list_sum(l)`.",
      example: "list_aggregate([1, 2, 3], 'max')",
    },
  ]),
];
