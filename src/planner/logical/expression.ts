import type { DataType } from '../../common/data_type.ts';
import { BOOL, NULL_TYPE } from '../../common/data_type.ts';
import type { LiteralValue } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';

/**
 * Names one column of one node of a logical plan; never used twice in a plan, so that a reference means the same
 * wherever a rewrite puts it.
 */
export type ColumnId = number;

interface BoundBase {
  readonly type: DataType;
  readonly span: SourceSpan;
}

export interface BoundColumn extends BoundBase {
  readonly kind: 'column';
  readonly column: ColumnId;
  /** for EXPLAIN and messages */
  readonly name: string;
}

export interface BoundLiteral extends BoundBase {
  readonly kind: 'literal';
  readonly value: LiteralValue;
  /** a number or text as written: overload resolution may give it another type */
  readonly adaptable?: true;
}

/** A row of functions.def with arguments of exactly its types. */
export interface BoundCall extends BoundBase {
  readonly kind: 'call';
  readonly fn: string;
  readonly args: readonly BoundExpr[];
  readonly fallible: boolean;
}

export interface BoundCast extends BoundBase {
  readonly kind: 'cast';
  readonly operand: BoundExpr;
  /** NULL instead of an error */
  readonly try: boolean;
}

/** Three-valued; an operand is evaluated only for rows that the earlier ones leave open. */
export interface BoundLogical extends BoundBase {
  readonly kind: 'and' | 'or';
  readonly args: readonly BoundExpr[];
}

export interface BoundCase extends BoundBase {
  readonly kind: 'case';
  readonly branches: readonly { readonly condition: BoundExpr; readonly result: BoundExpr }[];
  readonly otherwise: BoundExpr;
}

export interface BoundCoalesce extends BoundBase {
  readonly kind: 'coalesce';
  readonly args: readonly BoundExpr[];
}

/** `operand IN (constants of its type)`. */
export interface BoundIn extends BoundBase {
  readonly kind: 'in';
  readonly operand: BoundExpr;
  readonly items: readonly BoundLiteral[];
}

/** `x -> body`: only as an argument of a call. `parameters` are column ids that the body uses; `type` is the body's. */
export interface BoundLambda extends BoundBase {
  readonly kind: 'lambda';
  readonly parameters: readonly ColumnId[];
  readonly body: BoundExpr;
}

/** Expressions after names and types are resolved. Aggregates are columns of an aggregate node, never expressions. */
export type BoundExpr =
  | BoundColumn
  | BoundLiteral
  | BoundCall
  | BoundCast
  | BoundLogical
  | BoundCase
  | BoundCoalesce
  | BoundIn
  | BoundLambda;

/** Operands in evaluation order. */
export function childrenOf(expr: BoundExpr): readonly BoundExpr[] {
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return [];
    case 'call':
    case 'and':
    case 'or':
    case 'coalesce':
      return expr.args;
    case 'cast':
      return [expr.operand];
    case 'case':
      return [...expr.branches.flatMap((b) => [b.condition, b.result]), expr.otherwise];
    case 'in':
      return [expr.operand, ...expr.items];
    case 'lambda':
      return [expr.body];
  }
}

/** Visits an expression from the root down. */
export function visitExpr(expr: BoundExpr, visit: (expr: BoundExpr) => void): void {
  visit(expr);
  for (const child of childrenOf(expr)) visitExpr(child, visit);
}

/** The same expression over other operands: `change` is applied to each direct operand; unchanged trees keep their identity. */
export function mapChildren(expr: BoundExpr, change: (child: BoundExpr) => BoundExpr): BoundExpr {
  switch (expr.kind) {
    case 'column':
    case 'literal':
      return expr;
    case 'call': {
      const args = mapKeeping(expr.args, change);
      return args === expr.args ? expr : { ...expr, args };
    }
    case 'and':
    case 'or': {
      const args = mapKeeping(expr.args, change);
      return args === expr.args ? expr : { ...expr, args };
    }
    case 'coalesce': {
      const args = mapKeeping(expr.args, change);
      return args === expr.args ? expr : { ...expr, args };
    }
    case 'cast': {
      const operand = change(expr.operand);
      return operand === expr.operand ? expr : { ...expr, operand };
    }
    case 'case': {
      const branches = mapKeeping(expr.branches, (branch) => {
        const condition = change(branch.condition);
        const result = change(branch.result);
        return condition === branch.condition && result === branch.result ? branch : { condition, result };
      });
      const otherwise = change(expr.otherwise);
      return branches === expr.branches && otherwise === expr.otherwise ? expr : { ...expr, branches, otherwise };
    }
    case 'in': {
      const operand = change(expr.operand);
      return operand === expr.operand ? expr : { ...expr, operand };
    }
    case 'lambda': {
      const body = change(expr.body);
      return body === expr.body ? expr : { ...expr, body };
    }
  }
}

function mapKeeping<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false;
  const result = items.map((item) => {
    const next = change(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? result : items;
}

/** Replaces column references, bottom up; `change` returns undefined to keep one. */
export function mapColumns(expr: BoundExpr, change: (column: BoundColumn) => BoundExpr | undefined): BoundExpr {
  if (expr.kind === 'column') return change(expr) ?? expr;
  return mapChildren(expr, (child) => mapColumns(child, change));
}

/** Adds the columns that an expression reads, without the parameters of its lambdas. */
export function collectColumns(expr: BoundExpr, into: Set<ColumnId>): void {
  if (expr.kind === 'column') {
    into.add(expr.column);
  } else if (expr.kind === 'lambda') {
    const inner = new Set<ColumnId>();
    collectColumns(expr.body, inner);
    for (const id of inner) if (!expr.parameters.includes(id)) into.add(id);
  } else {
    for (const child of childrenOf(expr)) collectColumns(child, into);
  }
}

export function columnsOf(expr: BoundExpr): Set<ColumnId> {
  const columns = new Set<ColumnId>();
  collectColumns(expr, columns);
  return columns;
}

/** Same value for every row: equal trees up to spans. */
export function sameExpr(a: BoundExpr, b: BoundExpr): boolean {
  return a === b || exprKey(a) === exprKey(b);
}

/** Equal for expressions that are equal up to spans, column names and which parameters their lambdas have. */
export function exprKey(expr: BoundExpr): string {
  const parameters = new Map<ColumnId, string>();
  visitExpr(expr, (part) => {
    if (part.kind === 'lambda') for (const id of part.parameters) parameters.set(id, `parameter ${parameters.size}`);
  });
  if (parameters.size === 0) return JSON.stringify(expr, keyPart);
  return JSON.stringify(expr, function (this: unknown, key: string, value: unknown): unknown {
    if (key === 'parameters') return (value as readonly ColumnId[]).length;
    if (key === 'column') return parameters.get(value as ColumnId) ?? value;
    return keyPart.call(this, key, value);
  });
}

function keyPart(this: unknown, key: string, value: unknown): unknown {
  if (key === 'span' || key === 'fallible' || key === 'adaptable') return undefined;
  if (key === 'name') return (this as { kind?: string }).kind === 'column' ? undefined : value;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))) {
    return Object.is(value, -0) ? '#-0' : `#${value}`;
  }
  return value;
}

export function literal(value: LiteralValue, type: DataType, span: SourceSpan): BoundLiteral {
  return { kind: 'literal', value, type, span };
}

export const nullLiteral = (span: SourceSpan): BoundLiteral => literal(null, NULL_TYPE, span);
export const boolLiteral = (value: boolean, span: SourceSpan): BoundLiteral => literal(value, BOOL, span);

/** The conjuncts of a predicate in written order. */
export function conjuncts(predicate: BoundExpr): readonly BoundExpr[] {
  return predicate.kind === 'and' ? predicate.args.flatMap(conjuncts) : [predicate];
}
