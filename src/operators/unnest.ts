import type { PlanExpr } from './expression.ts';
import { expressionText } from './expression.ts';
import type { Operator } from './operator.ts';

/** One row an element. Output: `keep` columns of the input, one column a list, then ordinality. */
export interface Unnest {
  readonly kind: 'unnest';
  readonly keep: readonly number[];
  readonly lists: readonly PlanExpr[];
  readonly ordinality: boolean;
  readonly outer: boolean;
}

export const unnest: Operator<Unnest> = {
  explain: (node) => {
    const flags = [...(node.outer ? ['outer'] : []), ...(node.ordinality ? ['ordinality'] : [])];
    return [`[${node.lists.map(expressionText).join(', ')}]`, ...flags].join(' ');
  },
  encode: (node, encoder) => ({
    kind: 'unnest',
    keep: node.keep,
    lists: encoder.exprList(node.lists),
    ordinality: node.ordinality,
    outer: node.outer,
  }),
};
