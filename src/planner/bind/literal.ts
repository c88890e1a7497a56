import type { DataType } from '../../common/data_type.ts';
import { BINARY, BOOL, decimal, FLOAT64, INTERVAL, list, STRING } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { IntervalValue } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { integerLiteralType } from '../../functions/argument.ts';
import { commonType } from '../../functions/supertype.ts';
import type { IntervalUnit, Literal } from '../../sql/ast.ts';
import type { BoundLiteral } from '../logical/expression.ts';
import { boolLiteral, literal, nullLiteral } from '../logical/expression.ts';
import type { ParameterValue } from './context.ts';
import type { ParamValue } from './parameter.ts';

/** A constant of the text; numbers and text are adaptable. */
export function bindLiteral(node: Literal): BoundLiteral {
  switch (node.kind) {
    case 'integer_literal':
      return integer(BigInt(node.text), node.span);
    case 'decimal_literal':
      return decimalLiteral(node.text, node.span);
    case 'double_literal':
      return literal(Number(node.text), FLOAT64, node.span);
    case 'string_literal':
      return { ...literal(node.value, STRING, node.span), adaptable: true };
    case 'blob_literal':
      return literal(node.hex, BINARY, node.span);
    case 'boolean_literal':
      return boolLiteral(node.value, node.span);
    case 'null_literal':
      return nullLiteral(node.span);
  }
}

/** Beyond 38 digits it is a DOUBLE. */
export function integer(value: bigint, span: SourceSpan): BoundLiteral {
  const type = integerLiteralType(value);
  if (type.kind === 'float64') return literal(Number(value), FLOAT64, span);
  return { ...literal(value, type, span), adaptable: true };
}

/** DECIMAL with exactly the digits of the text; with more than 38 of them a DOUBLE. */
function decimalLiteral(text: string, span: SourceSpan): BoundLiteral {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = `${whole.replace(/^0+/, '')}`.length + fraction.length;
  const precision = Math.max(digits, whole === '' || /^0+$/.test(whole) ? fraction.length + (whole === '' ? 0 : 1) : 1);
  if (precision > 38 || precision === 0) return literal(Number(text), FLOAT64, span);
  return literal(BigInt(`${whole}${fraction}`), decimal(precision, fraction.length), span);
}

/** `-literal` of a number. */
export function negated(value: BoundLiteral, span: SourceSpan): BoundLiteral | null {
  if (typeof value.value === 'bigint' && (value.type.kind === 'decimal' || value.adaptable === true)) {
    return value.adaptable === true ? integer(-value.value, span) : literal(-value.value, value.type, span);
  }
  return typeof value.value === 'number' ? literal(-value.value, value.type, span) : null;
}

/** The constant that a parameter stands for. */
export function parameterLiteral(parameter: ParameterValue, span: SourceSpan): BoundLiteral {
  const adaptable = parameter.type.kind === 'string' || typeof parameter.value === 'bigint';
  const base = literal(parameter.value, parameter.type, span);
  return adaptable ? { ...base, adaptable: true } : base;
}

/** A parameter's value with its own type; arrays become lists, typed arrays lists of FLOAT or DOUBLE. */
export function parameterValue(name: string, value: ParamValue): ParameterValue {
  if (value === null) return { value: null, type: { kind: 'null' } };
  switch (typeof value) {
    case 'boolean':
      return { value, type: BOOL };
    case 'string':
      return { value, type: STRING };
    case 'bigint':
      return { value, type: integerLiteralType(value) };
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? { value: BigInt(value), type: integerLiteralType(BigInt(value)) }
        : { value, type: FLOAT64 };
    default:
      return listParameter(name, value);
  }
}

function listParameter(name: string, value: readonly ParamValue[] | Float32Array | Float64Array): ParameterValue {
  if (value instanceof Float32Array) return { value: Array.from(value), type: list({ kind: 'float32' }) };
  if (value instanceof Float64Array) return { value: Array.from(value), type: list(FLOAT64) };
  const items = value.map((item) => parameterValue(name, item));
  const element = commonType(
    items.map((item) => ({ type: item.type, literal: typeof item.value === 'bigint' ? item.value : undefined })),
  );
  if (element === null) throw userError('type', `the elements of parameter $${name} have no common type`);
  return { value: items.map((item) => convertItem(item, element)), type: list(element) };
}

function convertItem(item: ParameterValue, type: DataType): ParameterValue['value'] {
  return typeof item.value === 'bigint' && (type.kind === 'float64' || type.kind === 'float32')
    ? Number(item.value)
    : item.value;
}

/** months, days, microseconds of one unit */
const UNITS: Readonly<Record<IntervalUnit, readonly [number, number, bigint]>> = {
  millennium: [12_000, 0, 0n],
  century: [1_200, 0, 0n],
  decade: [120, 0, 0n],
  year: [12, 0, 0n],
  quarter: [3, 0, 0n],
  month: [1, 0, 0n],
  week: [0, 7, 0n],
  day: [0, 1, 0n],
  hour: [0, 0, 3_600_000_000n],
  minute: [0, 0, 60_000_000n],
  second: [0, 0, 1_000_000n],
  millisecond: [0, 0, 1_000n],
  microsecond: [0, 0, 1n],
};

const INT32_LIMIT = 2 ** 31;

/** `count` units; null when it does not fit the fields of an interval. */
export function intervalOf(count: bigint, unit: IntervalUnit): IntervalValue | null {
  const [months, days, micros] = UNITS[unit];
  const value = { months: months * Number(count), days: days * Number(count), micros: micros * count };
  const fits = Math.abs(value.months) < INT32_LIMIT && Math.abs(value.days) < INT32_LIMIT;
  return fits && BigInt.asIntN(64, value.micros) === value.micros ? value : null;
}

/** `1 day 2 hours` or `02:30:00`, whole numbers and known units only; null = the engine parses it. */
export function parseInterval(text: string): IntervalValue | null {
  const clock = /^(-?)(\d{1,9}):([0-5]\d):([0-5]\d)$/.exec(text.trim());
  if (clock !== null) {
    const [, sign, hours, minutes, seconds] = clock;
    const micros = BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1_000_000n;
    return { months: 0, days: 0, micros: sign === '-' ? -micros : micros };
  }
  const pieces = [...text.trim().matchAll(/([+-]?\d+)\s*([a-z]+)\s*/giy)];
  if (pieces.length === 0 || pieces.map((piece) => piece[0]).join('') !== text.trim()) return null;
  let total: IntervalValue = { months: 0, days: 0, micros: 0n };
  for (const [, count = '', word = ''] of pieces) {
    const unit = unitOf(word);
    const part = unit === null ? null : intervalOf(BigInt(count), unit);
    if (part === null) return null;
    total = {
      months: total.months + part.months,
      days: total.days + part.days,
      micros: total.micros + part.micros,
    };
  }
  return total;
}

function unitOf(word: string): IntervalUnit | null {
  const lower = word.toLowerCase();
  const names = Object.keys(UNITS) as IntervalUnit[];
  const plural = { centuries: 'century', millennia: 'millennium' }[lower] as IntervalUnit | undefined;
  return plural ?? names.find((unit) => lower === unit || lower === `${unit}s`) ?? null;
}

export const intervalLiteral = (value: IntervalValue, span: SourceSpan): BoundLiteral => literal(value, INTERVAL, span);
