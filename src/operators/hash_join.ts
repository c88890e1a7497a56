import type { SourceSpan } from '../common/source_span.ts';
import { wireSpan } from './encoder.ts';
import type { PlanExpr } from './expression.ts';
import { conjunctionText, expressionText } from './expression.ts';
import type { Operator } from './operator.ts';

export type PlanJoinType = 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti' | 'mark' | 'single';

export interface PlanJoinKey {
  /** over the first input */
  readonly probe: PlanExpr;
  /** over the second */
  readonly build: PlanExpr;
  /** NULL equals NULL */
  readonly nullSafe: boolean;
  /** what scans below the first input learn of the keys; null = nothing */
  readonly filter: PlanJoinFilter | null;
}

/** Keys of the second input, known before the first is read. */
export interface PlanJoinFilter {
  /** number in the plan */
  readonly number: number;
  /** it looks at rows, not only at row groups and pages */
  readonly rows: boolean;
}

/**
 * The second input becomes a hash table, the first streams past it. Output: `keep` of the columns of both inputs, then
 * the mark of a mark join.
 */
export interface HashJoin {
  readonly kind: 'hash_join';
  readonly type: PlanJoinType;
  readonly keys: readonly PlanJoinKey[];
  /** over the columns of both inputs */
  readonly residual: readonly PlanExpr[];
  readonly keep: readonly number[];
  /** mark: NULL where a NULL leaves it open */
  readonly nullAware: boolean;
  /** single: the subquery */
  readonly span: SourceSpan | null;
}

export const hashJoin: Operator<HashJoin> = {
  explain: (node) => {
    const residual = node.residual.length === 0 ? '' : ` filter=[${conjunctionText(node.residual)}]`;
    return `${node.type} [${node.keys.map(keyText).join(' AND ')}]${residual}`;
  },
  encode: (node, encoder) => ({
    kind: 'hash_join',
    type: node.type,
    keys: node.keys.map((key) => ({
      probe: encoder.expr(key.probe),
      build: encoder.expr(key.build),
      nullSafe: key.nullSafe,
      ...(key.filter === null ? {} : { filter: key.filter.number, filtersRows: key.filter.rows }),
    })),
    residual: encoder.exprList(node.residual),
    keep: node.keep,
    nullAware: node.nullAware,
    ...(node.span === null ? {} : { span: wireSpan(node.span) }),
  }),
};

function keyText(key: PlanJoinKey): string {
  const operator = key.nullSafe ? 'IS NOT DISTINCT FROM' : '=';
  return `${expressionText(key.probe)} ${operator} ${expressionText(key.build)}`;
}
