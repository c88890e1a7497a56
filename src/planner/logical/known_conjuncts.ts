import type { BoundExpr, ColumnId } from './expression.ts';
import { columnsOf, conjuncts, exprKey, mapColumns } from './expression.ts';
import { isFallible } from './fallible.ts';
import type { LogicalNode } from './node.ts';
import { outputOf } from './node.ts';

const KNOWN = new WeakMap<LogicalNode, readonly BoundExpr[]>();

/** Conditions over columns of a node's output that are true for all of its rows, as far as filters below say so. */
export function knownConjuncts(node: LogicalNode): readonly BoundExpr[] {
  const seen = KNOWN.get(node);
  if (seen !== undefined) return seen;
  const found = unique(find(node));
  KNOWN.set(node, found);
  return found;
}

function find(node: LogicalNode): readonly BoundExpr[] {
  switch (node.kind) {
    case 'scan':
      return own(node.filter);
    case 'filter':
      return [...knownConjuncts(node.input), ...own(node.predicate)];
    case 'sort':
    case 'limit':
    case 'top_k':
      return knownConjuncts(node.input);
    case 'project':
      return renamed(
        knownConjuncts(node.input),
        node.columns.flatMap(({ id, name, expr }) => (expr.kind === 'column' ? [[expr.column, { id, name }]] : [])),
      );
    case 'aggregate':
      return renamed(
        knownConjuncts(node.input),
        node.keys.flatMap(({ id, name, expr }) => (expr.kind === 'column' ? [[expr.column, { id, name }]] : [])),
      );
    case 'shared':
      return renamed(
        knownConjuncts(node.body),
        node.columns.map(({ id, name, source }) => [source, { id, name }]),
      );
    case 'unnest': {
      const kept = new Set(outputOf(node).map((column) => column.id));
      return knownConjuncts(node.input).filter((one) => [...columnsOf(one)].every((id) => kept.has(id)));
    }
    case 'join':
      if (node.type === 'full') return [];
      if (node.type !== 'inner') return knownConjuncts(node.left);
      return [...knownConjuncts(node.left), ...knownConjuncts(node.right), ...own(node.residual)];
    default:
      return [];
  }
}

const own = (predicate: readonly BoundExpr[]): BoundExpr[] =>
  predicate.flatMap(conjuncts).filter((one) => columnsOf(one).size > 0 && !isFallible(one));

/** Conditions whose columns all come through under another id. */
function renamed(
  known: readonly BoundExpr[],
  names: readonly (readonly [from: ColumnId, to: { readonly id: ColumnId; readonly name: string }])[],
): BoundExpr[] {
  const targets = new Map(names);
  return known
    .filter((one) => [...columnsOf(one)].every((id) => targets.has(id)))
    .map((one) =>
      mapColumns(one, (column) => {
        const target = targets.get(column.column);
        return target === undefined ? undefined : { ...column, column: target.id, name: target.name };
      }),
    );
}

function unique(conditions: readonly BoundExpr[]): readonly BoundExpr[] {
  return [...new Map(conditions.map((one) => [exprKey(one), one])).values()];
}
