import type { PlanExpr } from './expression.ts';
import { expressionText } from './expression.ts';
import type { Operator } from './operator.ts';

/** Moves batches between devices or instances. */
export interface Exchange {
  readonly kind: 'exchange';
  readonly mode: 'to_device' | 'to_host' | 'hash' | 'broadcast' | 'gather';
  readonly keys: readonly PlanExpr[];
}

export const exchange: Operator<Exchange> = {
  explain: (node) =>
    node.keys.length === 0 ? node.mode : `${node.mode} [${node.keys.map(expressionText).join(', ')}]`,
  encode: (node, encoder) => ({ kind: 'exchange', mode: node.mode, keys: encoder.exprList(node.keys) }),
};
