import type { BoundExpr } from '../logical/expression.ts';
import type { LogicalNode } from '../logical/node.ts';
import { mapExpressions } from '../optimize/map_expressions.ts';

/** All expressions of a node itself. */
export function expressionsOf(node: LogicalNode): BoundExpr[] {
  const found: BoundExpr[] = [];
  mapExpressions(node, (expr) => {
    found.push(expr);
    return expr;
  });
  return found;
}
