import type { DataType } from '../../common/data_type.ts';
import type { IntervalValue, LiteralValue } from '../../common/literal.ts';
import { civil, dayNumber, daysInMonth, isInterval } from '../../common/literal.ts';
import { fitsDecimal, fitsInteger, isInteger } from '../../functions/argument.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal, mapChildren } from '../logical/expression.ts';
import { foldCast } from './fold_cast.ts';

/**
 * Evaluates what is constant and beyond doubt: casts, whole-number and decimal arithmetic without overflow, dates with
 * intervals, boolean logic. Anything else stays for the engine, which evaluates constants once a query.
 */
export function foldConstant(expr: BoundExpr): BoundExpr {
  const folded = mapChildren(expr, foldConstant);
  const value = constantOf(folded);
  return value === undefined ? folded : literal(value, folded.type, folded.span);
}

function constantOf(expr: BoundExpr): LiteralValue | undefined {
  switch (expr.kind) {
    case 'cast':
      return expr.operand.kind === 'literal' ? foldCast(expr.operand.value, expr.operand.type, expr.type) : undefined;
    case 'call': {
      const values = expr.args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined));
      if (values.length === 0 || values.some((value) => value === undefined)) return undefined;
      return callValue(
        expr.fn,
        values as LiteralValue[],
        expr.args.map((arg) => arg.type),
        expr.type,
      );
    }
    default:
      return undefined;
  }
}

/** Functions whose result is NULL as soon as an argument is. */
const STRICT = new Set(['add', 'sub', 'mul', 'neg', 'add_date', 'sub_date', 'not', 'eq', 'ne', 'lt', 'le', 'gt', 'ge']);

function callValue(
  fn: string,
  values: readonly LiteralValue[],
  types: readonly DataType[],
  type: DataType,
): LiteralValue | undefined {
  if (STRICT.has(fn) && values.includes(null)) return null;
  const [a, b] = values;
  if (fn === 'not' && typeof a === 'boolean') return !a;
  if (typeof a !== 'bigint') return undefined;
  if (typeof b === 'object' && b !== null && isInterval(b)) return withInterval(fn, a, b, types[0] as DataType, type);
  if (fn === 'neg') return inRange(-a, type);
  if (typeof b !== 'bigint') return undefined;
  return comparison(fn, a, b) ?? arithmetic(fn, a, b, types, type);
}

function comparison(fn: string, a: bigint, b: bigint): boolean | undefined {
  switch (fn) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    case 'gt':
      return a > b;
    case 'ge':
      return a >= b;
    default:
      return undefined;
  }
}

/** Integers of one type, decimals of one scale, dates and days. */
function arithmetic(
  fn: string,
  a: bigint,
  b: bigint,
  types: readonly DataType[],
  type: DataType,
): LiteralValue | undefined {
  if (!types.every((t) => isInteger(t) || t.kind === 'decimal' || t.kind === 'date')) return undefined;
  switch (fn) {
    case 'add':
      return inRange(a + b, type);
    case 'sub':
      return inRange(a - b, type);
    case 'mul':
      return inRange(a * b, type);
    default:
      return undefined;
  }
}

/** Dates of four-digit years are folded; the engine knows the rest. */
const FIRST_DAY = dayNumber(1, 1, 1);
const LAST_DAY = dayNumber(9999, 12, 31);

function inRange(value: bigint, type: DataType): bigint | undefined {
  if (isInteger(type)) return fitsInteger(value, type) ? value : undefined;
  if (type.kind === 'decimal') return fitsDecimal(value, type.precision) ? value : undefined;
  if (type.kind === 'date') return FIRST_DAY <= value && value <= LAST_DAY ? value : undefined;
  return undefined;
}

function withInterval(
  fn: string,
  moment: bigint,
  interval: IntervalValue,
  from: DataType,
  to: DataType,
): bigint | undefined {
  if (!['add', 'sub', 'add_date', 'sub_date'].includes(fn) || from.kind !== 'date') return undefined;
  const sign = fn.startsWith('sub') ? -1 : 1;
  const day = shiftDay(moment, sign * interval.months, sign * interval.days);
  if (day === undefined || day < FIRST_DAY || day > LAST_DAY) return undefined;
  if (to.kind === 'date') return day;
  return to.kind === 'timestamp' && to.unit === 'us'
    ? day * 86_400_000_000n + BigInt(sign) * interval.micros
    : undefined;
}

/** Months first, the day of the month cut to the month's length, then days. */
export function shiftDay(day: bigint, months: number, days: number): bigint | undefined {
  if (day < FIRST_DAY || day > LAST_DAY) return undefined;
  const date = civil(day);
  const total = date.year * 12 + (date.month - 1) + months;
  const [year, month] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1];
  return dayNumber(year, month, Math.min(date.day, daysInMonth(year, month))) + BigInt(days);
}
