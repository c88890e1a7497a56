import { foldCast } from '../bind/fold_cast.ts';
import type { BoundExpr, BoundLiteral, ColumnId } from '../logical/expression.ts';
import { columnsOf, exprKey, literal, mapChildren } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import { knownConjuncts } from '../logical/known_conjuncts.ts';
import type { JoinKey, JoinType, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { rewriteUp } from '../logical/node.ts';
import { isExactBothWays } from './narrow_comparison.ts';
import { partsOfOr } from './parts_of_or.ts';
import { pushFilters } from './push_filters.ts';
import { simplifyExpression } from './simplify_expression.ts';

/** Each round carries a condition over one more join. */
const MOST_ROUNDS = 8;

/**
 * Conditions that follow from others, so that scans leave out rows and folders that no join would keep:
 * what compares one side of a join's equality with constants holds for the other side too, and an OR whose every branch
 * says something of one side says that of the side.
 *
 *     Before: join inner [ss_sold_year = d_year]
 *               scan store_sales
 *               scan date_dim filter=[d_year = 2001]
 *     After:    scan store_sales filter=[ss_sold_year = 2001]
 */
export function inferFilters(root: LogicalNode): LogicalNode {
  let node = root;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = rewriteUp(node, (one) => (one.kind === 'join' ? inferred(one) : one));
    if (next === node) break;
    node = pushFilters(next);
  }
  return node;
}

/** Sides whose rows may go where they fail a condition that every pair meets. */
const LOSES_LEFT: ReadonlySet<JoinType> = new Set(['inner', 'semi']);
const LOSES_RIGHT: ReadonlySet<JoinType> = new Set(['inner', 'left', 'semi', 'anti', 'mark', 'single']);

function inferred(node: LogicalJoin): LogicalJoin {
  let { left, right } = node;
  if (LOSES_LEFT.has(node.type)) {
    const moved = node.keys.flatMap((key) => transferred(knownConjuncts(right), key.right, key.left));
    left = narrowed(left, [...moved, ...node.residual.flatMap((one) => partsOfOr(one, left))]);
  }
  // a NULL on the right side leaves the answer open: it must stay
  if (LOSES_RIGHT.has(node.type) && !node.nullAware) {
    const moved = node.keys.flatMap((key: JoinKey) => transferred(knownConjuncts(left), key.left, key.right));
    right = narrowed(right, [...moved, ...node.residual.flatMap((one) => partsOfOr(one, right))]);
  }
  return left === node.left && right === node.right ? node : { ...node, left, right };
}

/** The side with those conditions that it does not have yet. */
function narrowed(side: LogicalNode, conditions: readonly BoundExpr[]): LogicalNode {
  const keys = new Set(knownConjuncts(side).map(exprKey));
  const added = conditions.map(simplifyExpression).filter((one) => {
    const key = exprKey(one);
    if (one.kind === 'literal' || keys.has(key)) return false;
    keys.add(key);
    return true;
  });
  return added.length === 0 ? side : { kind: 'filter', input: side, predicate: added };
}

/** Conditions on `from` as conditions on `to`, which has the same value. */
function transferred(conditions: readonly BoundExpr[], from: BoundExpr, to: BoundExpr): BoundExpr[] {
  const source = from.kind === 'cast' && isExactBothWays(from.operand.type, from.type) ? from.operand : from;
  if (source.kind !== 'column' || columnsOf(to).size !== 1 || isFallible(to)) return [];
  return conditions.flatMap((condition) => {
    if (!comparesOnly(condition, source.column)) return [];
    const moved = replaced(condition, source.column, to);
    return moved === null ? [] : [moved];
  });
}

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

/** True for comparisons of the column with constants, and AND and OR of such. */
function comparesOnly(expr: BoundExpr, column: ColumnId): boolean {
  const isColumn = (part: BoundExpr | undefined): boolean => part?.kind === 'column' && part.column === column;
  switch (expr.kind) {
    case 'and':
    case 'or':
      return expr.args.every((arg) => comparesOnly(arg, column));
    case 'in':
      return isColumn(expr.operand);
    case 'call': {
      const [a, b] = expr.args;
      if (!COMPARISONS.has(expr.fn)) return false;
      return (isColumn(a) && b?.kind === 'literal') || (a?.kind === 'literal' && isColumn(b));
    }
    default:
      return false;
  }
}

/** The condition over another expression, constants in its type; null = a constant has no such value. */
function replaced(expr: BoundExpr, column: ColumnId, to: BoundExpr): BoundExpr | null {
  let possible = true;
  const constant = (value: BoundLiteral): BoundLiteral => {
    const converted = foldCast(value.value, value.type, to.type);
    if (converted === undefined) possible = false;
    return literal(converted ?? null, to.type, value.span);
  };
  const change = (part: BoundExpr): BoundExpr => {
    if (part.kind === 'column') return part.column === column ? to : part;
    if (part.kind === 'literal') return constant(part);
    if (part.kind === 'in') return { ...part, operand: change(part.operand), items: part.items.map(constant) };
    return mapChildren(part, change);
  };
  const result = change(expr);
  return possible ? result : null;
}
