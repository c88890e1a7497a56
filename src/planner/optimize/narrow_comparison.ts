import type { DataType } from '../../common/data_type.ts';
import { fitsInteger, isInteger } from '../../functions/argument.ts';
import { isSafeCast } from '../../functions/cast_cost.ts';
import { foldCast } from '../bind/fold_cast.ts';
import type { BoundCall, BoundExpr, BoundIn, BoundLiteral } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';

const COMPARISONS = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

/** A comparison of a widened value with a constant: the cast may be taken off when the constant has the narrow type too. */
export function isIntegerTypeCast(expr: BoundCall): boolean {
  return (
    COMPARISONS.has(expr.fn) &&
    expr.args.some((arg) => arg.kind === 'cast') &&
    expr.args.some((arg) => arg.kind === 'literal')
  );
}

/** `CAST(x AS BIGINT) = 5` over INTEGER x is `x = 5`: cheaper, and bounds in footers apply to it. */
export function narrowedComparison(expr: BoundCall): BoundExpr {
  const [left, right] = expr.args as readonly [BoundExpr, BoundExpr];
  const [cast, constant] = left.kind === 'cast' ? [left, right] : [right, left];
  if (cast.kind !== 'cast' || constant.kind !== 'literal' || cast.try) return expr;
  const { operand } = cast;
  if (!isSafeCast(operand.type, cast.type) || !isExactBothWays(operand.type, cast.type)) return expr;
  const value = foldCast(constant.value, constant.type, operand.type);
  if (
    value === undefined ||
    (typeof value === 'bigint' && isInteger(operand.type) && !fitsInteger(value, operand.type))
  )
    return expr;
  const narrow = literal(value, operand.type, constant.span);
  return { ...expr, args: left.kind === 'cast' ? [operand, narrow] : [narrow, operand] };
}

/** `CAST(x AS BIGINT) IN (1, 2)` over INTEGER x is `x IN (1, 2)`. */
export function narrowedIn(expr: BoundIn): BoundExpr {
  const { operand: cast } = expr;
  if (cast.kind !== 'cast' || cast.try) return expr;
  const { operand } = cast;
  if (!isSafeCast(operand.type, cast.type) || !isExactBothWays(operand.type, cast.type)) return expr;
  const items = expr.items.map((item) => {
    const value = foldCast(item.value, item.type, operand.type);
    const fits = typeof value !== 'bigint' || !isInteger(operand.type) || fitsInteger(value, operand.type);
    return value === undefined || !fits ? null : literal(value, operand.type, item.span);
  });
  return items.includes(null) ? expr : { ...expr, operand, items: items as BoundLiteral[] };
}

/** Whole numbers and decimals keep order and equality under widening, and so do dates as timestamps. */
export function isExactBothWays(from: DataType, to: DataType): boolean {
  const whole = (type: DataType): boolean => isInteger(type) || type.kind === 'decimal';
  return whole(from) && whole(to);
}
