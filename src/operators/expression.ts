import type { DataType } from '../common/data_type.ts';
import { quoteIdentifier, typeName } from '../common/data_type.ts';
import type { LiteralValue } from '../common/literal.ts';
import { literalText } from '../common/literal.ts';
import type { SourceSpan } from '../common/source_span.ts';

/** Expressions of a physical plan: columns are positions in the node's input. wire.ts says what each kind means. */
export type PlanExpr =
  | { readonly kind: 'column'; readonly index: number; readonly name: string; readonly type: DataType }
  | { readonly kind: 'literal'; readonly value: LiteralValue; readonly type: DataType }
  | {
      readonly kind: 'call';
      readonly fn: string;
      readonly args: readonly PlanExpr[];
      readonly type: DataType;
      readonly span: SourceSpan;
    }
  | {
      readonly kind: 'cast';
      readonly operand: PlanExpr;
      readonly try: boolean;
      readonly type: DataType;
      readonly span: SourceSpan;
    }
  | {
      readonly kind: 'and' | 'or' | 'case' | 'coalesce' | 'in';
      readonly args: readonly PlanExpr[];
      readonly type: DataType;
    }
  | {
      readonly kind: 'lambda';
      readonly body: PlanExpr;
      readonly captures: readonly PlanExpr[];
      readonly parameters: number;
      readonly type: DataType;
    };

export interface PlanSortKey {
  readonly expr: PlanExpr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

const INFIX: Readonly<Record<string, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  int_div: '//',
  mod: '%',
  eq: '=',
  ne: '<>',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  is_distinct_from: 'IS DISTINCT FROM',
  is_not_distinct_from: 'IS NOT DISTINCT FROM',
  string_concat: '||',
  and_bits: '&',
  or_bits: '|',
  shift_left: '<<',
  shift_right: '>>',
  like: 'LIKE',
  ilike: 'ILIKE',
};

/** One line of SQL-like text. Nested operators are put in parentheses, whatever their precedence. */
export function expressionText(expr: PlanExpr): string {
  return text(expr, false);
}

/** Conjuncts in one line. */
export function conjunctionText(conjuncts: readonly PlanExpr[]): string {
  return conjuncts.map((expr) => text(expr, conjuncts.length > 1 && expr.kind === 'or')).join(' AND ');
}

function text(expr: PlanExpr, nested: boolean): string {
  const wrap = (inner: string): string => (nested ? `(${inner})` : inner);
  switch (expr.kind) {
    case 'column':
      return quoteIdentifier(expr.name);
    case 'literal':
      return literalText(expr.value, expr.type);
    case 'cast':
      return `${expr.try ? 'TRY_CAST' : 'CAST'}(${text(expr.operand, false)} AS ${typeName(expr.type)})`;
    case 'and':
    case 'or':
      return wrap(expr.args.map((arg) => text(arg, true)).join(` ${expr.kind.toUpperCase()} `));
    case 'case':
      return caseText(expr.args);
    case 'coalesce':
      return `coalesce(${list(expr.args)})`;
    case 'in':
      return wrap(`${text(expr.args[0] as PlanExpr, true)} IN (${list(shortened(expr.args.slice(1)))})`);
    case 'lambda':
      return `lambda: ${text(expr.body, false)}`;
    case 'call':
      return callText(expr.fn, expr.args, wrap);
  }
}

function callText(fn: string, args: readonly PlanExpr[], wrap: (inner: string) => string): string {
  const infix = INFIX[fn];
  const [first, second] = args as [PlanExpr, PlanExpr];
  if (infix !== undefined && args.length === 2) return wrap(`${text(first, true)} ${infix} ${text(second, true)}`);
  if (fn === 'not') return wrap(`NOT ${text(first, true)}`);
  if (fn === 'is_null') return wrap(`${text(first, true)} IS NULL`);
  if (fn === 'is_not_null') return wrap(`${text(first, true)} IS NOT NULL`);
  if (fn === 'neg') return wrap(`-${text(first, true)}`);
  return `${fn}(${list(args)})`;
}

function caseText(args: readonly PlanExpr[]): string {
  let result = 'CASE';
  for (let i = 0; i + 1 < args.length; i += 2) {
    result += ` WHEN ${text(args[i] as PlanExpr, false)} THEN ${text(args[i + 1] as PlanExpr, false)}`;
  }
  return `${result} ELSE ${text(args[args.length - 1] as PlanExpr, false)} END`;
}

/** A list of at most this many constants is shown whole. */
const SHOWN_ITEMS = 8;

function shortened(items: readonly PlanExpr[]): readonly PlanExpr[] {
  if (items.length <= SHOWN_ITEMS) return items;
  const rest: PlanExpr = {
    kind: 'column',
    index: -1,
    name: `… ${items.length - SHOWN_ITEMS} more`,
    type: (items[0] as PlanExpr).type,
  };
  return [...items.slice(0, SHOWN_ITEMS), rest];
}

function list(args: readonly PlanExpr[]): string {
  return args.map((arg) => text(arg, false)).join(', ');
}

export function sortKeyText(key: PlanSortKey): string {
  return `${expressionText(key.expr)}${key.descending ? ' DESC' : ''}${key.nullsFirst ? ' NULLS FIRST' : ''}`;
}
