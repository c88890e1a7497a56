import { foldCast } from '../bind/fold_cast.ts';
import type { BoundCast, BoundColumn, BoundExpr, BoundLiteral, ColumnId } from '../logical/expression.ts';
import { columnsOf, conjuncts, exprKey, literal, mapColumns } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { columnRef, rewriteUp } from '../logical/node.ts';
import { isExactBothWays } from './narrow_comparison.ts';
import { pushFilters } from './push_filters.ts';
import { simplifyExpression } from './simplify_expression.ts';

/** Each round carries a predicate over one more join. */
const MOST_ROUNDS = 8;

/**
 * What a filter says of one side of an equality holds for the other side as well: it is tested there too, where it may
 * leave out files, row groups and rows.
 *
 *     Before: join inner [a.year = b.year]
 *               scan a
 *               scan b filter=[year = 2001]
 *     After:  join inner [a.year = b.year]
 *               scan a filter=[year = 2001]
 *               scan b filter=[year = 2001]
 *
 * When not: the side keeps rows without a match (the left one of left, anti, mark and single joins, both of full ones).
 */
export function inferPredicates(root: LogicalNode): LogicalNode {
  let tree = root;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const inferred = rewriteUp(tree, (node) => (node.kind === 'join' ? withInferred(node) : node));
    if (inferred === tree) return tree;
    tree = pushFilters(inferred);
  }
  return tree;
}

function withInferred(node: LogicalJoin): LogicalJoin {
  if (node.type === 'full' || node.nullAware) return node;
  const [left, right] = [predicatesOf(node.left), predicatesOf(node.right)];
  const keys = node.keys.map(({ left: a, right: b }) => ({ a, b }));
  const forRight = missing(
    right,
    keys.flatMap(({ a, b }) => carried(left, a, b)),
  );
  const losesLeft = node.type === 'inner' || node.type === 'semi';
  const forLeft = losesLeft
    ? missing(
        left,
        keys.flatMap(({ a, b }) => carried(right, b, a)),
      )
    : [];
  if (forLeft.length === 0 && forRight.length === 0) return node;
  return { ...node, left: filtered(node.left, forLeft), right: filtered(node.right, forRight) };
}

const filtered = (input: LogicalNode, predicate: readonly BoundExpr[]): LogicalNode =>
  predicate.length === 0 ? input : { kind: 'filter', input, predicate };

/** Those that do not hold already, each once. */
function missing(known: Predicates, predicates: readonly BoundExpr[]): BoundExpr[] {
  const keys = new Set([...known.values()].flatMap((list) => list.map(exprKey)));
  return predicates.filter((predicate) => {
    const key = exprKey(predicate);
    return keys.has(key) ? false : keys.add(key);
  });
}

/** The predicates of a key expression, said of the expression that it is equal to. */
function carried(known: Predicates, from: BoundExpr, to: BoundExpr): BoundExpr[] {
  if (isFallible(to) || columnsOf(to).size === 0) return [];
  if (from.kind === 'column') {
    return (known.get(from.column) ?? []).map((predicate) => simplifyExpression(mapColumns(predicate, () => to)));
  }
  if (from.kind !== 'cast' || from.try || from.operand.kind !== 'column') return [];
  if (!isExactBothWays(from.operand.type, from.type)) return [];
  const { operand } = from;
  return (known.get(operand.column) ?? []).flatMap((predicate) => {
    const wide = widened(predicate, from, to);
    return wide === null ? [] : [simplifyExpression(wide)];
  });
}

/** `x > 5` as a predicate of `to`, which is equal to CAST(x AS …); null where the constants have no such value. */
function widened(predicate: BoundExpr, cast: BoundCast, to: BoundExpr): BoundExpr | null {
  const constant = (part: BoundLiteral): BoundLiteral | null => {
    const value = foldCast(part.value, part.type, cast.type);
    return value === undefined ? null : literal(value, cast.type, part.span);
  };
  if (predicate.kind === 'in') {
    const items = predicate.items.map(constant);
    return items.includes(null) ? null : { ...predicate, operand: to, items: items as BoundLiteral[] };
  }
  if (predicate.kind !== 'call') return null;
  const args = predicate.args.map((arg) => (arg.kind === 'literal' ? constant(arg) : to));
  return args.includes(null) ? null : { ...predicate, args: args as BoundExpr[] };
}

/** What is known of single columns: comparisons with constants that hold for every row. */
type Predicates = ReadonlyMap<ColumnId, readonly BoundExpr[]>;

const KNOWN = new WeakMap<LogicalNode, Predicates>();

function predicatesOf(node: LogicalNode): Predicates {
  const known = KNOWN.get(node);
  if (known !== undefined) return known;
  const found = collect(node);
  KNOWN.set(node, found);
  return found;
}

function collect(node: LogicalNode): Predicates {
  switch (node.kind) {
    case 'scan':
      return adding(new Map(), node.filter);
    case 'filter':
      return adding(predicatesOf(node.input), node.predicate);
    case 'project':
      return renamed(predicatesOf(node.input), node.columns);
    case 'aggregate':
      return renamed(predicatesOf(node.input), node.keys);
    case 'sort':
    case 'limit':
    case 'top_k':
    case 'unnest':
      return predicatesOf(node.input);
    case 'join': {
      const left = predicatesOf(node.left);
      if (node.type === 'full') return new Map();
      return node.type === 'inner' ? new Map([...left, ...predicatesOf(node.right)]) : left;
    }
    case 'union_all':
    case 'shared':
    case 'values':
    case 'range':
    case 'generate':
      return new Map();
  }
}

function adding(known: Predicates, predicate: readonly BoundExpr[]): Predicates {
  const all = new Map(known);
  for (const conjunct of predicate.flatMap(conjuncts)) {
    const column = comparedColumn(conjunct);
    if (column !== null) all.set(column.column, [...(all.get(column.column) ?? []), conjunct]);
  }
  return all;
}

const COMPARISONS = new Set(['eq', 'lt', 'le', 'gt', 'ge']);

/** The column of a comparison with constants. */
function comparedColumn(expr: BoundExpr): BoundColumn | null {
  if (expr.kind === 'in') return expr.operand.kind === 'column' ? expr.operand : null;
  if (expr.kind !== 'call' || !COMPARISONS.has(expr.fn)) return null;
  const [a, b] = expr.args;
  if (a?.kind === 'column' && b?.kind === 'literal') return a;
  return a?.kind === 'literal' && b?.kind === 'column' ? b : null;
}

/** The predicates of columns that pass under another id. */
function renamed(
  known: Predicates,
  columns: readonly { readonly id: ColumnId; readonly name: string; readonly expr: BoundExpr }[],
): Predicates {
  const all = new Map<ColumnId, readonly BoundExpr[]>();
  for (const { id, name, expr } of columns) {
    const predicates = expr.kind === 'column' ? known.get(expr.column) : undefined;
    if (predicates === undefined) continue;
    const own = columnRef({ id, name, type: expr.type }, expr.span);
    all.set(
      id,
      predicates.map((predicate) => mapColumns(predicate, () => own)),
    );
  }
  return all;
}
