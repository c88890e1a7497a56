import type { SourceSpan } from '../common/source_span.ts';
import { wireSpan } from './encoder.ts';
import type { PlanExpr } from './expression.ts';
import { conjunctionText } from './expression.ts';
import type { PlanJoinType } from './hash_join.ts';
import type { Operator } from './operator.ts';

/** Every row of the first input with every row of the second that passes `residual`; the second is kept in memory. */
export interface ConditionalJoin {
  readonly kind: 'conditional_join';
  readonly type: PlanJoinType;
  /** over the columns of both inputs; none = all pairs */
  readonly residual: readonly PlanExpr[];
  readonly keep: readonly number[];
  /** single: the subquery */
  readonly span: SourceSpan | null;
}

export const conditionalJoin: Operator<ConditionalJoin> = {
  explain: (node) => (node.residual.length === 0 ? node.type : `${node.type} [${conjunctionText(node.residual)}]`),
  encode: (node, encoder) => ({
    kind: 'conditional_join',
    type: node.type,
    residual: encoder.exprList(node.residual),
    keep: node.keep,
    ...(node.span === null ? {} : { span: wireSpan(node.span) }),
  }),
};
