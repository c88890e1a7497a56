import { baseRows, estimateRows } from '../estimate/rows.ts';
import type { LogicalNode, LogicalShared } from '../logical/node.ts';
import { inputsOf, outputOf, visitNodes, withInputs } from '../logical/node.ts';
import { PlanNumbers } from '../logical/plan_numbers.ts';
import { idsAfter, inlineUnshared, mapTrees } from '../logical/shared.ts';

/** A subplan without an aggregation is computed once for all when it keeps at most this share of its tables' rows. */
const SMALL_SHARE = 1 / 4;

/**
 * Subplans that give the same rows are computed once, their rows kept for all that read them.
 *
 *     Before: join (aggregate (scan a)) (aggregate (scan a))
 *     After:  join #1 #1  with #1 = aggregate (scan a)
 *
 * When not: the rows are as many as those of the tables they come from; then reading twice is as good as keeping them.
 */
export function shareSubplans(root: LogicalNode): LogicalNode {
  const numbers = new PlanNumbers();
  const copies = new Map<number, LogicalNode[]>();
  visitNodes(root, (node) => {
    const number = numbers.of(node);
    const known = copies.get(number);
    if (known === undefined) copies.set(number, [node]);
    else known.push(node);
  });
  const isShared = (node: LogicalNode): boolean =>
    node.kind !== 'shared' && (copies.get(numbers.of(node))?.length ?? 0) > 1 && isWorthKeeping(node);
  if (![...copies.values()].some(([node]) => node !== undefined && isShared(node))) return root;
  const nextId = idsAfter(root);
  const bodies = new Map<number, { readonly key: number; readonly body: LogicalNode }>();
  const change = (node: LogicalNode): LogicalNode => {
    if (!isShared(node)) return withInputs(node, inputsOf(node).map(change));
    const number = numbers.of(node);
    const known = bodies.get(number) ?? { key: nextId(), body: withInputs(node, inputsOf(node).map(change)) };
    bodies.set(number, known);
    return readerOf(known, node);
  };
  return inlineUnshared(mapTrees(root, change));
}

function readerOf(
  { key, body }: { readonly key: number; readonly body: LogicalNode },
  node: LogicalNode,
): LogicalShared {
  const sources = outputOf(body);
  const columns = outputOf(node).map((column, i) => ({ ...column, source: sources[i]?.id ?? column.id }));
  return { kind: 'shared', key, body, columns };
}

function isWorthKeeping(node: LogicalNode): boolean {
  if (node.kind === 'aggregate') return true;
  if (node.kind !== 'join' && node.kind !== 'top_k' && node.kind !== 'limit' && node.kind !== 'filter') return false;
  const [rows, base] = [estimateRows(node), baseRows(node)];
  return rows !== null && base !== null && rows <= base * SMALL_SHARE;
}
