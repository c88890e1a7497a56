import { FLOAT64, list, TIMESTAMP, UINT64 } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { aggregates, resolveAmong, resolveKeepingHalf, signaturesOf } from './function_row.ts';
import { onVector } from './vector_types.ts';

/** Aggregates that hand values on keep their type, halves included. */
const keeping =
  (target: string): FunctionRow['resolve'] =>
  (args) =>
    resolveKeepingHalf(signaturesOf('aggregate', [target]), args);

const count: FunctionRow['resolve'] = (args) =>
  args.length === 0
    ? resolveKeepingHalf(signaturesOf('aggregate', ['count_star']), args)
    : resolveKeepingHalf(signaturesOf('aggregate', ['count']), args);

/** The separator is a comma unless given. */
const stringAgg: FunctionRow['resolve'] = (args) => {
  const separated = args.length === 1 ? [...args, { type: { kind: 'string' } as const, literal: ',' }] : args;
  const result = resolveKeepingHalf(signaturesOf('aggregate', ['string_agg']), separated);
  if (typeof result === 'string' || args.length !== 1) return result;
  return { ...result, args: [...result.args.slice(0, 1), { value: ',', type: { kind: 'string' } }] };
};

/** Dates and timestamps of every unit are computed in microseconds. */
function inMicroseconds(arg: ArgumentType): ArgumentType {
  if (arg.type.kind === 'date') return { type: TIMESTAMP, literal: undefined };
  return arg.type.kind === 'timestamp' || arg.type.kind === 'time'
    ? { type: { ...arg.type, unit: 'us' }, literal: undefined }
    : arg;
}

const ofMoments =
  (target: string): FunctionRow['resolve'] =>
  ([value, ...rest]) =>
    value === undefined
      ? 'no_match'
      : resolveAmong(signaturesOf('aggregate', [target]), [inMicroseconds(value), ...rest]);

/** The median of what cannot be interpolated is one of the values. */
const median: FunctionRow['resolve'] = (args) => {
  const [value] = args;
  const whole = value !== undefined && ['string', 'bool', 'uuid', 'binary'].includes(value.type.kind);
  if (!whole) return ofMoments('median')(args);
  const half = { type: FLOAT64, literal: 0.5 };
  const result = resolveKeepingHalf(signaturesOf('aggregate', ['quantile_disc']), [...args, half]);
  if (typeof result === 'string') return result;
  return { ...result, args: [...result.args.slice(0, 1), { value: 0.5, type: FLOAT64 }] };
};

const approxQuantile: FunctionRow['resolve'] = ([value, ...rest]) => {
  if (value === undefined) return 'no_match';
  const plain = value.type.kind === 'date' ? value : inMicroseconds(value);
  return resolveAmong(signaturesOf('aggregate', ['approx_quantile']), [plain, ...rest]);
};

/** Counts by value; with bins by bin. */
const histogram =
  (target: string): FunctionRow['resolve'] =>
  (args) => {
    const given = signaturesOf('aggregate', [target]).map((signature) => ({ ...signature, result: 'T' }));
    const result = resolveKeepingHalf(given, args);
    if (typeof result === 'string') return result;
    return { ...result, type: { kind: 'map', key: result.type, value: UINT64 } };
  };

export const AGGREGATE_ROWS: readonly FunctionRow[] = aggregates([
  {
    names: ['count'],
    targets: ['count', 'count_star'],
    resolve: count,
    doc: 'Number of rows (`count(*)`), or of values that are not NULL.',
    example: 'count(*)',
  },
  {
    names: ['sum'],
    doc: 'Sum; exact for integers and decimals: BIGINT for up to 32 bits, DECIMAL(38,0) for 64 bits, DECIMAL(38,s) for decimals.',
    example: 'sum(x)',
  },
  {
    names: ['avg', 'mean'],
    targets: ['avg'],
    doc: 'Mean as DOUBLE, from the exact sum of integers and decimals.',
    example: 'avg(x)',
  },
  { names: ['min'], doc: 'Least value, or the list of the n least: `min(x, n)`.', example: 'min(x)' },
  { names: ['max'], doc: 'Greatest value, or the list of the n greatest: `max(x, n)`.', example: 'max(x)' },
  {
    names: ['any_value'],
    resolve: keeping('any_value'),
    doc: 'First value that is not NULL.',
    example: 'any_value(x)',
  },
  {
    names: ['first', 'arbitrary'],
    targets: ['first'],
    resolve: keeping('first'),
    doc: 'First value, NULL included; takes ORDER BY.',
    example: 'first(x ORDER BY y)',
  },
  { names: ['last'], resolve: keeping('last'), doc: 'Last value, NULL included; takes ORDER BY.', example: 'last(x)' },
  {
    names: ['list', 'array_agg'],
    targets: ['list'],
    resolve: keeping('list'),
    doc: 'List of all values, NULL included; NULL for no rows; takes ORDER BY.',
    example: 'list(x ORDER BY x)',
  },
  {
    names: ['collect_list'],
    resolve: keeping('collect_list'),
    doc: 'List of the values that are not NULL.',
    example: 'collect_list(x)',
  },
  {
    names: ['string_agg', 'group_concat', 'listagg'],
    targets: ['string_agg'],
    resolve: stringAgg,
    doc: 'Texts joined by a separator (default a comma); takes ORDER BY.',
    example: "string_agg(x, ', ')",
  },
  {
    names: ['stddev_samp', 'stddev'],
    targets: ['stddev_samp'],
    doc: 'Standard deviation of a sample; NULL for one value.',
    example: 'stddev(x)',
  },
  { names: ['stddev_pop'], doc: 'Standard deviation of a population.', example: 'stddev_pop(x)' },
  {
    names: ['var_samp', 'variance'],
    targets: ['var_samp'],
    doc: 'Variance of a sample; NULL for one value.',
    example: 'var_samp(x)',
  },
  { names: ['var_pop'], doc: 'Variance of a population.', example: 'var_pop(x)' },
  { names: ['corr'], doc: 'Correlation coefficient.', example: 'corr(y, x)' },
  { names: ['covar_samp'], doc: 'Covariance of a sample.', example: 'covar_samp(y, x)' },
  { names: ['covar_pop'], doc: 'Covariance of a population.', example: 'covar_pop(y, x)' },
  {
    names: ['regr_count'],
    doc: 'Number of rows where y and x are not NULL.',
    example: 'regr_count(y, x)',
  },
  { names: ['regr_avgx'], doc: 'Mean of x where y is not NULL.', example: 'regr_avgx(y, x)' },
  { names: ['regr_avgy'], doc: 'Mean of y where x is not NULL.', example: 'regr_avgy(y, x)' },
  { names: ['regr_sxx'], doc: 'Sum of squared distances of x from its mean.', example: 'regr_sxx(y, x)' },
  { names: ['regr_syy'], doc: 'Sum of squared distances of y from its mean.', example: 'regr_syy(y, x)' },
  { names: ['regr_sxy'], doc: 'Sum of products of the distances from the means.', example: 'regr_sxy(y, x)' },
  { names: ['regr_slope'], doc: 'Slope of the line nearest to the points.', example: 'regr_slope(y, x)' },
  {
    names: ['regr_intercept'],
    doc: 'Where the line nearest to the points meets x = 0.',
    example: 'regr_intercept(y, x)',
  },
  { names: ['regr_r2'], doc: 'Share of the variance of y that the line explains.', example: 'regr_r2(y, x)' },
  { names: ['sem'], doc: 'Standard error of the mean.', example: 'sem(x)' },
  { names: ['skewness'], doc: 'Skewness of a sample; NULL below three values.', example: 'skewness(x)' },
  { names: ['kurtosis'], doc: 'Excess kurtosis of a sample; NULL below four values.', example: 'kurtosis(x)' },
  { names: ['kurtosis_pop'], doc: 'Excess kurtosis of a population.', example: 'kurtosis_pop(x)' },
  {
    names: ['fsum', 'kahan_sum', 'sumkahan'],
    targets: ['fsum'],
    doc: 'Sum as DOUBLE with the digits that rounding loses carried along.',
    example: 'fsum(x)',
  },
  { names: ['favg'], doc: 'Mean as DOUBLE from such a sum.', example: 'favg(x)' },
  { names: ['bool_and'], doc: 'True when every value is true.', example: 'bool_and(x > 0)' },
  { names: ['bool_or'], doc: 'True when a value is true.', example: 'bool_or(x > 0)' },
  { names: ['bit_and'], doc: 'Bits set in every value.', example: 'bit_and(x)' },
  { names: ['bit_or'], doc: 'Bits set in a value.', example: 'bit_or(x)' },
  { names: ['bit_xor'], doc: 'Bits set in an odd number of values.', example: 'bit_xor(x)' },
  { names: ['product'], doc: 'Product as DOUBLE.', example: 'product(x)' },
  {
    names: ['median'],
    targets: ['median', 'quantile_disc'],
    resolve: median,
    doc: 'Median, between the two middle values where there are two; of text one of the values.',
    example: 'median(x)',
  },
  {
    names: ['quantile_cont', 'percentile_cont'],
    targets: ['quantile_cont'],
    resolve: ofMoments('quantile_cont'),
    doc: 'Quantile with interpolation, by a fraction from 0 to 1; a negative one counts from the greatest value, a list gives a list.',
    example: 'quantile_cont(x, 0.9)',
  },
  {
    names: ['quantile_disc', 'quantile', 'percentile_disc'],
    targets: ['quantile_disc'],
    doc: 'Quantile that is one of the values, by a fraction from 0 to 1; a negative one counts from the greatest value, a list gives a list.',
    example: 'quantile_disc(x, 0.9)',
  },
  {
    names: ['approx_quantile'],
    resolve: approxQuantile,
    doc: 'Quantile in the type of the values, with interpolation; it is exact.',
    example: 'approx_quantile(x, 0.5)',
  },
  {
    names: ['mad'],
    resolve: ofMoments('mad'),
    doc: 'Median of the distances from the median; of dates and times an interval.',
    example: 'mad(x)',
  },
  { names: ['mode'], doc: 'Most frequent value.', example: 'mode(x)' },
  { names: ['entropy'], doc: 'Information of a value in bits; 0 when all are equal.', example: 'entropy(x)' },
  {
    names: ['histogram'],
    resolve: histogram('histogram'),
    doc: 'Map of each value to how often it comes; with a list of upper bounds of each bound. Values above all count under the greatest value of the type.',
    example: 'histogram(x)',
  },
  {
    names: ['histogram_exact'],
    resolve: histogram('histogram_exact'),
    doc: 'Map of each value of a list to how often it comes; all others count under the greatest value of the type.',
    example: 'histogram_exact(x, [1, 2])',
  },
  {
    names: ['approx_top_k'],
    doc: 'List of the k most frequent values; they are counted exactly.',
    example: 'approx_top_k(x, 3)',
  },
  {
    names: ['approx_count_distinct'],
    doc: 'Number of different values, estimated by a HyperLogLog sketch.',
    example: 'approx_count_distinct(x)',
  },
  {
    names: ['arg_min', 'argmin', 'min_by'],
    targets: ['arg_min'],
    doc: 'The first argument where the second is least; with a number n the list of the n first.',
    example: 'arg_min(name, price)',
  },
  {
    names: ['arg_max', 'argmax', 'max_by'],
    targets: ['arg_max'],
    doc: 'The first argument where the second is greatest; with a number n the list of the n first.',
    example: 'arg_max(name, price)',
  },
  {
    names: ['arg_min_null'],
    doc: 'As arg_min, where a row whose first argument is NULL counts.',
    example: 'arg_min_null(name, price)',
  },
  {
    names: ['arg_max_null'],
    doc: 'As arg_max, where a row whose first argument is NULL counts.',
    example: 'arg_max_null(name, price)',
  },
  {
    names: ['arg_min_nulls_last'],
    doc: 'As arg_min, where all rows count; a NULL in the second argument comes last.',
    example: 'arg_min_nulls_last(name, price)',
  },
  {
    names: ['arg_max_nulls_last'],
    doc: 'As arg_max, where all rows count; a NULL in the second argument comes last.',
    example: 'arg_max_nulls_last(name, price)',
  },
  {
    names: ['vector_sum'],
    resolve: onVector('vector_sum', list(FLOAT64)),
    doc: 'Sum of vectors of one length, element by element; a vector with a NULL element counts as NULL.',
    example: 'vector_sum(v)',
  },
  {
    names: ['vector_avg'],
    resolve: onVector('vector_avg', list(FLOAT64)),
    doc: 'Mean of vectors of one length, element by element; a vector with a NULL element counts as NULL.',
    example: 'vector_avg(v)',
  },
]);
