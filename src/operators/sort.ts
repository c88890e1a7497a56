import type { PlanSortKey } from './expression.ts';
import { sortKeyText } from './expression.ts';
import type { Operator } from './operator.ts';

/** All rows, ordered; equal rows keep their order. */
export interface Sort {
  readonly kind: 'sort';
  readonly keys: readonly PlanSortKey[];
}

export const sort: Operator<Sort> = {
  explain: (node) => `[${node.keys.map(sortKeyText).join(', ')}]`,
  encode: (node, encoder) => ({ kind: 'sort', keys: encoder.sortKeys(node.keys) }),
};
