import { typeName } from '../common/data_type.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { QuernError, userError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import { AGGREGATE_ROWS } from './aggregate_rows.ts';
import type { ArgumentType } from './argument.ts';
import { isIntegerLiteral, isStringLiteral } from './argument.ts';
import { COMPARISON_ROWS } from './comparison_rows.ts';
import { FORMAT_ROWS } from './format_rows.ts';
import type { FunctionRow, Resolution } from './function_row.ts';
import { signaturesOf } from './function_row.ts';
import { LIST_ROWS } from './list_rows.ts';
import { MACRO_ROWS } from './macros.ts';
import { NESTED_ROWS } from './nested_rows.ts';
import { NUMERIC_ROWS, OPERATOR_ROWS } from './numeric_rows.ts';
import { signatureNames } from './overload.ts';
import { REGEXP_ROWS } from './regexp_rows.ts';
import { TEMPORAL_ROWS } from './temporal_rows.ts';
import { TEXT_ROWS } from './text_rows.ts';
import { VECTOR_ROWS } from './vector_rows.ts';

export type { ArgumentType } from './argument.ts';
export { HUGEINT } from './argument.ts';
export type { FunctionCategory, FunctionRow, Resolution, ResolvedArgument } from './function_row.ts';
export type { MacroRow } from './macros.ts';
export { MACRO_ROWS } from './macros.ts';

/** Every function that SQL may name, in the order of the documentation. */
export const FUNCTION_ROWS: readonly FunctionRow[] = [
  ...OPERATOR_ROWS,
  ...COMPARISON_ROWS,
  ...NUMERIC_ROWS,
  ...TEXT_ROWS,
  ...FORMAT_ROWS,
  ...REGEXP_ROWS,
  ...TEMPORAL_ROWS,
  ...NESTED_ROWS,
  ...LIST_ROWS,
  ...VECTOR_ROWS,
  ...AGGREGATE_ROWS,
];

const BY_NAME = new Map(FUNCTION_ROWS.flatMap((row) => row.names.map((name) => [name, row] as const)));

/** A scalar function or aggregate by any of its names, in any case. */
export function findFunction(name: string): FunctionRow | undefined {
  return BY_NAME.get(name.toLowerCase());
}

export function functionNames(): readonly string[] {
  return [...BY_NAME.keys(), ...MACRO_ROWS.flatMap((row) => row.names)];
}

/** Error of a name that no function has; `others` are names that the binder knows besides. */
export function unknownFunction(name: string, span: SourceSpan, others: readonly string[] = []): QuernError {
  const names = [...functionNames(), ...others].filter((known) => /^[a-z]/.test(known));
  return userError(
    'catalog',
    `function not found: ${name}`,
    span,
    didYouMean(name, names) ?? 'SHOW FUNCTIONS lists them',
  );
}

/** Chooses the overload of a call; errors point at `span` and list what there is. */
export function resolveCall(row: FunctionRow, args: readonly ArgumentType[], span: SourceSpan): Resolution {
  let result: ReturnType<FunctionRow['resolve']>;
  try {
    result = row.resolve(args);
  } catch (error) {
    if (error instanceof QuernError && error.span === undefined) {
      throw new QuernError({ ...error, source: error.source, code: error.code, message: error.message, span });
    }
    throw error;
  }
  if (typeof result !== 'string') return result;
  const call = `${row.names[0]}(${args.map(argumentName).join(', ')})`;
  const candidates = candidateList(row, args);
  if (result === 'ambiguous') {
    throw userError('type', `more than one overload fits: ${call}`, span, `cast the arguments; ${candidates}`);
  }
  throw userError('type', `no overload fits: ${call}`, span, candidates);
}

function argumentName(arg: ArgumentType): string {
  if (isStringLiteral(arg)) return "'text'";
  return isIntegerLiteral(arg) ? String(arg.literal) : typeName(arg.type);
}

/** Overloads shown in an error. */
const SHOWN_CANDIDATES = 5;

/** Overloads with this number of arguments where there are some, those that share types with the call first. */
function candidateList(row: FunctionRow, args: readonly ArgumentType[]): string {
  const all = signaturesOf(row.kind, row.targets);
  const fitting = all.filter((signature) => signature.args.length === args.length);
  const lists = (fitting.length > 0 ? fitting : all).flatMap(signatureNames);
  const agreeing = (names: readonly string[]): number =>
    names.filter((name, i) => name === args[i]?.type.kind.toUpperCase() || (args[i] && name === typeName(args[i].type)))
      .length;
  const ranked = [...lists].sort((a, b) => agreeing(b) - agreeing(a));
  const texts = [...new Set(ranked.map((names) => `${row.names[0]}(${names.join(', ')})`))];
  const shown = texts.slice(0, SHOWN_CANDIDATES).join(', ');
  return `there ${texts.length === 1 ? 'is' : 'are'} ${shown}${texts.length > SHOWN_CANDIDATES ? ', …' : ''}`;
}
