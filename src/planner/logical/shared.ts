import type { ColumnId } from './expression.ts';
import type { LogicalNode, LogicalShared } from './node.ts';
import { columnRef, inputsOf, outputOf, rewriteUp, visitNodes } from './node.ts';

/** Changes each tree of a plan, bodies of shared subplans before those that read them, each body once. */
export function mapTrees(root: LogicalNode, change: (tree: LogicalNode) => LogicalNode): LogicalNode {
  const bodies = new Map<number, LogicalNode>();
  const tree = (node: LogicalNode): LogicalNode => change(rewriteUp(node, reader));
  const reader = (node: LogicalNode): LogicalNode => {
    if (node.kind !== 'shared') return node;
    const body = bodies.get(node.key) ?? tree(node.body);
    bodies.set(node.key, body);
    return { ...node, body };
  };
  return tree(root);
}

/** The readers of each shared subplan, each body looked at once. */
export function sharedReaders(root: LogicalNode): ReadonlyMap<number, readonly LogicalShared[]> {
  const readers = new Map<number, LogicalShared[]>();
  const visit = (node: LogicalNode): void => {
    if (node.kind !== 'shared') {
      inputsOf(node).forEach(visit);
      return;
    }
    const known = readers.get(node.key);
    if (known !== undefined) {
      known.push(node);
      return;
    }
    readers.set(node.key, [node]);
    visit(node.body);
  };
  visit(root);
  return readers;
}

/** Shared subplans in an order in which each comes behind all that read it. */
export function readersFirst(root: LogicalNode): readonly LogicalShared[] {
  const seen = new Set<number>();
  const order: LogicalShared[] = [];
  const visit = (node: LogicalNode): void => {
    if (node.kind !== 'shared') {
      inputsOf(node).forEach(visit);
    } else if (!seen.has(node.key)) {
      seen.add(node.key);
      visit(node.body);
      order.unshift(node);
    }
  };
  visit(root);
  return order;
}

/** A shared subplan with one reader is a part of it. */
export function inlineUnshared(root: LogicalNode): LogicalNode {
  const readers = sharedReaders(root);
  return mapTrees(root, (tree) =>
    rewriteUp(tree, (node) => {
      if (node.kind !== 'shared' || (readers.get(node.key)?.length ?? 0) > 1) return node;
      const sources = new Map(outputOf(node.body).map((column) => [column.id, column]));
      const columns = node.columns.map(({ id, name, type, source }) => {
        const column = sources.get(source);
        return { id, name, type, expr: columnRef(column ?? { id: source, name, type }, NOWHERE) };
      });
      return { kind: 'project', input: node.body, columns };
    }),
  );
}

const NOWHERE = { start: 0, end: 0 };

/** Gives out column ids that the plan does not have yet. */
export function idsAfter(root: LogicalNode): () => ColumnId {
  let next = 0;
  visitNodes(root, (node) => {
    for (const column of outputOf(node)) next = Math.max(next, column.id + 1);
    if (node.kind === 'shared') next = Math.max(next, node.key + 1);
  });
  return () => next++;
}
