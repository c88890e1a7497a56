import type { DataType, StructField } from '../../common/data_type.ts';
import { sameType } from '../../common/data_type.ts';
import type { LiteralValue } from '../../common/literal.ts';
import { dayNumber, daysInMonth, isArray } from '../../common/literal.ts';

/** A folded value, or undefined when the engine has to do (or refuse) the cast. */
export type Folded = LiteralValue | undefined;

/**
 * Casts a constant where the result is exact and beyond doubt; anything else is left to the engine, which then also
 * words the error. Folding matters for pruning: bounds in footers are compared with literals only.
 */
export function foldCast(value: LiteralValue, from: DataType, to: DataType): Folded {
  if (value === null || sameType(from, to)) return value;
  if (from.kind === 'string' && from.tag !== undefined)
    return to.kind === 'string' && to.tag === undefined ? value : undefined;
  if (from.kind === 'list' && to.kind === 'list' && isArray(value)) {
    const items = value.map((item) => foldCast(item, from.element, to.element));
    return items.some((item) => item === undefined) ? undefined : (items as LiteralValue[]);
  }
  if (from.kind === 'struct' && to.kind === 'struct' && isArray(value)) {
    const order = fieldOrder(from.fields, to.fields);
    const items = order?.map((at, i) => foldCast(value[at] ?? null, typeAt(from.fields, at), typeAt(to.fields, i)));
    return items === undefined || items.some((item) => item === undefined) ? undefined : (items as LiteralValue[]);
  }
  if (typeof value === 'bigint' && isWhole(from))
    return foldNumber(value, from.kind === 'decimal' ? from.scale : 0, to);
  if (typeof value === 'number' && from.kind === 'float32' && to.kind === 'float64') return value;
  if (typeof value === 'number' && to.kind === 'float32') return foldFloat32(value);
  if (typeof value === 'string' && from.kind === 'string') return foldText(value, to);
  if (typeof value === 'bigint' && from.kind === 'date' && to.kind === 'timestamp') {
    return fit64(value * 86_400n * PER_SECOND[to.unit]);
  }
  if (typeof value === 'bigint' && from.kind === 'timestamp' && to.kind === 'timestamp') {
    const [a, b] = [PER_SECOND[from.unit], PER_SECOND[to.unit]];
    return b >= a ? fit64(value * (b / a)) : undefined;
  }
  return undefined;
}

/** A finite number beyond the range of FLOAT is left to the engine, which refuses it. */
function foldFloat32(value: number): number | undefined {
  const narrow = Math.fround(value);
  return Number.isFinite(narrow) || !Number.isFinite(value) ? narrow : undefined;
}

const typeAt = (fields: readonly StructField[], i: number): DataType => (fields[i] as StructField).type;

/** Which source field goes into each target field: by name where all names are found, else by place. */
export function fieldOrder(from: readonly StructField[], to: readonly StructField[]): number[] | null {
  if (from.length !== to.length) return null;
  const names = from.map((field) => field.name.toLowerCase());
  const byName = to.map((field) => names.indexOf(field.name.toLowerCase()));
  const found = byName.every((at) => at >= 0) && new Set(byName).size === to.length;
  return found ? byName : to.map((_, i) => i);
}

const PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;

function fit64(value: bigint): Folded {
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

const isWhole = (type: DataType): boolean => type.kind === 'decimal' || /^u?int\d+$/.test(type.kind);

/** `unscaled` / 10^scale as another number type. */
function foldNumber(unscaled: bigint, scale: number, to: DataType): Folded {
  if (to.kind === 'decimal') return foldDecimal(unscaled, scale, to.precision, to.scale);
  const power = 10n ** BigInt(scale);
  const match = /^(u?)int(\d+)$/.exec(to.kind);
  if (match !== null) {
    if (unscaled % power !== 0n) return undefined;
    const value = unscaled / power;
    const bits = Number(match[2]);
    const fits = match[1] === 'u' ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value;
    return fits ? value : undefined;
  }
  if (to.kind === 'float64') return exactNumber(unscaled, scale);
  if (to.kind === 'float32') {
    const wide = exactNumber(unscaled, scale);
    return wide !== undefined && Math.fround(wide) === wide ? wide : undefined;
  }
  return undefined;
}

/** 2^53: integers up to here, divided by powers of ten up to 10^22, are rounded once and so correctly. */
const EXACT_INTEGER = 1n << 53n;
const EXACT_POWER = 22;

function exactNumber(unscaled: bigint, scale: number): number | undefined {
  const size = unscaled < 0n ? -unscaled : unscaled;
  return size <= EXACT_INTEGER && scale <= EXACT_POWER ? Number(unscaled) / 10 ** scale : undefined;
}

function foldDecimal(unscaled: bigint, from: number, precision: number, scale: number): Folded {
  const up = scale - from;
  if (up < 0 && unscaled % 10n ** BigInt(-up) !== 0n) return undefined;
  const value = up >= 0 ? unscaled * 10n ** BigInt(up) : unscaled / 10n ** BigInt(-up);
  const bound = 10n ** BigInt(precision);
  return -bound < value && value < bound ? value : undefined;
}

/** Text in its plainest form only: the engine knows the rest. */
function foldText(text: string, to: DataType): Folded {
  switch (to.kind) {
    case 'bool':
      return { true: true, t: true, false: false, f: false }[text.toLowerCase()];
    case 'date':
      return parseDate(text);
    case 'timestamp':
      return to.zone ? undefined : parseTimestamp(text, PER_SECOND[to.unit]);
    case 'float64':
      return parseFloat64(text);
    default: {
      const match = /^(-?)(\d{1,38})(?:\.(\d{1,38}))?$/.exec(text);
      if (match === null) return undefined;
      const fraction = match[3] ?? '';
      const unscaled = BigInt(`${match[1] ?? ''}${match[2] ?? ''}${fraction}`);
      return to.kind === 'decimal' || /^u?int\d+$/.test(to.kind)
        ? foldNumber(unscaled, fraction.length, to)
        : undefined;
    }
  }
}

function parseFloat64(text: string): number | undefined {
  if (/^-?\d{1,17}(\.\d{1,17})?([eE][+-]?\d{1,3})?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  return (
    { nan: Number.NaN, inf: Infinity, '-inf': -Infinity, infinity: Infinity, '-infinity': -Infinity } as Record<
      string,
      number
    >
  )[text.toLowerCase()];
}

/** `yyyy-mm-dd`, years 1 to 9999. */
function parseDate(text: string): bigint | undefined {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayNumber(year, month, day);
}

function parseTimestamp(text: string, perSecond: bigint): Folded {
  const match = /^(\d{4}-\d{1,2}-\d{1,2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?$/.exec(text);
  if (match === null) return undefined;
  const days = parseDate(match[1] ?? '');
  const [hour, minute, second] = [Number(match[2] ?? 0), Number(match[3] ?? 0), Number(match[4] ?? 0)];
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const micros = BigInt((match[5] ?? '').padEnd(6, '0'));
  if (perSecond < 1_000_000n && micros % (1_000_000n / perSecond) !== 0n) return undefined;
  const seconds = days * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
  return fit64(seconds * perSecond + (micros * perSecond) / 1_000_000n);
}
