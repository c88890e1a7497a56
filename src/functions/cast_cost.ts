import type { DataType } from '../common/data_type.ts';
import { sameType } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import {
  fitsDecimal,
  fitsInteger,
  integerBits,
  integerLiteralType,
  isFloat,
  isHalf,
  isHugeint,
  isInteger,
  isIntegerLiteral,
  isStringLiteral,
  isUnsigned,
} from './argument.ts';

/**
 * Price of an implicit cast in overload resolution; the overload with the lowest sum wins. The order is DuckDB's:
 * BIGINT before INTEGER before HUGEINT before DOUBLE before DECIMAL, text last, so that the same overloads win.
 */
function targetCost(type: DataType): number {
  switch (type.kind) {
    case 'int64':
      return 101;
    case 'int32':
      return 102;
    case 'decimal':
      return isHugeint(type) ? 103 : 105;
    case 'float64':
      return 104;
    case 'timestamp':
      return { ns: 119, us: 120, ms: 121, s: 122 }[type.unit] + (type.zone ? 3 : 0);
    case 'string':
      return 149;
    case 'list':
    case 'struct':
    case 'map':
      return 160;
    default:
      return 110;
  }
}

/** A half float is a FLOAT as far as functions are concerned. */
const HALF_TO_FLOAT = 1;
/** How much cheaper a target is for a constant that fits it. */
const LITERAL_DISCOUNT = 90;
const STRING_LITERAL_TO_STRING = 1;
const STRING_LITERAL_TO_OTHER = 20;

/** null = there is no implicit cast. */
export function implicitCastCost(arg: ArgumentType, to: DataType): number | null {
  const from = arg.type;
  if (from.kind === 'null') return targetCost(to);
  if (isStringLiteral(arg)) return to.kind === 'string' ? STRING_LITERAL_TO_STRING : STRING_LITERAL_TO_OTHER;
  if (isIntegerLiteral(arg)) return integerLiteralCost(arg.literal, to);
  return typeCastCost(from, to);
}

function integerLiteralCost(value: bigint, to: DataType): number | null {
  const natural = integerLiteralType(value);
  if (sameType(natural, to)) return 0;
  if (isInteger(to) && fitsInteger(value, to)) return targetCost(to) - LITERAL_DISCOUNT;
  if (isFloat(to)) return targetCost(to) - LITERAL_DISCOUNT;
  if (to.kind === 'decimal' && fitsDecimal(value, to.precision - to.scale)) return targetCost(to) - LITERAL_DISCOUNT;
  return typeCastCost(natural, to);
}

/** Cost by types alone. */
export function typeCastCost(from: DataType, to: DataType): number | null {
  if (sameType(from, to)) return 0;
  if (to.kind === 'string') return to.tag === undefined ? targetCost(to) : null;
  if (from.kind === 'list' && to.kind === 'list') return typeCastCost(from.element, to.element);
  if (isHalf(from) && to.kind === 'float32') return HALF_TO_FLOAT;
  return isImplicit(from, to) ? targetCost(to) : null;
}

function isImplicit(from: DataType, to: DataType): boolean {
  if (from.kind === 'null') return true;
  if (isInteger(from)) {
    if (isInteger(to)) return widensInteger(from, to);
    return to.kind === 'decimal' || to.kind === 'float32' || to.kind === 'float64';
  }
  switch (from.kind) {
    case 'float16':
    case 'bfloat16':
    case 'float32':
      return to.kind === 'float64';
    case 'decimal':
      return to.kind === 'decimal' || to.kind === 'float32' || to.kind === 'float64';
    case 'date':
      return to.kind === 'timestamp';
    case 'timestamp':
      return to.kind === 'timestamp' && !from.zone && (to.zone || to.unit === 'us' || to.unit === 'ns');
    case 'time':
      return to.kind === 'time' && to.unit === 'ns' && from.zone !== true;
    default:
      return false;
  }
}

function widensInteger(from: DataType, to: DataType): boolean {
  if (isUnsigned(from)) return integerBits(to) > integerBits(from);
  return !isUnsigned(to) && integerBits(to) > integerBits(from);
}

/** True when the cast neither fails nor loses anything for any value. */
export function isSafeCast(from: DataType, to: DataType): boolean {
  if (sameType(from, to) || from.kind === 'null') return true;
  if (from.kind === 'list' && to.kind === 'list') return isSafeCast(from.element, to.element);
  if (isInteger(from) && isInteger(to)) return widensInteger(from, to);
  if (isInteger(from) && to.kind === 'decimal') {
    const digits = { 8: 3, 16: 5, 32: 10, 64: isUnsigned(from) ? 20 : 19 }[integerBits(from)] ?? 38;
    return to.precision - to.scale >= digits;
  }
  if (from.kind === 'decimal' && to.kind === 'decimal') {
    return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;
  }
  if (isInteger(from) && to.kind === 'float64') return integerBits(from) <= 32;
  if (isInteger(from) && to.kind === 'float32') return integerBits(from) <= 16;
  return (isHalf(from) || from.kind === 'float32') && (to.kind === 'float64' || to.kind === 'float32');
}

/** True when the cast raises for no value, though it may lose digits. */
export function isInfallibleCast(from: DataType, to: DataType): boolean {
  if (isSafeCast(from, to) || (to.kind === 'string' && to.tag === undefined)) return true;
  if (from.kind === 'list' && to.kind === 'list') return isInfallibleCast(from.element, to.element);
  if (from.kind === 'struct' && to.kind === 'struct' && from.fields.length === to.fields.length) {
    return from.fields.every((field, i) => {
      const target = to.fields[i];
      return target !== undefined && isInfallibleCast(field.type, target.type);
    });
  }
  if ((isInteger(from) || from.kind === 'decimal') && (to.kind === 'float32' || to.kind === 'float64')) return true;
  if (from.kind === 'bool') return isInteger(to) || isFloat(to);
  return (isInteger(from) || isFloat(from)) && to.kind === 'bool';
}
