import type { LiteralValue } from '../../common/literal.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';

/** A conjunct that compares one column with constants. */
export type Comparison =
  | { readonly kind: 'in'; readonly column: ColumnId; readonly values: readonly LiteralValue[] }
  | { readonly kind: 'not'; readonly column: ColumnId; readonly values: readonly LiteralValue[] }
  /** between two places of the number line, both inside; ±Infinity = open */
  | { readonly kind: 'range'; readonly column: ColumnId; readonly low: number; readonly high: number };

const FLIPPED: Readonly<Record<string, string>> = { eq: 'eq', ne: 'ne', lt: 'gt', le: 'ge', gt: 'lt', ge: 'le' };

/** null = not of this form. */
export function comparisonOf(expr: BoundExpr): Comparison | null {
  if (expr.kind === 'in') {
    const { operand, items } = expr;
    return operand.kind === 'column'
      ? { kind: 'in', column: operand.column, values: items.map((item) => item.value) }
      : null;
  }
  if (expr.kind !== 'call' || FLIPPED[expr.fn] === undefined) return null;
  const [a, b] = expr.args as readonly [BoundExpr, BoundExpr];
  if (a.kind === 'column' && b.kind === 'literal') return compared(expr.fn, a.column, b.value);
  if (a.kind === 'literal' && b.kind === 'column') return compared(FLIPPED[expr.fn] as string, b.column, a.value);
  return null;
}

function compared(fn: string, column: ColumnId, value: LiteralValue): Comparison | null {
  if (fn === 'eq') return { kind: 'in', column, values: [value] };
  if (fn === 'ne') return { kind: 'not', column, values: [value] };
  const place = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : null;
  if (place === null) return null;
  // whole numbers are the common case: < 5 is up to 4
  const step = typeof value === 'bigint' ? 1 : 0;
  if (fn === 'lt') return { kind: 'range', column, low: -Infinity, high: place - step };
  if (fn === 'le') return { kind: 'range', column, low: -Infinity, high: place };
  if (fn === 'gt') return { kind: 'range', column, low: place + step, high: Infinity };
  return { kind: 'range', column, low: place, high: Infinity };
}
