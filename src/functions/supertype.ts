import type { DataType, StructField } from '../common/data_type.ts';
import {
  decimal,
  FLOAT32,
  FLOAT64,
  holdsVariant,
  INT16,
  INT32,
  INT64,
  list,
  map,
  NULL_TYPE,
  STRING,
  sameType,
  struct,
  TIMESTAMP,
  TIMESTAMPTZ,
} from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import {
  asDecimal,
  fitsInteger,
  HUGEINT,
  integerBits,
  isFloat,
  isHalf,
  isInteger,
  isIntegerLiteral,
  isNumeric,
  isStringLiteral,
  isUnsigned,
} from './argument.ts';

/**
 * The type that holds the values of both without loss where one exists (integers with FLOAT give FLOAT, as in DuckDB);
 * null when there is none without an explicit cast.
 */
export function supertype(a: DataType, b: DataType): DataType | null {
  if (a.kind === 'null') return b;
  if (b.kind === 'null' || sameType(a, b)) return a;
  if (isNumeric(a) && isNumeric(b)) return numericSupertype(a, b);
  if (a.kind === 'bool' && isNumeric(b)) return b;
  if (b.kind === 'bool' && isNumeric(a)) return a;
  if (isMoment(a) && isMoment(b)) return momentSupertype(a, b);
  if (a.kind === 'time' && b.kind === 'time') return hasZone(a) === hasZone(b) ? (a.unit === 'ns' ? a : b) : null;
  if (a.kind === 'string' && b.kind === 'string') return holdsVariant(a) || holdsVariant(b) ? null : STRING;
  if (a.kind === 'list' && b.kind === 'list') return nested(supertype(a.element, b.element), list);
  if (a.kind === 'struct' && b.kind === 'struct') return structSupertype(a.fields, b.fields);
  if (a.kind === 'map' && b.kind === 'map') {
    const key = supertype(a.key, b.key);
    const value = supertype(a.value, b.value);
    return key === null || value === null ? null : map(key, value);
  }
  return null;
}

const hasZone = (type: DataType): boolean => type.kind === 'time' && type.zone === true;

function nested(inner: DataType | null, build: (inner: DataType) => DataType): DataType | null {
  return inner === null ? null : build(inner);
}

function numericSupertype(a: DataType, b: DataType): DataType {
  if (isFloat(a) || isFloat(b)) return floatSupertype(a, b);
  if (isInteger(a) && isInteger(b)) return integerSupertype(a, b);
  return decimalSupertype(asDecimal(a) as DecimalSize, asDecimal(b) as DecimalSize);
}

function floatSupertype(a: DataType, b: DataType): DataType {
  return a.kind === 'float64' || b.kind === 'float64' ? FLOAT64 : FLOAT32;
}

function integerSupertype(a: DataType, b: DataType): DataType {
  if (isUnsigned(a) === isUnsigned(b)) return integerBits(a) >= integerBits(b) ? a : b;
  const [signed, unsigned] = isUnsigned(a) ? [b, a] : [a, b];
  if (integerBits(signed) > integerBits(unsigned)) return signed;
  return ({ 8: INT16, 16: INT32, 32: INT64 } as Record<number, DataType>)[integerBits(unsigned)] ?? HUGEINT;
}

export interface DecimalSize {
  readonly precision: number;
  readonly scale: number;
}

/** Enough digits before and after the point for both, at most 38 in all. */
export function decimalSupertype(a: DecimalSize, b: DecimalSize): DataType {
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(a.precision - a.scale, b.precision - b.scale);
  return decimal(Math.min(38, whole + scale), scale);
}

const isMoment = (type: DataType): boolean => type.kind === 'date' || type.kind === 'timestamp';

function momentSupertype(a: DataType, b: DataType): DataType {
  if ((a.kind === 'timestamp' && a.zone) || (b.kind === 'timestamp' && b.zone)) return TIMESTAMPTZ;
  if (a.kind === 'date') return b;
  if (b.kind === 'date') return a;
  const order = ['s', 'ms', 'us', 'ns'];
  const rank = (type: DataType): number => (type.kind === 'timestamp' ? order.indexOf(type.unit) : -1);
  return rank(a) >= rank(b) ? a : b;
}

/** Same number of fields: by position where names agree or are missing, else no common type. */
function structSupertype(a: readonly StructField[], b: readonly StructField[]): DataType | null {
  if (a.length !== b.length) return null;
  const fields: StructField[] = [];
  for (const [i, field] of a.entries()) {
    const other = b.find((f) => f.name.toLowerCase() === field.name.toLowerCase()) ?? b[i];
    const type = other === undefined ? null : supertype(field.type, other.type);
    if (type === null) return null;
    fields.push({ name: field.name, type });
  }
  return struct(fields);
}

/** Type that literals take beside a typed value: strings are cast to it, integers when they fit. */
function literalBeside(literal: ArgumentType, type: DataType): DataType | null {
  if (isStringLiteral(literal)) return type;
  if (isIntegerLiteral(literal)) {
    if (isInteger(type) && fitsInteger(literal.literal, type)) return type;
    if (isFloat(type)) return isHalf(type) ? FLOAT32 : type;
  }
  return supertype(literal.type, type);
}

const isLiteral = (arg: ArgumentType): boolean => isStringLiteral(arg) || isIntegerLiteral(arg);

/**
 * Common type of several values, as of CASE, COALESCE, IN, list literals and comparisons: literals adapt to typed
 * values. null when an explicit cast is needed.
 */
export function commonType(args: readonly ArgumentType[]): DataType | null {
  let result: DataType = NULL_TYPE;
  for (const arg of args) {
    if (isLiteral(arg)) continue;
    const next = supertype(result, arg.type);
    if (next === null) return null;
    result = next;
  }
  const integers = args.filter(isIntegerLiteral);
  const typed = result.kind !== 'null';
  for (const arg of integers) {
    const next = typed ? literalBeside(arg, result) : supertype(result, arg.type);
    if (next === null) return null;
    result = next;
  }
  // Text is not checked to be JSON, so that JSON beside it is text too.
  const meetsText = result.kind === 'null' || (result.kind === 'string' && result.tag === 'json');
  if (args.some(isStringLiteral) && meetsText) return STRING;
  return result;
}

/** As commonType, but anything meets text as VARCHAR: UNION and VALUES. */
export function forcedCommonType(args: readonly ArgumentType[]): DataType | null {
  const common = commonType(args);
  if (common !== null) return common;
  return args.some((arg) => arg.type.kind === 'string') ? STRING : null;
}

/** Timestamp without zone in microseconds, for dates that meet clock arithmetic. */
export const DEFAULT_TIMESTAMP = TIMESTAMP;
