import { FLOAT64, list } from '../common/data_type.ts';
import type { FunctionRow } from './function_row.ts';
import { aggregates, resolveKeepingHalf, signaturesOf } from './function_row.ts';
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
  { names: ['bool_and'], doc: 'True when every value is true.', example: 'bool_and(x > 0)' },
  { names: ['bool_or'], doc: 'True when a value is true.', example: 'bool_or(x > 0)' },
  { names: ['bit_and'], doc: 'Bits set in every value.', example: 'bit_and(x)' },
  { names: ['bit_or'], doc: 'Bits set in a value.', example: 'bit_or(x)' },
  { names: ['bit_xor'], doc: 'Bits set in an odd number of values.', example: 'bit_xor(x)' },
  { names: ['product'], doc: 'Product as DOUBLE.', example: 'product(x)' },
  { names: ['median'], doc: 'Median, between the two middle values where there are two.', example: 'median(x)' },
  {
    names: ['quantile_cont', 'percentile_cont'],
    targets: ['quantile_cont'],
    doc: 'Quantile with interpolation, by a fraction from 0 to 1.',
    example: 'quantile_cont(x, 0.9)',
  },
  {
    names: ['quantile_disc', 'quantile', 'percentile_disc'],
    targets: ['quantile_disc'],
    doc: 'Quantile that is one of the values, by a fraction from 0 to 1.',
    example: 'quantile_disc(x, 0.9)',
  },
  { names: ['mode'], doc: 'Most frequent value.', example: 'mode(x)' },
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
