import type { SourceSpan } from '../common/source_span.ts';
import { wireSpan } from './encoder.ts';
import type { PlanExpr } from './expression.ts';
import { conjunctionText } from './expression.ts';
import type { PlanJoinType } from './hash_join.ts';
import type { Operator } from './operator.ts';

/** How pairs are found. */
export interface JoinSearch {
  /** the value that the second input is sorted by and searched in; null = every pair is tested */
  readonly by: string | null;
  readonly reason: string;
}

/** Every row of the first input with every row of the second that passes `residual`; the second is kept in memory. */
export interface ConditionalJoin {
  readonly kind: 'conditional_join';
  readonly type: PlanJoinType;
  /** over the columns of both inputs; none = all pairs */
  readonly residual: readonly PlanExpr[];
  readonly search: JoinSearch;
  readonly keep: readonly number[];
  /** single: the subquery */
  readonly span: SourceSpan | null;
}

export const conditionalJoin: Operator<ConditionalJoin> = {
  explain: (node) => {
    if (node.residual.length === 0) return node.type;
    const { by, reason } = node.search;
    const way = by === null ? 'every pair' : `sorted by ${by}`;
    return `${node.type} [${conjunctionText(node.residual)}] ${way} (${reason})`;
  },
  encode: (node, encoder) => ({
    kind: 'conditional_join',
    type: node.type,
    residual: encoder.exprList(node.residual),
    keep: node.keep,
    sorted: node.search.by !== null,
    ...(node.span === null ? {} : { span: wireSpan(node.span) }),
  }),
};
