import type { JoinGraph, RelationSet } from './join_graph.ts';
import type { JoinTree } from './join_tree.ts';
import { areConnected, areTied, covers, dependenceOf, joinBelow, joinTrees, leafTree, mayMeet } from './join_tree.ts';

/** Pairs of trees that the exact search looks at before it gives up for the greedy one; about 5 ms. */
const BUDGET = 20_000;

/**
 * The cheapest tree of joins: exact (dynamic programming over connected sets, by size) while that takes at most
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
  const trees = components(leaves).map((leaf) => exactTree(leaf, graph, effort) ?? greedyTree(leaf, graph));
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
        if (areTied(member, other) || dependsOn(member, other) || dependsOn(other, member)) {
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

/** null = more pairs than the budget, or relations that only a dependence ties together. */
function exactTree(leaves: readonly JoinTree[], graph: JoinGraph, effort: SearchEffort): JoinTree | null {
  const best = new Map<RelationSet, JoinTree>(leaves.map((leaf) => [leaf.set, leaf]));
  const bySize: RelationSet[][] = [[], leaves.map((leaf) => leaf.set)];
  for (let size = 2; size <= leaves.length; size++) {
    const sets = new Set<RelationSet>();
    for (let small = 1; small * 2 <= size; small++) {
      for (const a of bySize[small] as RelationSet[]) {
        for (const b of bySize[size - small] as RelationSet[]) {
          if ((a & b) !== 0 || (small * 2 === size && a > b)) continue;
          const [left, right] = [best.get(a) as JoinTree, best.get(b) as JoinTree];
          if (!mayMeet(left, right) || !areConnected(left, right)) continue;
          if (++effort.pairs > effort.budget) return null;
          const set = a | b;
          const tree = joinBelow(left, right, graph, best.get(set)?.cost ?? Infinity);
          if (tree !== null) best.set(set, tree);
          sets.add(set);
        }
      }
    }
    bySize.push([...sets]);
  }
  return best.get(leaves.reduce((set, leaf) => set | leaf.set, 0)) ?? null;
}

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
