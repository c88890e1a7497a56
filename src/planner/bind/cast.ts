import type { DataType, StructField } from '../../common/data_type.ts';
import { sameType, typeName } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { isNested, isNumeric } from '../../functions/argument.ts';
import type { ArgumentType } from '../../functions/index.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import { fieldOrder, foldCast } from './fold_cast.ts';

/** `expr` as `type`: itself when it has the type, a constant when that is exact, else a cast that the engine does. */
export function castTo(expr: BoundExpr, type: DataType, span: SourceSpan = expr.span, tryCast = false): BoundExpr {
  if (sameType(expr.type, type)) return expr.kind === 'literal' ? literal(expr.value, type, expr.span) : expr;
  if (expr.kind === 'literal') {
    const value = foldCast(expr.value, expr.type, type);
    if (value !== undefined) return literal(value, type, expr.span);
  }
  const fields = castFields(expr, type, span, tryCast);
  if (fields !== null) return fields;
  if (!isCastable(expr.type, type)) {
    throw userError('type', `no cast from ${typeName(expr.type)} to ${typeName(type)}`, span);
  }
  return { kind: 'cast', operand: expr, type, try: tryCast, span };
}

/** A struct made of values is cast value by value. */
function castFields(expr: BoundExpr, type: DataType, span: SourceSpan, tryCast: boolean): BoundExpr | null {
  if (expr.kind !== 'call' || expr.fn !== 'struct_pack' || expr.type.kind !== 'struct' || type.kind !== 'struct')
    return null;
  const order = fieldOrder(expr.type.fields, type.fields);
  if (order === null || tryCast) return null;
  const args = order.map((from, to) =>
    castTo(expr.args[from] as BoundExpr, (type.fields[to] as StructField).type, span),
  );
  return { ...expr, args, type };
}

/** Whether there is a cast at all, whatever the values. */
export function isCastable(from: DataType, to: DataType): boolean {
  if (sameType(from, to) || from.kind === 'null' || from.kind === 'string' || to.kind === 'string') return true;
  if (from.kind === 'list' && to.kind === 'list') return isCastable(from.element, to.element);
  if (from.kind === 'map' && to.kind === 'map') return isCastable(from.key, to.key) && isCastable(from.value, to.value);
  if (from.kind === 'struct' && to.kind === 'struct') {
    return (
      from.fields.length === to.fields.length &&
      from.fields.every((field, i) => isCastable(field.type, to.fields[i]?.type ?? to))
    );
  }
  if (isNested(from) || isNested(to)) return false;
  if (isNumeric(from) || from.kind === 'bool') return isNumeric(to) || to.kind === 'bool';
  switch (from.kind) {
    case 'date':
      return to.kind === 'timestamp';
    case 'timestamp':
      return to.kind === 'timestamp' || to.kind === 'date' || to.kind === 'time';
    case 'time':
      return (
        to.kind === 'time' && ((from.zone !== true && to.zone !== true) || (from.unit !== 'ns' && to.unit !== 'ns'))
      );
    case 'binary':
      return from.tag === undefined && (to.kind === 'uuid' || (to.kind === 'binary' && to.tag === undefined));
    case 'uuid':
      return to.kind === 'uuid' || (to.kind === 'binary' && to.tag === undefined);
    default:
      return false;
  }
}

/** Units of intervals that hold whole days and months only. */
const WHOLE_DAYS = new Set(['to_years', 'to_quarters', 'to_months', 'to_weeks', 'to_days']);

/** What overload resolution sees of an expression. */
export function argumentOf(expr: BoundExpr): ArgumentType {
  const constant = expr.kind === 'literal' && expr.adaptable === true ? expr.value : undefined;
  const known = expr.kind === 'literal' && expr.value === null ? null : constant;
  if (expr.type.kind === 'interval') return { type: expr.type, literal: undefined, wholeDays: isWholeDays(expr) };
  return expr.kind === 'literal'
    ? { type: expr.type, literal: known, constant: expr.value }
    : { type: expr.type, literal: known };
}

function isWholeDays(expr: BoundExpr): boolean {
  if (expr.kind === 'call')
    return WHOLE_DAYS.has(expr.fn) || (expr.fn === 'neg' && isWholeDays(expr.args[0] as BoundExpr));
  if (expr.kind !== 'literal' || expr.value === null || typeof expr.value !== 'object') return false;
  return 'micros' in expr.value && expr.value.micros === 0n;
}
