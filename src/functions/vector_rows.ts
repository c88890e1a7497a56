import { FLOAT64, list } from '../common/data_type.ts';
import type { FunctionRow } from './function_row.ts';
import { scalars } from './function_row.ts';
import { onTwoVectors, onVector } from './vector_types.ts';

type Names = readonly [string, ...string[]];

/** A function of two vectors, and its form that gives NULL for vectors of different length. */
function pair(fn: string, aliases: readonly string[], doc: string, example: string, vector = false): FunctionRow[] {
  const type = vector ? list(FLOAT64) : FLOAT64;
  const tried = aliases.filter((name) => /^[a-z]/.test(name)).map((name) => `try_${name}`);
  const names: Names = [fn, ...aliases];
  const tryNames: Names = [`try_${fn}`, ...tried];
  return scalars('list', [
    { names, targets: [fn], resolve: onTwoVectors(fn, type, true), doc, example },
    {
      names: tryNames,
      targets: [`try_${fn}`],
      resolve: onTwoVectors(`try_${fn}`, type, false),
      doc: `As ${fn}; lists of different length give NULL.`,
      example: `try_${fn}([1, 2], [1])`,
    },
  ]);
}

/** Lists of numbers as vectors. */
export const VECTOR_ROWS: readonly FunctionRow[] = [
  ...pair(
    'list_distance',
    ['list_l2_distance', 'l2_distance', 'euclidean_distance', 'array_distance'],
    'Euclidean distance of two vectors: `a <-> b`.',
    'list_distance([1, 2], [4, 6])',
  ),
  ...pair(
    'list_l1_distance',
    ['l1_distance'],
    'Sum of the absolute differences of two vectors: `a <+> b`.',
    'list_l1_distance([1, 2], [4, 6])',
  ),
  ...pair(
    'list_cosine_similarity',
    ['cosine_similarity', 'array_cosine_similarity'],
    'Cosine of the angle between two vectors, between -1 and 1; NULL when one is zero.',
    'list_cosine_similarity([1, 0], [1, 1])',
  ),
  ...pair(
    'list_cosine_distance',
    ['cosine_distance', 'array_cosine_distance'],
    '1 - cosine similarity: `a <=> b`; NULL when a vector is zero.',
    'list_cosine_distance([1, 0], [0, 1])',
  ),
  ...pair(
    'list_inner_product',
    ['list_dot_product', 'inner_product', 'dot_product', 'dot', 'array_inner_product', 'array_dot_product'],
    'Sum of the products of two vectors; 0 for empty ones.',
    'list_inner_product([1, 2], [3, 4])',
  ),
  ...pair(
    'list_negative_inner_product',
    [
      'list_negative_dot_product',
      'negative_inner_product',
      'array_negative_inner_product',
      'array_negative_dot_product',
    ],
    'The inner product with its sign changed, so that the nearest comes first: `a <#> b`.',
    'list_negative_inner_product([1, 2], [3, 4])',
  ),
  ...pair('list_add', ['vector_add'], 'Sum of two vectors, element by element.', 'list_add([1, 2], [3, 4])', true),
  ...pair('list_sub', ['vector_sub'], 'Difference of two vectors.', 'list_sub([1, 2], [3, 4])', true),
  ...pair('list_mul', ['vector_mul'], 'Product of two vectors, element by element.', 'list_mul([1, 2], [3, 4])', true),
  ...scalars('list', [
    {
      names: ['list_cross_product', 'array_cross_product'],
      targets: ['list_cross_product'],
      resolve: onTwoVectors('list_cross_product', list(FLOAT64), true),
      doc: 'Cross product of two vectors of three elements.',
      example: 'list_cross_product([1, 2, 3], [4, 5, 6])',
    },
    {
      names: ['list_scale', 'vector_scale'],
      targets: ['list_scale'],
      resolve: onVector('list_scale', list(FLOAT64), [FLOAT64]),
      doc: 'Vector times a number.',
      example: 'list_scale([1, 2], 10)',
    },
    {
      names: ['list_norm', 'vector_norm', 'l2_norm'],
      targets: ['list_norm'],
      resolve: onVector('list_norm', FLOAT64),
      doc: 'Euclidean length of a vector; 0 for an empty one.',
      example: 'list_norm([3, 4])',
    },
    {
      names: ['list_normalize', 'l2_normalize', 'vector_normalize'],
      targets: ['list_normalize'],
      resolve: onVector('list_normalize', list(FLOAT64)),
      doc: 'Vector divided by its length; NULL for a zero vector.',
      example: 'list_normalize([3, 4])',
    },
  ]),
];
