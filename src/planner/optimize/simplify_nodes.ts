import type { BoundExpr } from '../logical/expression.ts';
import { conjuncts } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalFilter, LogicalNode } from '../logical/node.ts';
import { outputOf, rewriteUp } from '../logical/node.ts';
import { mapExpressions } from './map_expressions.ts';
import { simplifyExpression } from './simplify_expression.ts';

/** Folds constants in every node; filters that keep all rows vanish, filters that keep none become empty tables. */
export function simplifyNodes(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    const simple = mapExpressions(node, simplifyExpression);
    return simple.kind === 'filter' ? simpleFilter(simple) : simple;
  });
}

function simpleFilter(node: LogicalFilter): LogicalNode {
  const kept: BoundExpr[] = [];
  for (const conjunct of node.predicate.flatMap(conjuncts)) {
    if (conjunct.kind === 'literal' && conjunct.value === true) continue;
    if (conjunct.kind === 'literal' && !kept.some(isFallible) && !mayRaise(node.input)) {
      return { kind: 'values', columns: outputOf(node.input), rows: [] };
    }
    kept.push(conjunct);
  }
  return kept.length === 0 ? node.input : { ...node, predicate: kept };
}

/** True when some row below may raise an error that an empty table would hide. */
function mayRaise(node: LogicalNode): boolean {
  switch (node.kind) {
    case 'scan':
      return node.filter.some(isFallible);
    case 'values':
      return node.rows.some((row) => row.some(isFallible));
    case 'range':
    case 'generate':
      return false;
    case 'union_all':
      return node.inputs.some(mayRaise);
    case 'filter':
      return node.predicate.some(isFallible) || mayRaise(node.input);
    case 'project':
      return node.columns.some((column) => isFallible(column.expr)) || mayRaise(node.input);
    default:
      return true;
  }
}
