import { BOOL } from '../../common/data_type.ts';
import { foldConstant } from '../bind/fold_constant.ts';
import type { BoundExpr, BoundLiteral } from '../logical/expression.ts';
import { boolLiteral, conjuncts, exprKey, mapChildren, nullLiteral, sameExpr } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import { isIntegerTypeCast, narrowedComparison, narrowedIn } from './narrow_comparison.ts';

/** Constants folded, boolean logic shortened. Operands that may raise an error keep their place. */
export function simplifyExpression(expr: BoundExpr): BoundExpr {
  return simplify(foldConstant(expr));
}

function simplify(expr: BoundExpr): BoundExpr {
  const inner = mapChildren(expr, simplify);
  switch (inner.kind) {
    case 'and':
      return logic(inner.args, 'and', inner);
    case 'or':
      return equalToOne(factored(logic(inner.args, 'or', inner)));
    case 'case':
      return shortCase(inner);
    case 'coalesce':
      return shortCoalesce(inner);
    case 'call':
      return isIntegerTypeCast(inner) ? narrowedComparison(inner) : inner;
    case 'in':
      return narrowedIn(inner);
    default:
      return inner;
  }
}

/** `decisive` ends the evaluation (false in AND, true in OR), the other constant says nothing. */
function logic(args: readonly BoundExpr[], kind: 'and' | 'or', expr: BoundExpr): BoundExpr {
  const decisive = kind === 'or';
  const kept: BoundExpr[] = [];
  for (const arg of args) {
    if (arg.kind === 'literal' && arg.value === decisive) {
      if (kept.every((other) => !isFallible(other))) return boolLiteral(decisive, expr.span);
      kept.push(arg);
      break;
    }
    if (arg.kind === 'literal' && arg.value === !decisive) continue;
    kept.push(arg);
  }
  const [first, second] = kept;
  if (first === undefined) return boolLiteral(!decisive, expr.span);
  return second === undefined ? first : { kind, args: kept, type: BOOL, span: expr.span };
}

/** `(a AND b) OR (a AND c)` is `a AND (b OR c)`: a may then be pushed down. Only parts that cannot fail are moved. */
function factored(expr: BoundExpr): BoundExpr {
  if (expr.kind !== 'or') return expr;
  const branches = expr.args.map(conjuncts);
  const [first = []] = branches;
  const keys = branches.map((branch) => new Set(branch.map(exprKey)));
  const common = first.filter((part) => !isFallible(part) && keys.every((set) => set.has(exprKey(part))));
  if (common.length === 0) return expr;
  const commonKeys = new Set(common.map(exprKey));
  const rest = branches.map((branch) => branch.filter((part) => !commonKeys.has(exprKey(part))));
  if (rest.some((parts) => parts.length === 0)) return joined(common, expr);
  const or: BoundExpr = { kind: 'or', args: rest.map((parts) => joined(parts, expr)), type: BOOL, span: expr.span };
  return joined([...common, or], expr);
}

/** `x = 1 OR x = 2` is `x IN (1, 2)`: one look-up, and one that bounds and dictionaries answer. */
function equalToOne(expr: BoundExpr): BoundExpr {
  if (expr.kind !== 'or') return expr;
  const items: BoundLiteral[] = [];
  let operand: BoundExpr | null = null;
  for (const arg of expr.args) {
    const [column, values] = comparedValues(arg);
    if (column === null || (operand !== null && !sameExpr(operand, column))) return expr;
    operand = column;
    items.push(...values);
  }
  return operand === null ? expr : { kind: 'in', operand, items, type: BOOL, span: expr.span };
}

/** The column that is compared with constants by = or IN; NULL is left to OR. */
function comparedValues(expr: BoundExpr): readonly [column: BoundExpr | null, values: readonly BoundLiteral[]] {
  if (expr.kind === 'in' && expr.operand.kind === 'column') return [expr.operand, expr.items];
  if (expr.kind !== 'call' || expr.fn !== 'eq') return [null, []];
  const [a, b] = expr.args as readonly [BoundExpr, BoundExpr];
  const [column, value] = a.kind === 'column' ? [a, b] : [b, a];
  const isUsable = column.kind === 'column' && value.kind === 'literal' && value.value !== null;
  return isUsable ? [column, [value]] : [null, []];
}

function joined(parts: readonly BoundExpr[], expr: BoundExpr): BoundExpr {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: 'and', args: parts, type: BOOL, span: expr.span };
}

const isConstant = (expr: BoundExpr, value: unknown): boolean => expr.kind === 'literal' && expr.value === value;

/** Branches that are never taken go; a branch that is always taken is the last. */
function shortCase(expr: Extract<BoundExpr, { kind: 'case' }>): BoundExpr {
  const branches = expr.branches.filter(
    ({ condition }) => !isConstant(condition, false) && !isConstant(condition, null),
  );
  const certain = branches.findIndex(({ condition }) => isConstant(condition, true));
  const kept = certain < 0 ? branches : branches.slice(0, certain);
  const otherwise = certain < 0 ? expr.otherwise : (branches[certain] as (typeof branches)[number]).result;
  return kept.length === 0 ? otherwise : { ...expr, branches: kept, otherwise };
}

/** Constants that are NULL say nothing; what stands behind a constant is never reached. */
function shortCoalesce(expr: Extract<BoundExpr, { kind: 'coalesce' }>): BoundExpr {
  const args = expr.args.filter((arg) => !isConstant(arg, null));
  const certain = args.findIndex((arg): arg is BoundLiteral => arg.kind === 'literal');
  const kept = certain < 0 ? args : args.slice(0, certain + 1);
  const [first] = kept;
  if (first === undefined) return { ...nullLiteral(expr.span), type: expr.type };
  return kept.length === 1 ? first : { ...expr, args: kept };
}
