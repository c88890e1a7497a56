import type { PlanExpr } from './expression.ts';
import { expressionText } from './expression.ts';
import type { Operator } from './operator.ts';

/** Computes one expression an output column. */
export interface Project {
  readonly kind: 'project';
  readonly exprs: readonly PlanExpr[];
}

export const project: Operator<Project> = {
  explain: (node) => `[${node.exprs.map(expressionText).join(', ')}]`,
  encode: (node, encoder) => ({ kind: 'project', exprs: encoder.exprList(node.exprs) }),
};
