import type { DataType } from '../common/data_type.ts';
import { BOOL, decimal, FLOAT32, list, sameType, struct } from '../common/data_type.ts';
import { QuernError } from '../common/error.ts';
import type { LiteralValue } from '../common/literal.ts';
import type { ArgumentType } from './argument.ts';
import { isHalf } from './argument.ts';
import type { Match, MatchFailure } from './overload.ts';
import { chooseOverload, patternResult } from './overload.ts';
import type { Signature } from './signature.ts';
import { SIGNATURES } from './signatures.ts';

export type FunctionCategory =
  | 'operator'
  | 'comparison'
  | 'numeric'
  | 'text'
  | 'pattern'
  | 'date and time'
  | 'list'
  | 'struct and map'
  | 'conditional'
  | 'aggregate';

/** Where an argument of the engine's call comes from: an argument of the SQL call, or a constant. */
export type ResolvedArgument =
  | { readonly index: number; readonly type: DataType }
  | { readonly value: LiteralValue; readonly type: DataType };

/** A call of one row of functions.def with exact argument types. */
export interface Resolution {
  readonly fn: string;
  readonly args: readonly ResolvedArgument[];
  readonly type: DataType;
  readonly fallible: boolean;
}

/** A function as SQL knows it. */
export interface FunctionRow {
  /** the first is the one that documentation and messages use; all lower case */
  readonly names: readonly [string, ...string[]];
  readonly kind: 'scalar' | 'aggregate';
  readonly category: FunctionCategory;
  readonly doc: string;
  /** an expression whose value is worth showing */
  readonly example: string;
  /** names of the rows of functions.def that a call may end in */
  readonly targets: readonly string[];
  readonly resolve: (args: readonly ArgumentType[]) => Resolution | MatchFailure;
}

interface RowText {
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly example: string;
  /** rows of functions.def; default: the first name */
  readonly targets?: readonly string[];
  /** default: overloads of all targets by cost */
  readonly resolve?: FunctionRow['resolve'];
}

const BY_NAME = new Map<string, Signature[]>();
for (const signature of SIGNATURES) {
  const key = `${signature.kind}:${signature.name}`;
  const rows = BY_NAME.get(key);
  if (rows === undefined) BY_NAME.set(key, [signature]);
  else rows.push(signature);
}

/** Overloads of rows of functions.def, in the order of the table. */
export function signaturesOf(kind: Signature['kind'], names: readonly string[]): readonly Signature[] {
  return names.flatMap((name) => BY_NAME.get(`${kind}:${name}`) ?? []);
}

/** Rows of one category; `defaults` resolves by overloads. */
export function scalars(category: FunctionCategory, rows: readonly RowText[]): FunctionRow[] {
  return rows.map((row) => ({
    kind: 'scalar',
    category,
    names: row.names,
    doc: row.doc,
    example: row.example,
    targets: row.targets ?? [row.names[0]],
    resolve: row.resolve ?? overloads(row.targets ?? [row.names[0]]),
  }));
}

export function aggregates(rows: readonly RowText[]): FunctionRow[] {
  return rows.map((row) => ({
    kind: 'aggregate',
    category: 'aggregate',
    names: row.names,
    doc: row.doc,
    example: row.example,
    targets: row.targets ?? [row.names[0]],
    resolve: row.resolve ?? ((args) => resolveAmong(signaturesOf('aggregate', row.targets ?? [row.names[0]]), args)),
  }));
}

/** Resolution by cost among all overloads of these rows of functions.def. */
export function overloads(targets: readonly string[]): FunctionRow['resolve'] {
  return (args) => resolveAmong(signaturesOf('scalar', targets), args);
}

/** Chooses an overload and works out the exact types of arguments and result. */
export function resolveAmong(
  signatures: readonly Signature[],
  args: readonly ArgumentType[],
): Resolution | MatchFailure {
  const match = chooseOverload(signatures, args.map(halfAsFloat));
  return typeof match === 'string' ? match : finish(match, args);
}

/** FLOAT16 and BFLOAT16 are computed in FLOAT; rows that only pass values through take them as they are (see keepHalf). */
function halfAsFloat(arg: ArgumentType): ArgumentType {
  if (isHalf(arg.type)) return { ...arg, type: FLOAT32 };
  return arg.type.kind === 'list' && isHalf(arg.type.element) ? { ...arg, type: list(FLOAT32) } : arg;
}

/** As resolveAmong for functions that hand values on, whatever their type. */
export function resolveKeepingHalf(
  signatures: readonly Signature[],
  args: readonly ArgumentType[],
): Resolution | MatchFailure {
  const match = chooseOverload(signatures, args);
  return typeof match === 'string' ? match : finish(match, args);
}

function finish(match: Match, args: readonly ArgumentType[]): Resolution {
  const { types, type } = resultOf(match, args);
  return {
    fn: match.signature.name,
    args: types.map((target, index) => ({ index, type: target })),
    type,
    fallible: match.signature.fallible,
  };
}

/** Result rules of functions.def; some also decide the types that arguments are cast to. */
function resultOf(match: Match, args: readonly ArgumentType[]): { types: readonly DataType[]; type: DataType } {
  const { types, signature } = match;
  const plain = patternResult(match);
  if (plain !== null) return { types, type: plain };
  const [first, second] = types;
  switch (signature.result) {
    case 'decimal_sum':
      return decimalSum(signature.name, types);
    case 'decimal_product':
      return decimalProduct(types);
    case 'decimal_any':
      return { types, type: roundedDecimal(signature.name, first as DataType, args[1]) };
    case 'decimal_sum38': {
      const summed = first?.kind === 'list' ? first.element : first;
      return { types, type: decimal(38, summed?.kind === 'decimal' ? summed.scale : 0) };
    }
    case 'map_value':
    case 'map_values':
    case 'map_keys':
    case 'map_entries':
      return mapResult(signature.result, first as DataType, second);
    default:
      throw new QuernError({
        source: 'internal',
        code: 'internal',
        message: `function row without a result rule: ${signature.name}, ${signature.result}`,
      });
  }
}

const NARROW = 18;

/** DuckDB keeps DECIMAL(18) and checks for overflow as long as all operands have at most 18 digits. */
function cappedPrecision(precision: number, types: readonly DataType[]): number {
  const narrow = types.every((type) => type.kind === 'decimal' && type.precision <= NARROW);
  return Math.min(precision, narrow && precision > NARROW ? NARROW : 38);
}

/** Operands get one scale; + and - get one more digit before the point. */
function decimalSum(name: string, types: readonly DataType[]): { types: readonly DataType[]; type: DataType } {
  const sizes = types.map((type) => (type.kind === 'decimal' ? type : { precision: 18, scale: 3 }));
  const scale = Math.max(...sizes.map((size) => size.scale));
  const whole = Math.max(...sizes.map((size) => size.precision - size.scale));
  const carry = name === 'add' || name === 'sub' ? 1 : 0;
  const type = decimal(cappedPrecision(whole + scale + carry, types), scale);
  return { types: sizes.map(() => type), type };
}

function decimalProduct(types: readonly DataType[]): { types: readonly DataType[]; type: DataType } {
  const sizes = types.map((type) => (type.kind === 'decimal' ? type : { precision: 18, scale: 3 }));
  const scale = sizes.reduce((sum, size) => sum + size.scale, 0);
  const precision = sizes.reduce((sum, size) => sum + size.precision, 0);
  if (scale > 38) {
    throw new QuernError({
      source: 'user',
      code: 'type',
      message: `the product of ${types.length} decimals needs more than 38 digits after the point: ${scale}`,
      hint: 'cast an operand to a decimal with fewer digits after the point, or to DOUBLE',
    });
  }
  return { types, type: decimal(Math.max(cappedPrecision(precision, types), scale), scale) };
}

/** round, trunc, ceil, floor of a decimal keep its digits and lose scale. */
function roundedDecimal(name: string, type: DataType, digits: ArgumentType | undefined): DataType {
  if (type.kind !== 'decimal') return type;
  if (digits === undefined) return decimal(type.precision, 0);
  if (typeof digits.literal !== 'bigint') {
    throw new QuernError({
      source: 'user',
      code: 'binder',
      message: `the number of digits of ${name} over a DECIMAL must be a constant`,
      hint: `cast the value to DOUBLE to use a number of digits that changes from row to row`,
    });
  }
  return decimal(type.precision, Math.min(type.scale, Math.max(Number(digits.literal), 0)));
}

function mapResult(
  rule: string,
  type: DataType,
  key: DataType | undefined,
): { types: readonly DataType[]; type: DataType } {
  if (type.kind !== 'map')
    throw new QuernError({ source: 'internal', code: 'internal', message: 'map rule without map' });
  const types = key === undefined ? [type] : [type, type.key];
  switch (rule) {
    case 'map_value':
      return { types, type: type.value };
    case 'map_values':
      return { types, type: list(type.value) };
    case 'map_keys':
      return { types, type: list(type.key) };
    default:
      return {
        types,
        type: list(
          struct([
            { name: 'key', type: type.key },
            { name: 'value', type: type.value },
          ]),
        ),
      };
  }
}

/** A call of one row with the arguments as they are. */
export function directCall(fn: string, types: readonly DataType[], type: DataType, fallible = false): Resolution {
  return { fn, args: types.map((target, index) => ({ index, type: target })), type, fallible };
}

/** Comparison of two values of one type. */
export function comparison(fn: string, type: DataType): Resolution {
  const compared = isHalf(type) ? FLOAT32 : type;
  return directCall(fn, [compared, compared], BOOL);
}

/** Renumbers the arguments of a resolution: result argument i is SQL argument `order[i]`. */
export function reordered(resolution: Resolution | MatchFailure, order: readonly number[]): Resolution | MatchFailure {
  if (typeof resolution === 'string') return resolution;
  return {
    ...resolution,
    args: resolution.args.map((arg) =>
      'index' in arg ? { index: order[arg.index] ?? arg.index, type: arg.type } : arg,
    ),
  };
}

export const isType = (arg: ArgumentType | undefined, kind: DataType['kind']): boolean => arg?.type.kind === kind;
export { sameType };
