import { isInfallibleCast } from '../../functions/cast_cost.ts';
import type { BoundExpr } from './expression.ts';
import { childrenOf } from './expression.ts';

/** True when evaluating the expression may raise an error for some row. */
export function isFallible(expr: BoundExpr): boolean {
  if (expr.kind === 'call' && expr.fallible) return true;
  if (expr.kind === 'cast' && !expr.try && !isInfallibleCast(expr.operand.type, expr.type)) return true;
  return childrenOf(expr).some(isFallible);
}
