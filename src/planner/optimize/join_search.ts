import type { JoinGraph, RelationSet } from './join_graph.ts';
import { connectedPairs } from './join_pairs.ts';
import type { JoinTree } from './join_tree.ts';
import { areConnected, areTied, cheaperTree, covers, dependenceOf, joinTrees, leafTree, mayMeet } from './join_tree.ts';

/** Pairs of trees that the exact search looks at before it gives up for the greedy one; about 5 ms. */
const BUDGET = 20_000;

/**
 * The cheapest tree of joins: exact (dynamic programming over connected sets) while that takes at most
 * `budget` pairs, else greedy. Relations without an equality to the others come last, the smallest first.
 */
export function searchJoinTree(graph: JoinGraph, budget: number = BUDGET): JoinTree {
  return searchWithin(graph, { pairs: 0, budget });
}

/** Pairs that the exact search has looked at, and may look at. */
export interface SearchEffort {
  pairs: number;
  readonly budget: number;
}

export function searchWithin(graph: JoinGraph, effort: SearchEffort): JoinTree {
  const leaves = graph.relations.map((relation) => leafTree(relation, graph));
  const trees = components(leaves).map((part) => exactTree(part, greedyTree(part, graph), effort, graph));
  return greedyTree(trees, graph);
}

/** Leaves that equalities tie together, directly or through others. */
function components(leaves: readonly JoinTree[]): JoinTree[][] {
  const open = new Set(leaves);
  const found: JoinTree[][] = [];
  for (const leaf of leaves) {
    if (!open.delete(leaf)) continue;
    const component = [leaf];
    for (const member of component) {
      for (const other of [...open]) {
        if (isEdge(member, other)) {
          open.delete(other);
          component.push(other);
        }
      }
    }
    found.push(component);
  }
  return found;
}

function dependsOn(a: JoinTree, b: JoinTree): boolean {
  const reads = dependenceOf(a)?.reads ?? 0;
  return reads !== 0 && covers(reads, b.set);
}

/** The cheapest tree, `known` or cheaper; `known` when it takes more pairs than the budget. */
function exactTree(leaves: readonly JoinTree[], known: JoinTree, effort: SearchEffort, graph: JoinGraph): JoinTree {
  const best = new Map<RelationSet, JoinTree>(leaves.map((leaf) => [leaf.set, leaf]));
  connectedPairs(neighbours(leaves), (a, b) => {
    const left = best.get(a);
    const right = best.get(b);
    // no tree: all cost more than `known`, or the set cannot be joined alone, since one of it depends on others
    if (left === undefined || right === undefined || !mayMeet(left, right)) return false;
    if (++effort.pairs > effort.budget) return true;
    const tree = cheaperTree(left, right, best.get(a | b) ?? null, known.cost, graph);
    if (tree !== null) best.set(a | b, tree);
    return false;
  });
  return effort.pairs > effort.budget ? known : (best.get(known.set) ?? known);
}

/** By leaf, the leaves to which an equality or a dependence ties it. */
function neighbours(leaves: readonly JoinTree[]): Map<RelationSet, RelationSet> {
  return new Map(
    leaves.map((leaf) => {
      const tied = leaves.filter((other) => other !== leaf && isEdge(leaf, other));
      return [leaf.set, tied.reduce((set, other) => set | other.set, 0)];
    }),
  );
}

const isEdge = (a: JoinTree, b: JoinTree): boolean => areTied(a, b) || dependsOn(a, b) || dependsOn(b, a);

/** Joins the two trees whose join is the smallest, tied ones first, until one is left. */
function greedyTree(trees: readonly JoinTree[], graph: JoinGraph): JoinTree {
  let open = [...trees];
  while (open.length > 1) {
    let best: { tree: JoinTree; a: JoinTree; b: JoinTree; isTied: boolean } | null = null;
    for (const [i, a] of open.entries()) {
      for (const b of open.slice(i + 1)) {
        if (!mayMeet(a, b)) continue;
        const isTied = areConnected(a, b);
        if (best?.isTied && !isTied) continue;
        const tree = joinTrees(a, b, graph);
        if (best === null || (isTied && !best.isTied) || tree.rows < best.tree.rows) best = { tree, a, b, isTied };
      }
    }
    const { tree, a, b } = best as NonNullable<typeof best>;
    open = [...open.filter((one) => one !== a && one !== b), tree];
  }
  return open[0] as JoinTree;
}
