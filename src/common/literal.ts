import type { DataType } from './data_type.ts';

/** Months, days and microseconds are kept apart, as SQL intervals are. */
export interface IntervalValue {
  readonly months: number;
  readonly days: number;
  readonly micros: bigint;
}

/**
 * A constant as the planner holds it, by type: null = NULL; boolean; bigint for integers, decimals (unscaled), dates
 * (days), times and timestamps (of the type's unit); number for every float; string; binary and uuid as hex text;
 * IntervalValue; list = array; struct = array in field order; map = array of [key, value].
 */
export type LiteralValue = null | boolean | bigint | number | string | IntervalValue | readonly LiteralValue[];

export function isInterval(value: LiteralValue): value is IntervalValue {
  return typeof value === 'object' && value !== null && 'micros' in value;
}

export function isArray(value: LiteralValue): value is readonly LiteralValue[] {
  return Array.isArray(value);
}

/** SQL text of a constant, as EXPLAIN shows it. Dates and times are shown as text, floats in their shortest form. */
export function literalText(value: LiteralValue, type: DataType): string {
  if (value === null) return 'NULL';
  if (isInterval(value)) return `INTERVAL '${intervalText(value)}'`;
  if (isArray(value)) return nestedText(value, type);
  switch (type.kind) {
    case 'decimal':
      return decimalText(value as bigint, type.scale);
    case 'date':
      return `DATE '${dateText(value as bigint)}'`;
    case 'timestamp':
      return `TIMESTAMP${type.zone ? 'TZ' : ''} '${timestampText(value as bigint, type.unit)}'`;
    case 'time':
      return `TIME${type.zone === true ? 'TZ' : ''} '${timeText(value as bigint, UNITS_PER_SECOND[type.unit])}'`;
    case 'binary':
      return `x'${value as string}'`;
    case 'string':
      return `'${(value as string).replaceAll("'", "''")}'`;
    case 'uuid':
      return `UUID '${value as string}'`;
    default:
      return typeof value === 'number' ? floatText(value) : String(value);
  }
}

function nestedText(value: readonly LiteralValue[], type: DataType): string {
  switch (type.kind) {
    case 'list':
      return `[${value.map((v) => literalText(v, type.element)).join(', ')}]`;
    case 'struct':
      return `{${type.fields.map((f, i) => `${f.name}: ${literalText(value[i] ?? null, f.type)}`).join(', ')}}`;
    case 'map':
      return `MAP {${value.map((entry) => entryText(entry as readonly LiteralValue[], type.key, type.value)).join(', ')}}`;
    default:
      return '?';
  }
}

function entryText(entry: readonly LiteralValue[], key: DataType, value: DataType): string {
  return `${literalText(entry[0] ?? null, key)}: ${literalText(entry[1] ?? null, value)}`;
}

/** Shortest text that reads back as the same double, always with a point or an exponent. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** `unscaled` / 10^scale with exactly `scale` digits after the point. */
export function decimalText(unscaled: bigint, scale: number): string {
  if (scale === 0) return String(unscaled);
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const UNITS_PER_SECOND = { s: 1n, ms: 1_000n, us: 1_000_000n, ns: 1_000_000_000n } as const;
const DAY_SECONDS = 86_400n;

/** Days since 1970-01-01 → `yyyy-mm-dd` in the proleptic Gregorian calendar; years before 1 as `yyyy-mm-dd (BC)`. */
export function dateText(days: bigint): string {
  const { year, month, day } = civil(days);
  const shown = year > 0 ? year : 1 - year;
  const pad = (n: number, width: number): string => String(n).padStart(width, '0');
  return `${pad(shown, 4)}-${pad(month, 2)}-${pad(day, 2)}${year > 0 ? '' : ' (BC)'}`;
}

export function timestampText(value: bigint, unit: keyof typeof UNITS_PER_SECOND): string {
  const perSecond = UNITS_PER_SECOND[unit];
  const perDay = perSecond * DAY_SECONDS;
  const days = floorDivide(value, perDay);
  return `${dateText(days)} ${timeText(value - days * perDay, perSecond)}`;
}

/** Trailing zeros of the fraction are dropped. */
function timeText(value: bigint, perSecond: bigint): string {
  const seconds = value / perSecond;
  const two = (n: bigint): string => n.toString().padStart(2, '0');
  const whole = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  const rest = value % perSecond;
  if (rest === 0n) return whole;
  return `${whole}.${rest
    .toString()
    .padStart(String(perSecond).length - 1, '0')
    .replace(/0+$/, '')}`;
}

function intervalText(value: IntervalValue): string {
  const parts: string[] = [];
  if (value.months !== 0) parts.push(`${value.months} months`);
  if (value.days !== 0) parts.push(`${value.days} days`);
  if (value.micros !== 0n || parts.length === 0) {
    const sign = value.micros < 0n ? '-' : '';
    parts.push(`${sign}${timeText(value.micros < 0n ? -value.micros : value.micros, 1_000_000n)}`);
  }
  return parts.join(' ');
}

export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** Civil date of a day number (Howard Hinnant's algorithm: eras of 400 years from March 1st of year 0). */
export function civil(days: bigint): { year: number; month: number; day: number } {
  const z = Number(days) + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** Day number of a civil date; the inverse of `civil`. */
export function dayNumber(year: number, month: number, day: number): bigint {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return BigInt(era * 146_097 + dayOfEra - 719_468);
}

export function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}
