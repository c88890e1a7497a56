/** Functions that take a lambda, by all their names. */
export const LAMBDA_NAMES: Readonly<Record<string, 'list_transform' | 'list_filter' | 'list_reduce'>> = {
  list_transform: 'list_transform',
  list_apply: 'list_transform',
  array_transform: 'list_transform',
  array_apply: 'list_transform',
  apply: 'list_transform',
  transform: 'list_transform',
  list_filter: 'list_filter',
  array_filter: 'list_filter',
  filter: 'list_filter',
  list_reduce: 'list_reduce',
  array_reduce: 'list_reduce',
  reduce: 'list_reduce',
};

export const LAMBDA_FUNCTIONS: readonly string[] = Object.keys(LAMBDA_NAMES);

export const isLambdaFunction = (name: string): boolean => LAMBDA_NAMES[name] !== undefined;
