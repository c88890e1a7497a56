import type { PlanSortKey } from './expression.ts';
import { sortKeyText } from './expression.ts';
import { limitText } from './limit.ts';
import type { Operator } from './operator.ts';

/** The first rows of the order, without sorting all. */
export interface TopK {
  readonly kind: 'top_k';
  readonly keys: readonly PlanSortKey[];
  readonly limit: number;
  readonly offset: number;
}

export const topK: Operator<TopK> = {
  explain: (node) => `[${node.keys.map(sortKeyText).join(', ')}] ${limitText(node.limit, node.offset)}`,
  encode: (node, encoder) => ({
    kind: 'top_k',
    keys: encoder.sortKeys(node.keys),
    limit: node.limit,
    offset: node.offset,
  }),
};
