import type { Operator } from './operator.ts';

/** Rows of all inputs, one input after the other. */
export interface UnionAll {
  readonly kind: 'union_all';
}

export const unionAll: Operator<UnionAll> = {
  explain: () => '',
  encode: () => ({ kind: 'union_all' }),
};
