import type { PlanExpr } from './expression.ts';
import type { Operator } from './operator.ts';

/** Rows of expressions that read no column. */
export interface Values {
  readonly kind: 'values';
  readonly rows: readonly (readonly PlanExpr[])[];
}

export const values: Operator<Values> = {
  explain: (node) => `rows=${node.rows.length}`,
  encode: (node, encoder) => ({ kind: 'values', rows: node.rows.map((row) => encoder.exprList(row)) }),
};
