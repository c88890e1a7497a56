import type { DataType } from '../common/data_type.ts';
import { BOOL, FLOAT64, INT64, list, map, NULL_TYPE, STRING, struct, UINT64 } from '../common/data_type.ts';
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

/** list_sort(l[, order[, nulls]]), list_reverse_sort(l[, nulls]), list_grade_up(l[, order[, nulls]]) */
const sorted =
  (order: 'ASC' | 'DESC', fn = 'list_sort'): FunctionRow['resolve'] =>
  (args) => {
    if (args.length < 1 || args.length > (order === 'ASC' ? 3 : 2)) return 'no_match';
    if (args.slice(1).some((arg) => arg.type.kind !== 'string')) return 'no_match';
    const given: ResolvedArgument[] = args.slice(1).map((_, i) => ({ index: i + 1, type: STRING }));
    const options = order === 'DESC' ? [text('DESC'), ...given] : given;
    const defaults = [text('ASC'), text('NULLS LAST')];
    return onList(fn, args, [...options, ...defaults.slice(options.length)], true);
  };

/** A function of a list whose result type follows from the list's. */
const onListGiving =
  (fn: string, type: (element: DataType) => DataType): FunctionRow['resolve'] =>
  ([value, ...rest]) => {
    if (value === undefined || rest.length > 0) return 'no_match';
    const call = onList(fn, [value], []);
    if (typeof call === 'string' || call.type.kind !== 'list') return call;
    return { ...call, type: type(call.type.element) };
  };

/** flatten(l); NULL, and a list of NULLs alone, is a list of lists of nothing. */
const flattened: FunctionRow['resolve'] = ([value, ...rest]) => {
  if (value === undefined) return 'no_match';
  const isEmpty = value.type.kind === 'null' || (value.type.kind === 'list' && value.type.element.kind === 'null');
  return onLists('flatten')([isEmpty ? { ...value, type: list(list(NULL_TYPE)) } : value, ...rest]);
};

/** Type of the elements of the innermost lists. */
const leafOf = (type: DataType): DataType => (type.kind === 'list' ? leafOf(type.element) : type);

/** list_zip(l, …[, truncate]): the lists and, in front of them for the engine, whether to cut to the shortest. */
const zipped: FunctionRow['resolve'] = (args) => {
  const truncates = args.length > 1 && args.at(-1)?.type.kind === 'bool';
  const lists = truncates ? args.slice(0, -1) : args;
  if (lists.length === 0) return 'no_match';
  if (lists.some(({ type }) => type.kind !== 'list' && type.kind !== 'null')) return 'no_match';
  const elements = lists.map(({ type }) => (type.kind === 'list' ? type.element : NULL_TYPE));
  const truncate: ResolvedArgument = truncates ? { index: args.length - 1, type: BOOL } : { value: false, type: BOOL };
  return {
    fn: 'list_zip',
    args: [truncate, ...elements.map((type, index): ResolvedArgument => ({ index, type: list(type) }))],
    type: list(struct(elements.map((type) => ({ name: '', type })))),
    fallible: false,
  };
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

/** array_to_string(l, separator) and list_string_agg: elements as text. */
const joined =
  (fn: string): FunctionRow['resolve'] =>
  (args) => {
    const [value, separator] = args;
    if (value === undefined || args.length > 2 || (value.type.kind !== 'list' && value.type.kind !== 'null'))
      return 'no_match';
    if (separator !== undefined && separator.type.kind !== 'string' && separator.type.kind !== 'null')
      return 'no_match';
    const by: ResolvedArgument = separator === undefined ? text(',') : { index: 1, type: STRING };
    return { fn, args: [{ index: 0, type: list(STRING) }, by], type: STRING, fallible: false };
  };

/** Names of aggregates in list_aggregate, where they are not those of a list function after `list_`. */
const AGGREGATE_NAMES: Readonly<Record<string, string>> = {
  mean: 'list_avg',
  arbitrary: 'list_first',
  group_concat: 'list_string_agg',
  listagg: 'list_string_agg',
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
    {
      names: ['list_grade_up', 'array_grade_up', 'grade_up'],
      targets: ['list_grade_up'],
      resolve: (args) => {
        const call = sorted('ASC', 'list_grade_up')(args);
        return typeof call === 'string' ? call : { ...call, type: list(INT64) };
      },
      doc: 'Positions from 1 of the elements in the order of `list_sort`, with the same options.',
      example: 'list_grade_up([30, 10, 20])',
    },
    {
      names: ['list_zip', 'array_zip'],
      targets: ['list_zip'],
      resolve: zipped,
      doc: 'Structs of the elements at the same place of several lists, filled up with NULL to the longest; a last argument `true` cuts to the shortest.',
      example: "list_zip([1, 2], ['a', 'b'])",
    },
    {
      names: ['flatten'],
      doc: 'Elements of the inner lists, one after another; NULL inner lists add nothing.',
      example: 'flatten([[1], [2, 3]])',
      targets: ['flatten'],
      resolve: flattened,
    },
    {
      names: ['list_leaves', 'array_leaves'],
      targets: ['list_leaves'],
      resolve: onListGiving('list_leaves', (element) => list(leafOf(element))),
      doc: 'Elements of the innermost lists at any depth, one after another; NULL lists add nothing. `unnest(list_leaves(l))` gives a row each, `len(list_leaves(l))` their number.',
      example: 'list_leaves([[[1], [2, 3]], [[4]]])',
    },
    {
      names: ['list_histogram', 'array_histogram'],
      targets: ['list_histogram'],
      resolve: onListGiving('list_histogram', (element) => map(element, UINT64)),
      doc: 'Map from each different element to the number of times that it occurs; NULLs are skipped.',
      example: 'list_histogram([1, 2, 2])',
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
      names: ['list_select', 'array_select'],
      doc: 'Elements at the positions from 1 that a second list holds, NULL outside.',
      example: 'list_select([10, 20, 30], [3, 1])',
    },
    {
      names: ['list_where', 'array_where'],
      doc: 'Elements at whose place a second list is true.',
      example: 'list_where([10, 20, 30], [true, false, true])',
    },
    {
      names: ['list_mode', 'array_mode'],
      doc: 'Most frequent element, of several the first; NULLs are skipped.',
      example: 'list_mode([1, 2, 2])',
    },
    {
      names: ['list_entropy'],
      doc: 'Entropy of the elements in bits, by how often each occurs; NULLs are skipped.',
      example: 'list_entropy([1, 1, 2, 2])',
    },
    {
      names: ['list_bit_and'],
      doc: 'Bits set in every element; NULLs are skipped.',
      example: 'list_bit_and([5, 7])',
    },
    { names: ['list_bit_or'], doc: 'Bits set in an element; NULLs are skipped.', example: 'list_bit_or([1, 4])' },
    {
      names: ['list_bit_xor'],
      doc: 'Bits set in an odd number of elements; NULLs are skipped.',
      example: 'list_bit_xor([1, 5])',
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
    {
      names: ['list_mad'],
      doc: 'Median of the distances of the elements from their median.',
      example: 'list_mad([1, 5, 3, 9])',
    },
    { names: ['list_sem'], doc: 'Standard error of the mean of the elements.', example: 'list_sem([1, 2, 4])' },
    {
      names: ['list_skewness'],
      doc: 'Skewness of the elements; NULL for less than three.',
      example: 'list_skewness([1, 2, 9])',
    },
    {
      names: ['list_kurtosis'],
      doc: 'Excess kurtosis of the elements of a sample; NULL for less than four.',
      example: 'list_kurtosis([1, 2, 3, 4, 9])',
    },
    {
      names: ['list_kurtosis_pop'],
      doc: 'Excess kurtosis of the elements of a population.',
      example: 'list_kurtosis_pop([1, 2, 3, 4, 9])',
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
      names: ['array_to_string', 'array_to_string_comma_default'],
      targets: ['array_to_string'],
      resolve: joined('array_to_string'),
      doc: 'Elements as text with a separator (a comma) between them; NULLs are skipped.',
      example: "array_to_string([1, 2], '-')",
    },
    {
      names: ['list_string_agg'],
      targets: ['list_string_agg'],
      resolve: joined('list_string_agg'),
      doc: 'Elements as text with a separator (a comma) between them; NULLs are skipped, no value gives NULL.',
      example: 'list_string_agg([1, 2])',
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
