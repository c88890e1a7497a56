import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { conjuncts } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';

/**
 * What an OR over several inputs says of one of them, when each of its branches says something of it; else null.
 *
 *     Before: join inner filter=[(a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)]
 *     After:  the same, and a filter a.x = 1 OR a.x = 3 below, and b.y = 2 OR b.y = 4
 *
 * When not: the parts that may raise an error stay where they are.
 */
export function impliedByOr(expr: BoundExpr, isOwn: (part: BoundExpr) => boolean): BoundExpr | null {
  if (expr.kind !== 'or') return null;
  const branches = expr.args.map((branch) => conjuncts(branch).filter((part) => !isFallible(part) && isOwn(part)));
  if (branches.some((parts) => parts.length === 0)) return null;
  return { ...expr, args: branches.map((parts) => all(parts, expr)) };
}

function all(parts: readonly BoundExpr[], { span }: BoundExpr): BoundExpr {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: 'and', args: parts, type: BOOL, span };
}
