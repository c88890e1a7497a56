import { isArray } from '../../common/literal.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { conjuncts } from '../logical/expression.ts';
import type { ColumnFacts } from './column_facts.ts';
import { narrowed, onNumberLine, shareOf } from './column_facts.ts';
import type { Comparison } from './comparison.ts';
import { comparisonOf } from './comparison.ts';

/** Shares of rows that conditions of unknown columns are taken to keep. */
const UNKNOWN = { equal: 0.1, range: 1 / 3, like: 0.1, other: 0.25 } as const;

export type FactsOf = (column: ColumnId) => ColumnFacts;

/**
 * Share of rows that all conjuncts keep. Ranges of one column are one range. The most selective counts in full, the next
 * by its square root, and so on: conditions of one table depend on each other more often than not.
 */
export function selectivity(predicate: readonly BoundExpr[], facts: FactsOf): number {
  const ranges = new Map<ColumnId, { facts: ColumnFacts; share: number }>();
  const shares: number[] = [];
  for (const conjunct of predicate.flatMap(conjuncts)) {
    const comparison = comparisonOf(conjunct);
    if (comparison?.kind !== 'range') {
      shares.push(shareKept(conjunct, facts));
      continue;
    }
    const known = ranges.get(comparison.column) ?? { facts: facts(comparison.column), share: 1 };
    ranges.set(comparison.column, {
      facts: narrowed(known.facts, comparison),
      share: known.share * rangeShare(comparison, known.facts),
    });
  }
  shares.push(...[...ranges.values()].map((range) => range.share));
  shares.sort((a, b) => a - b);
  return shares.reduce((product, share, i) => product * share ** (1 / 2 ** Math.min(i, 3)), 1);
}

function rangeShare(range: Extract<Comparison, { kind: 'range' }>, facts: ColumnFacts): number {
  return (shareOf(facts, range) ?? UNKNOWN.range) * (1 - (facts.nulls ?? 0));
}

function shareKept(expr: BoundExpr, facts: FactsOf): number {
  const comparison = comparisonOf(expr);
  if (comparison !== null) return comparedShare(comparison, facts(comparison.column));
  switch (expr.kind) {
    case 'literal':
      return expr.value === true ? 1 : 0;
    case 'and':
      return selectivity(expr.args, facts);
    case 'or':
      return 1 - expr.args.reduce((product, arg) => product * (1 - shareKept(arg, facts)), 1);
    case 'column':
      return 0.5;
    case 'in':
      return Math.min(1, expr.items.length * UNKNOWN.equal);
    case 'call':
      return callShare(expr, facts);
    default:
      return UNKNOWN.other;
  }
}

function callShare(expr: Extract<BoundExpr, { kind: 'call' }>, facts: FactsOf): number {
  const [first, second] = expr.args;
  switch (expr.fn) {
    case 'not':
      return first === undefined ? UNKNOWN.other : 1 - shareKept(first, facts);
    case 'is_null':
      return first?.kind === 'column' ? (facts(first.column).nulls ?? UNKNOWN.equal) : UNKNOWN.equal;
    case 'is_not_null':
      return first?.kind === 'column' ? 1 - (facts(first.column).nulls ?? UNKNOWN.equal) : 1 - UNKNOWN.equal;
    case 'eq': {
      if (first?.kind !== 'column' || second?.kind !== 'column') return UNKNOWN.equal;
      const distinct = Math.max(facts(first.column).distinct ?? 1, facts(second.column).distinct ?? 1);
      return distinct > 1 ? 1 / distinct : UNKNOWN.equal;
    }
    case 'ne':
      return 1 - UNKNOWN.equal;
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return UNKNOWN.range;
    case 'like':
      return UNKNOWN.like;
    default:
      return UNKNOWN.other;
  }
}

function comparedShare(comparison: Comparison, facts: ColumnFacts): number {
  const present = 1 - (facts.nulls ?? 0);
  if (comparison.kind === 'range') return rangeShare(comparison, facts);
  const possible = comparison.values.filter((value) => {
    if (value === null || isArray(value)) return value !== null;
    const place = onNumberLine(value);
    return place === null || (place >= (facts.min ?? -Infinity) && place <= (facts.max ?? Infinity));
  });
  const each = facts.distinct === null ? UNKNOWN.equal : 1 / facts.distinct;
  const share = Math.min(1, possible.length * each);
  return (comparison.kind === 'in' ? share : 1 - share) * present;
}
