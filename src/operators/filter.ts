import type { PlanExpr } from './expression.ts';
import { conjunctionText } from './expression.ts';
import type { Operator } from './operator.ts';

/** Keeps rows for which every conjunct is true, in written order. */
export interface Filter {
  readonly kind: 'filter';
  readonly predicate: readonly PlanExpr[];
}

export const filter: Operator<Filter> = {
  explain: (node) => conjunctionText(node.predicate),
  encode: (node, encoder) => ({ kind: 'filter', predicate: encoder.exprList(node.predicate) }),
};
