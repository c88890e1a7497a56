import type { LiteralValue } from '../../common/literal.ts';
import { isInteger } from '../../functions/argument.ts';
import { isSafeCast } from '../../functions/cast_cost.ts';
import type { BoundCase, BoundCast, BoundExpr, ColumnId } from '../logical/expression.ts';
import { conjuncts } from '../logical/expression.ts';
import type { LogicalNode, LogicalScan } from '../logical/node.ts';
import { inputsOf, outputOf } from '../logical/node.ts';
import { comparisonOf } from './comparison.ts';
import { estimateRows } from './rows.ts';

/** What is known, or guessed, of the values of a column. */
export interface ColumnFacts {
  /** distinct values without NULL; null = unknown */
  readonly distinct: number | null;
  /** distinct values before filters of other columns: what a key of another table may be one of; null = unknown */
  readonly domain: number | null;
  /** on the number line of the type; null = unknown */
  readonly min: number | null;
  readonly max: number | null;
  /** share of rows that are NULL; null = unknown */
  readonly nulls: number | null;
}

export const UNKNOWN_FACTS: ColumnFacts = { distinct: null, domain: null, min: null, max: null, nulls: null };

const KNOWN = new WeakMap<LogicalNode, Map<ColumnId, ColumnFacts>>();

/** Facts of a column of a node's output. */
export function factsOf(node: LogicalNode, id: ColumnId): ColumnFacts {
  let facts = KNOWN.get(node);
  if (facts === undefined) {
    facts = new Map();
    KNOWN.set(node, facts);
  }
  const known = facts.get(id);
  if (known !== undefined) return known;
  const found = capped(find(node, id), estimateRows(node));
  facts.set(id, found);
  return found;
}

/** There are no more distinct values than rows. */
function capped(facts: ColumnFacts, rows: number | null): ColumnFacts {
  if (rows === null || facts.distinct === null || facts.distinct <= rows) return facts;
  return { ...facts, distinct: Math.max(1, rows) };
}

function find(node: LogicalNode, id: ColumnId): ColumnFacts {
  switch (node.kind) {
    case 'scan':
      return filtered(tableFacts(node, id), node.filter, id);
    case 'filter':
      return filtered(factsOf(node.input, id), node.predicate, id);
    case 'project': {
      const column = node.columns.find((c) => c.id === id);
      return column === undefined ? UNKNOWN_FACTS : expressionFacts(column.expr, node.input);
    }
    case 'aggregate': {
      const key = node.keys.find((column) => column.id === id);
      return key === undefined ? UNKNOWN_FACTS : expressionFacts(key.expr, node.input);
    }
    case 'range':
      return { ...UNKNOWN_FACTS, distinct: estimateRows(node), domain: estimateRows(node) };
    case 'shared': {
      const column = node.columns.find((c) => c.id === id);
      return column === undefined ? UNKNOWN_FACTS : factsOf(node.body, column.source);
    }
    case 'union_all': {
      const at = node.columns.findIndex((column) => column.id === id);
      return united(node.inputs.map((input) => factsOf(input, outputOf(input)[at]?.id ?? id)));
    }
    default: {
      const input = inputsOf(node).find((i) => outputOf(i).some((column) => column.id === id));
      return input === undefined ? UNKNOWN_FACTS : factsOf(input, id);
    }
  }
}

/** Facts of an expression over a node's output. */
export function expressionFacts(expr: BoundExpr, node: LogicalNode): ColumnFacts {
  if (expr.kind === 'column') return factsOf(node, expr.column);
  if (expr.kind === 'literal') return { ...UNKNOWN_FACTS, distinct: 1, domain: 1 };
  if (expr.kind === 'cast') return castFacts(expr, expressionFacts(expr.operand, node));
  if (expr.kind === 'call' && expr.fn === 'year') return yearFacts(expr, node);
  if (expr.kind === 'case') return caseFacts(expr, node);
  return expr.type.kind === 'bool' ? { ...UNKNOWN_FACTS, distinct: 2, domain: 2 } : UNKNOWN_FACTS;
}

/** The results of all branches; one that is NULL is no value. */
function caseFacts({ branches, otherwise, type }: BoundCase, node: LogicalNode): ColumnFacts {
  const results = [...branches.map((branch) => branch.result), otherwise];
  const counts = results.filter((result) => !isNull(result)).map((result) => expressionFacts(result, node).distinct);
  if (counts.includes(null)) return type.kind === 'bool' ? { ...UNKNOWN_FACTS, distinct: 2, domain: 2 } : UNKNOWN_FACTS;
  const distinct = (counts as number[]).reduce((sum, count) => sum + count, 0);
  return { ...UNKNOWN_FACTS, distinct, domain: distinct };
}

const isNull = (expr: BoundExpr): boolean => expr.kind === 'literal' && expr.value === null;

/** Integers of another width stay where they are on the number line. */
function castFacts({ operand, type }: BoundCast, facts: ColumnFacts): ColumnFacts {
  const keepsPlaces = isInteger(operand.type) && isInteger(type) && isSafeCast(operand.type, type);
  return keepsPlaces ? facts : { ...facts, min: null, max: null };
}

const DAYS_OF_YEAR = 365.25;

function yearFacts(expr: Extract<BoundExpr, { kind: 'call' }>, node: LogicalNode): ColumnFacts {
  const [date] = expr.args;
  if (date?.type.kind !== 'date') return UNKNOWN_FACTS;
  const { min, max } = expressionFacts(date, node);
  if (min === null || max === null) return UNKNOWN_FACTS;
  const years = Math.ceil((max - min + 1) / DAYS_OF_YEAR);
  return { ...UNKNOWN_FACTS, distinct: years, domain: years };
}

function tableFacts(scan: LogicalScan, id: ColumnId): ColumnFacts {
  const column = scan.columns.find((c) => c.id === id);
  const source = column === undefined ? undefined : scan.table.columns[column.index];
  if (source === undefined) return UNKNOWN_FACTS;
  const { bounds } = source;
  const { rows } = scan.table;
  return {
    distinct: source.distinct,
    domain: source.distinct,
    min: onNumberLine(bounds?.min ?? null),
    max: onNumberLine(bounds?.max ?? null),
    nulls: bounds?.nullCount == null || rows === null || rows === 0 ? null : bounds.nullCount / rows,
  };
}

/** Integers, unscaled decimals, days and units since 1970 as numbers; null for values without such a place. */
export function onNumberLine(value: LiteralValue): number | null {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function united(facts: readonly ColumnFacts[]): ColumnFacts {
  const over = (of: (fact: ColumnFacts) => number | null, join: (...values: number[]) => number): number | null => {
    const values = facts.map(of).filter((value) => value !== null);
    return values.length < facts.length ? null : join(...values);
  };
  return {
    distinct: over(
      (fact) => fact.distinct,
      (...values) => values.reduce((a, b) => a + b, 0),
    ),
    domain: over((fact) => fact.domain, Math.max),
    min: over((fact) => fact.min, Math.min),
    max: over((fact) => fact.max, Math.max),
    nulls: null,
  };
}

/** What comparisons of the column with constants leave of it. */
function filtered(facts: ColumnFacts, filters: readonly BoundExpr[], id: ColumnId): ColumnFacts {
  return filters.flatMap(conjuncts).reduce((left, conjunct) => {
    const comparison = comparisonOf(conjunct);
    return comparison === null || comparison.column !== id ? left : narrowed(left, comparison);
  }, facts);
}

/** The facts of values for which a comparison holds. */
export function narrowed(facts: ColumnFacts, comparison: NonNullable<ReturnType<typeof comparisonOf>>): ColumnFacts {
  const left = { ...facts, nulls: 0 };
  switch (comparison.kind) {
    case 'in': {
      const { distinct } = facts;
      const values = Math.min(comparison.values.length, distinct ?? Infinity);
      return { ...left, distinct: values, domain: values };
    }
    case 'not':
      return left;
    case 'range': {
      const min = Math.max(facts.min ?? -Infinity, comparison.low);
      const max = Math.min(facts.max ?? Infinity, comparison.high);
      const share = shareOf(facts, comparison);
      return {
        ...left,
        min: Number.isFinite(min) ? min : null,
        max: Number.isFinite(max) ? max : null,
        distinct: scaled(facts.distinct, share),
        domain: scaled(facts.domain, share),
      };
    }
  }
}

const scaled = (values: number | null, share: number | null): number | null =>
  values === null || share === null ? values : Math.max(1, values * share);

/** Both ends inside; ±Infinity = open. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The range that two columns have in common. */
export function commonRange(a: ColumnFacts, b: ColumnFacts): Range {
  return {
    low: Math.max(a.min ?? -Infinity, b.min ?? -Infinity),
    high: Math.min(a.max ?? Infinity, b.max ?? Infinity),
  };
}

/** How many values of its domain a column has in a range; null = unknown. */
export const domainWithin = (facts: ColumnFacts, range: Range): number | null =>
  scaled(facts.domain, shareOf(facts, range));

/** Share of the values between the bounds that lie in a range, taken as spread evenly; null = bounds unknown. */
export function shareOf({ min, max }: ColumnFacts, { low, high }: Range): number | null {
  if (min === null || max === null) return null;
  const from = Math.max(min, low);
  const to = Math.min(max, high);
  if (from > to) return 0;
  return max === min ? 1 : Math.min(1, Math.max(0, (to - from + 1) / (max - min + 1)));
}
