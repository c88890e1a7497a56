import type { DataType, TypeKind } from '../common/data_type.ts';
import { decimal, FLOAT64, INT32, INT64, NULL_TYPE } from '../common/data_type.ts';
import type { LiteralValue } from '../common/literal.ts';

/**
 * What overload resolution knows of an argument. `literal` is set for a constant as written in the text (`1`, `'x'`,
 * `-5`): it takes the type of its surroundings when its value allows. A cast constant has a type of its own.
 */
export interface ArgumentType {
  readonly type: DataType;
  readonly literal: LiteralValue | undefined;
  /** the value of any constant, one with a type of its own too */
  readonly constant?: LiteralValue;
  /** an interval that is known to hold whole days and months only */
  readonly wholeDays?: boolean;
}

/** HUGEINT of DuckDB: what sums of BIGINT and integers beyond 64 bits are. */
export const HUGEINT = decimal(38, 0);

export const isStringLiteral = (arg: ArgumentType): boolean =>
  arg.literal !== undefined && arg.literal !== null && arg.type.kind === 'string';

export const isIntegerLiteral = (arg: ArgumentType): arg is ArgumentType & { literal: bigint } =>
  typeof arg.literal === 'bigint' && (isInteger(arg.type) || isHugeint(arg.type));

export const isHugeint = (type: DataType): boolean =>
  type.kind === 'decimal' && type.precision === 38 && type.scale === 0;

const INTEGER_BITS: Partial<Record<TypeKind, number>> = {
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
};

export const isInteger = (type: DataType): boolean => INTEGER_BITS[type.kind] !== undefined;
export const isUnsigned = (type: DataType): boolean => type.kind.startsWith('uint');
export const isHalf = (type: DataType): boolean => type.kind === 'float16' || type.kind === 'bfloat16';
export const isFloat = (type: DataType): boolean => type.kind === 'float32' || type.kind === 'float64' || isHalf(type);
export const isNumeric = (type: DataType): boolean => isInteger(type) || isFloat(type) || type.kind === 'decimal';
export const isNested = (type: DataType): boolean =>
  type.kind === 'list' || type.kind === 'struct' || type.kind === 'map';

/** Width of an integer type in bits. */
export const integerBits = (type: DataType): number => INTEGER_BITS[type.kind] ?? 0;

/** [least, greatest] value of an integer type. */
export function integerRange(type: DataType): readonly [bigint, bigint] {
  const bits = BigInt(integerBits(type));
  return isUnsigned(type) ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
}

export function fitsInteger(value: bigint, type: DataType): boolean {
  const [low, high] = integerRange(type);
  return low <= value && value <= high;
}

/** INTEGER, BIGINT, DECIMAL(38,0) or DOUBLE: the first that holds the value. */
export function integerLiteralType(value: bigint): DataType {
  if (fitsInteger(value, INT32)) return INT32;
  if (fitsInteger(value, INT64)) return INT64;
  return fitsDecimal(value, 38) ? HUGEINT : FLOAT64;
}

/** At most `precision` digits. */
export function fitsDecimal(unscaled: bigint, precision: number): boolean {
  const bound = 10n ** BigInt(precision);
  return -bound < unscaled && unscaled < bound;
}

const INTEGER_DIGITS: Partial<Record<TypeKind, number>> = {
  int8: 3,
  uint8: 3,
  int16: 5,
  uint16: 5,
  int32: 10,
  uint32: 10,
  int64: 19,
  uint64: 20,
};

/** Decimal that holds every value of an integer type; decimals are themselves; null for other types. */
export function asDecimal(type: DataType): { readonly precision: number; readonly scale: number } | null {
  if (type.kind === 'decimal') return type;
  if (type.kind === 'null') return { precision: 18, scale: 3 };
  const digits = INTEGER_DIGITS[type.kind];
  return digits === undefined ? null : { precision: digits, scale: 0 };
}

export const NULL_ARGUMENT: ArgumentType = { type: NULL_TYPE, literal: null };
