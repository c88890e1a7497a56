import type { DataType } from '../common/data_type.ts';
import { BOOL, typeName } from '../common/data_type.ts';
import { userError } from '../common/error.ts';
import type { ArgumentType } from './argument.ts';
import { isNumeric } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { comparison, directCall, overloads, resolveKeepingHalf, scalars, signaturesOf } from './function_row.ts';
import { commonType } from './supertype.ts';

/**
 * The type two compared values are cast to: constants take the other side's type; a text column beside a date or
 * boolean is cast to it, beside a number it is an error. null = not comparable.
 */
export function comparedType(left: ArgumentType, right: ArgumentType): DataType | null {
  const common = commonType([left, right]);
  if (common !== null) return common;
  if (left.type.kind === 'string' && !isNumeric(right.type)) return castableFromText(right.type) ? right.type : null;
  if (right.type.kind === 'string' && !isNumeric(left.type)) return castableFromText(left.type) ? left.type : null;
  return null;
}

const castableFromText = (type: DataType): boolean =>
  ['bool', 'date', 'time', 'timestamp', 'interval', 'uuid'].includes(type.kind);

const compare =
  (fn: string): FunctionRow['resolve'] =>
  (args) => {
    const [left, right] = args;
    if (left === undefined || right === undefined || args.length !== 2) return 'no_match';
    const type = comparedType(left, right);
    if (type === null) throw notComparable(left, right);
    return comparison(fn, type);
  };

function notComparable(left: ArgumentType, right: ArgumentType): Error {
  const textWithNumber =
    (left.type.kind === 'string' && isNumeric(right.type)) || (right.type.kind === 'string' && isNumeric(left.type));
  const number = left.type.kind === 'string' ? right.type : left.type;
  const hint = textWithNumber
    ? `cast the text, e.g. CAST(… AS ${typeName(number)}), or the number to VARCHAR`
    : 'cast one side to the type of the other';
  return userError('type', `cannot compare ${typeName(left.type)} with ${typeName(right.type)}`, undefined, hint);
}

const anyValues =
  (fn: string): FunctionRow['resolve'] =>
  (args) =>
    args.length === 0 ? 'no_match' : resolveKeepingHalf(signaturesOf('scalar', [fn]), args);

/** The result has the type of the first argument; the binder writes it as CASE where the comparison needs another. */
const nullif: FunctionRow['resolve'] = (args) => {
  const [value, other] = args;
  if (value === undefined || other === undefined || args.length !== 2) return 'no_match';
  const type = comparedType(value, other);
  if (type === null) throw notComparable(value, other);
  return directCall('nullif', [type, type], type);
};

/** IS NULL and the like take any type as it is. */
const ofAny =
  (fn: string): FunctionRow['resolve'] =>
  ([value, ...rest]) =>
    value === undefined || rest.length > 0 ? 'no_match' : directCall(fn, [value.type], BOOL);

export const COMPARISON_ROWS: readonly FunctionRow[] = [
  ...scalars('comparison', [
    {
      names: ['=', '=='],
      targets: ['eq'],
      resolve: compare('eq'),
      doc: 'Equal; NULL when a side is NULL.',
      example: '1 = 1.0',
    },
    { names: ['<>', '!='], targets: ['ne'], resolve: compare('ne'), doc: 'Not equal.', example: '1 <> 2' },
    {
      names: ['<'],
      targets: ['lt'],
      resolve: compare('lt'),
      doc: 'Less; text by bytes, NaN greatest.',
      example: "'Z' < 'a'",
    },
    { names: ['<='], targets: ['le'], resolve: compare('le'), doc: 'Less or equal.', example: '1 <= 1' },
    { names: ['>'], targets: ['gt'], resolve: compare('gt'), doc: 'Greater.', example: '[1, 3] > [1, 2]' },
    { names: ['>='], targets: ['ge'], resolve: compare('ge'), doc: 'Greater or equal.', example: '2 >= 1' },
    {
      names: ['is_distinct_from'],
      resolve: compare('is_distinct_from'),
      doc: 'Not equal, NULL being a value: `a IS DISTINCT FROM b`.',
      example: '1 IS DISTINCT FROM NULL',
    },
    {
      names: ['is_not_distinct_from'],
      resolve: compare('is_not_distinct_from'),
      doc: 'Equal, NULL being a value: `a IS NOT DISTINCT FROM b`.',
      example: 'NULL IS NOT DISTINCT FROM NULL',
    },
    { names: ['is_null'], resolve: ofAny('is_null'), doc: 'True for NULL: `x IS NULL`.', example: 'NULL IS NULL' },
    {
      names: ['is_not_null'],
      resolve: ofAny('is_not_null'),
      doc: 'True unless NULL: `x IS NOT NULL`.',
      example: '1 IS NOT NULL',
    },
    {
      names: ['not'],
      resolve: (args) => overloads(['not'])(args),
      doc: 'Negation; NULL stays NULL: `NOT x`.',
      example: 'NOT true',
    },
  ]),
  ...scalars('conditional', [
    { names: ['nullif'], resolve: nullif, doc: 'NULL when both are equal, else the first.', example: "nullif('', '')" },
    {
      names: ['error'],
      doc: 'Raises an error with a message for rows that reach it.',
      example: "CASE WHEN true THEN 1 ELSE error('no') END",
    },
    {
      names: ['greatest'],
      resolve: anyValues('greatest'),
      doc: 'Greatest argument; NULL is skipped.',
      example: 'greatest(1, 3, 2)',
    },
    {
      names: ['least'],
      resolve: anyValues('least'),
      doc: 'Least argument; NULL is skipped.',
      example: 'least(1, 3, 2)',
    },
  ]),
];
