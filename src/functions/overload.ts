import type { DataType, TypeKind } from '../common/data_type.ts';
import {
  BINARY,
  BOOL,
  DATE,
  decimal,
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  INTERVAL,
  list,
  NULL_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeName,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  UUID,
} from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import { asDecimal, HUGEINT, integerLiteralType, isIntegerLiteral, isStringLiteral } from './argument.ts';
import { implicitCastCost } from './cast_cost.ts';
import type { Signature } from './signature.ts';
import { commonType } from './supertype.ts';

/** One way to call a function, with T fixed to a kind where that matters. */
interface Candidate {
  readonly signature: Signature;
  /** what T stands for: a type, any decimal / time / timestamp of a kind, or anything */
  readonly variable: DataType | TypeKind | 'any' | null;
}

/** The chosen row, with the exact type each argument has to be cast to and the binding of T. */
export interface Match {
  readonly signature: Signature;
  readonly types: readonly DataType[];
  readonly variable: DataType | null;
}

export type MatchFailure = 'no_match' | 'ambiguous';

const CLASSES: Readonly<Record<string, readonly string[]>> = {
  integers: ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'],
  signed: ['int8', 'int16', 'int32', 'int64'],
  floats: ['float32', 'float64'],
  moments: ['date', 'timestamp'],
};

const FIXED: Readonly<Record<string, DataType>> = {
  null: NULL_TYPE,
  bool: BOOL,
  int8: INT8,
  int16: INT16,
  int32: INT32,
  int64: INT64,
  uint8: UINT8,
  uint16: UINT16,
  uint32: UINT32,
  uint64: UINT64,
  float32: FLOAT32,
  float64: FLOAT64,
  date: DATE,
  interval: INTERVAL,
  string: STRING,
  binary: BINARY,
  uuid: UUID,
  hugeint: HUGEINT,
  timestamptz: TIMESTAMPTZ,
};

function candidatesOf(signature: Signature): Candidate[] {
  if (signature.over.length === 0) return [{ signature, variable: null }];
  const words = signature.over.flatMap((word) => CLASSES[word] ?? [word]);
  return words.map((word) => ({ signature, variable: FIXED[word] ?? (word as TypeKind | 'any') }));
}

/** Pattern of argument i, with `...` resolved; null when there is none. */
function patternAt(signature: Signature, i: number): string | null {
  const { args } = signature;
  const pattern = args[i] ?? args[args.length - 1];
  if (pattern === undefined) return null;
  if (pattern.endsWith('...')) return pattern.slice(0, -3);
  return i < args.length ? pattern : null;
}

function acceptsCount(signature: Signature, count: number): boolean {
  const { args } = signature;
  const variadic = args[args.length - 1]?.endsWith('...') === true;
  return variadic ? count >= args.length : count === args.length;
}

/**
 * Chooses among rows of one function by the sum of implicit cast costs, as DuckDB does; an exact tie between different
 * overloads is ambiguous.
 */
export function chooseOverload(signatures: readonly Signature[], args: readonly ArgumentType[]): Match | MatchFailure {
  let best: { cost: number; match: Match } | null = null;
  let tie = false;
  for (const signature of signatures) {
    if (!acceptsCount(signature, args.length)) continue;
    for (const candidate of candidatesOf(signature)) {
      const result = matchCandidate(candidate, args);
      if (result === null || (best !== null && result.cost > best.cost)) continue;
      tie = best !== null && result.cost === best.cost;
      if (!tie) best = result;
    }
  }
  if (best === null) return 'no_match';
  return tie ? 'ambiguous' : best.match;
}

/** Where T is anything it was made to fit the arguments, so that casts to it cost nothing. */
function matchCandidate(candidate: Candidate, args: readonly ArgumentType[]): { cost: number; match: Match } | null {
  const { signature } = candidate;
  const variable = bindVariable(candidate, args);
  if (variable === undefined) return null;
  let cost = 0;
  const types: DataType[] = [];
  for (const [i, arg] of args.entries()) {
    const pattern = patternAt(signature, i) ?? '';
    const target = targetType(pattern, variable, arg);
    const free = candidate.variable === 'any' && /\bT\b/.test(pattern);
    const price = target === null ? null : free ? 0 : implicitCastCost(arg, target);
    if (target === null || price === null) return null;
    cost += price;
    types.push(target);
  }
  return { cost, match: { signature, types, variable } };
}

/** The type T stands for; undefined = the arguments do not fit. */
function bindVariable(candidate: Candidate, args: readonly ArgumentType[]): DataType | null | undefined {
  const { variable, signature } = candidate;
  if (variable === null) return null;
  if (typeof variable !== 'string') return variable;
  const bound: ArgumentType[] = [];
  for (const [i, arg] of args.entries()) {
    const pattern = patternAt(signature, i);
    if (pattern === 'T') bound.push(arg);
    if (pattern === 'list<T>') {
      if (arg.type.kind === 'list') bound.push({ type: arg.type.element, literal: undefined });
      else if (arg.type.kind !== 'null') return undefined;
    }
  }
  if (bound.length === 0) return NULL_TYPE;
  if (variable === 'any') return commonType(bound) ?? undefined;
  const kinds = bound.map((arg) => fitKind(arg, variable));
  if (kinds.some((type) => type === null)) return undefined;
  return commonType(kinds.map((type) => ({ type: type as DataType, literal: undefined }))) ?? undefined;
}

/** `arg` as a type of a kind that has parameters (decimal, time, timestamp); null = needs an explicit cast. */
function fitKind(arg: ArgumentType, kind: TypeKind): DataType | null {
  if (arg.type.kind === kind) return arg.type;
  switch (kind) {
    case 'decimal': {
      const size = isStringLiteral(arg) ? null : asDecimal(arg.type);
      return size === null ? null : decimal(size.precision, size.scale);
    }
    case 'time':
      return isStringLiteral(arg) || arg.type.kind === 'null' ? TIME : null;
    case 'timestamp':
      return isStringLiteral(arg) || arg.type.kind === 'null' || arg.type.kind === 'date' ? TIMESTAMP : null;
    default:
      return null;
  }
}

/** The exact type an argument is cast to under a pattern; null = it cannot be. */
function targetType(pattern: string, variable: DataType | null, arg: ArgumentType): DataType | null {
  if (pattern === 'T') return variable;
  if (pattern === 'any') return isIntegerLiteral(arg) ? integerLiteralType(arg.literal) : arg.type;
  if (pattern.startsWith('list<')) {
    const inner = pattern.slice(5, -1);
    const element = inner === 'T' ? variable : (FIXED[inner] ?? null);
    return element === null ? null : list(element);
  }
  const fixed = FIXED[pattern];
  if (fixed !== undefined) return fixed;
  // A time with zone is taken only where it stays one: as T.
  if (pattern === 'time' && arg.type.kind === 'time' && arg.type.zone === true) return null;
  if (pattern === 'decimal' || pattern === 'time' || pattern === 'timestamp') return fitKind(arg, pattern);
  return arg.type.kind === pattern || pattern === 'lambda' ? arg.type : null;
}

/** Argument lists of a row as SQL types, one a kind that T stands for; T over anything is ANY. */
export function signatureNames(signature: Signature): string[][] {
  return candidatesOf(signature).map(({ variable }) => {
    const name =
      variable === null || variable === 'any'
        ? 'ANY'
        : typeof variable === 'string'
          ? variable.toUpperCase()
          : typeName(variable);
    return signature.args.map((pattern) => patternName(pattern, name));
  });
}

function patternName(pattern: string, variable: string): string {
  if (pattern.endsWith('...')) return `${patternName(pattern.slice(0, -3), variable)}, …`;
  if (pattern === 'T') return variable;
  if (pattern.startsWith('list<')) return `${patternName(pattern.slice(5, -1), variable)}[]`;
  const fixed = FIXED[pattern];
  return fixed === undefined ? pattern.toUpperCase() : typeName(fixed);
}

/** Result of a row whose result is a pattern; null when it is a rule that the function's own row knows. */
export function patternResult(match: Match): DataType | null {
  const { result } = match.signature;
  if (result === 'T') return match.variable;
  if (result === 'list<T>') return match.variable === null ? null : list(match.variable);
  if (result.startsWith('list<')) return list(FIXED[result.slice(5, -1)] ?? NULL_TYPE);
  if (result === 'element') return match.variable;
  if (result === 'time') return TIME;
  if (result === 'timestamp') return TIMESTAMP;
  return FIXED[result] ?? null;
}
