/** Text of dates, times, timestamps and intervals as DuckDB casts them to VARCHAR. */
import type { TimeUnit } from '../common/data_type.ts';

const DATE_INFINITY = 2147483647;
const INT64_MAX = 9223372036854775807n;

const UNITS_PER_SECOND: Readonly<Record<TimeUnit, number>> = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 };
const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 3, us: 6, ns: 9 };

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));

function two(n: number): string {
  return TWO_DIGITS[n] ?? String(n);
}

interface CivilDate {
  /** without the era mark, `2020-01-02` */
  readonly text: string;
  /** '' or ' (BC)' */
  readonly era: string;
}

/** Proleptic Gregorian date of a day number since 1970-01-01 (400-year cycles of 146,097 days from 0000-03-01). */
function civilDate(days: number): CivilDate {
  const shifted = days + 719468;
  const cycle = Math.floor(shifted / 146097);
  const dayOfCycle = shifted - cycle * 146097;
  const yearOfCycle = Math.floor(
    (dayOfCycle - Math.floor(dayOfCycle / 1460) + Math.floor(dayOfCycle / 36524) - Math.floor(dayOfCycle / 146096)) /
      365,
  );
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0);
  const shown = year > 0 ? year : 1 - year;
  return { text: `${String(shown).padStart(4, '0')}-${two(month)}-${two(day)}`, era: year > 0 ? '' : ' (BC)' };
}

/** Text of a DATE: days since 1970-01-01. */
export function dateText(days: number): string {
  if (days === DATE_INFINITY) return 'infinity';
  if (days === -DATE_INFINITY) return '-infinity';
  const date = civilDate(days);
  return date.text + date.era;
}

/** `.123` of a count of `unit` below one second, without zeros at the end; '' for 0. */
function fractionText(fraction: number, unit: TimeUnit): string {
  if (fraction === 0) return '';
  return `.${String(fraction).padStart(FRACTION_DIGITS[unit], '0').replace(/0+$/, '')}`;
}

/** `hh:mm:ss` of whole seconds; hours may have more than two digits. */
function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** Whole units of a count and the rest, both exact; the rest is never negative. */
function divide(value: number | bigint, by: number): { whole: number; rest: number } {
  if (typeof value === 'bigint') {
    const divisor = BigInt(by);
    const rest = ((value % divisor) + divisor) % divisor;
    return { whole: Number((value - rest) / divisor), rest: Number(rest) };
  }
  // The quotient alone may round up to the next whole number; without the rest it is exact.
  const rest = ((value % by) + by) % by;
  return { whole: (value - rest) / by, rest };
}

/** Text of a TIME: units since midnight; `zone` adds `+00`. */
export function timeText(value: number | bigint, unit: TimeUnit, zone = false): string {
  const { whole, rest } = divide(value, UNITS_PER_SECOND[unit]);
  return clockText(whole) + fractionText(rest, unit) + (zone ? '+00' : '');
}

/** Text of a TIMESTAMP: units since 1970-01-01 (a number only if it is a safe integer); `zone` adds `+00`. */
export function timestampText(value: number | bigint, unit: TimeUnit, zone: boolean): string {
  if (value === INT64_MAX) return 'infinity';
  if (value === -INT64_MAX) return '-infinity';
  const seconds = divide(value, UNITS_PER_SECOND[unit]);
  const days = divide(Number.isSafeInteger(seconds.whole) ? seconds.whole : BigInt(seconds.whole), 86400);
  const date = civilDate(days.whole);
  const time = clockText(days.rest) + fractionText(seconds.rest, unit);
  return `${date.text}${date.era} ${time}${zone ? '+00' : ''}`;
}

function counted(n: number, word: string): string {
  return `${n} ${word}${n === 1 || n === -1 ? '' : 's'}`;
}

/** Text of an INTERVAL, e.g. `1 year 2 months 3 days 04:05:06.7`, `-00:00:01`. */
export function intervalText(months: number, days: number, microseconds: bigint): string {
  const parts: string[] = [];
  const years = Math.trunc(months / 12);
  const restMonths = months % 12;
  if (years !== 0) parts.push(counted(years, 'year'));
  if (restMonths !== 0) parts.push(counted(restMonths, 'month'));
  if (days !== 0) parts.push(counted(days, 'day'));
  if (microseconds !== 0n || parts.length === 0) {
    const sign = microseconds < 0n ? '-' : '';
    parts.push(sign + timeText(microseconds < 0n ? -microseconds : microseconds, 'us'));
  }
  return parts.join(' ');
}
