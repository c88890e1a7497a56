import type { ColumnFacts } from '../estimate/column_facts.ts';
import { commonRange, domainWithin, UNKNOWN_FACTS } from '../estimate/column_facts.ts';
import type { KeyFacts } from '../estimate/rows.ts';
import { equalPairs } from '../estimate/rows.ts';
import { selectivity } from '../estimate/selectivity.ts';
import type { Dependence, JoinGraph, Relation, RelationSet, Residual } from './join_graph.ts';

/** A tree of joins over some of the relations, with its estimated rows and cost. */
export interface JoinTree {
  readonly set: RelationSet;
  readonly relation: Relation | null;
  readonly left: JoinTree | null;
  readonly right: JoinTree | null;
  readonly rows: number;
  readonly tableRows: number;
  /** rows that joins read, build and write */
  readonly cost: number;
  /** by class: the values that all its members in the tree may have; null = the tree has none */
  readonly keys: readonly (ColumnFacts | null)[];
}

/** What a row of the built side costs beside one of the side that streams past it (bench suite join). */
const BUILD_COST = 2;
/** What testing a pair costs beside streaming a row, for joins without an equality. */
const PAIR_COST = 0.25;

export function leafTree(relation: Relation, graph: JoinGraph): JoinTree {
  const keys = graph.classes.map(({ members }) =>
    members
      .filter((member) => member.set === relation.set)
      .map((member) => member.facts)
      .reduce((a: ColumnFacts | null, b) => (a === null ? b : inBoth(a, b)), null),
  );
  const { set, rows, tableRows } = relation;
  return { set, relation, left: null, right: null, rows, tableRows, cost: 0, keys };
}

/** True when an equality ties the trees. */
export function areTied(a: JoinTree, b: JoinTree): boolean {
  return a.keys.some((facts, i) => facts !== null && b.keys[i] !== null);
}

/** True when one may stand as the other's partner: what depends on relations comes after all of them, and alone. */
export function mayMeet(a: JoinTree, b: JoinTree): boolean {
  const [first, second] = [dependenceOf(a), dependenceOf(b)];
  if (first !== null && second !== null) return false;
  if (first !== null) return covers(b.set, first.reads);
  return second === null || covers(a.set, second.reads);
}

/** True when something else than all pairs comes out of a join. */
export function areConnected(a: JoinTree, b: JoinTree): boolean {
  return dependenceOf(a) !== null || dependenceOf(b) !== null || areTied(a, b);
}

export const dependenceOf = (tree: JoinTree): Dependence | null => tree.relation?.dependence ?? null;

/** The join of two trees that may meet; of an inner join the smaller side is the one that is built. */
export function joinTrees(a: JoinTree, b: JoinTree, graph: JoinGraph): JoinTree {
  return joinBelow(a, b, graph, Infinity) as JoinTree;
}

/** null = it costs as much as `below` or more: nearly all that a search looks at, so that they are not built. */
export function joinBelow(a: JoinTree, b: JoinTree, graph: JoinGraph, below: number): JoinTree | null {
  const first = dependenceOf(a);
  if (first !== null) return hangOnto(b, a, first, graph, below);
  const second = dependenceOf(b);
  return second === null ? innerJoin(a, b, graph, below) : hangOnto(a, b, second, graph, below);
}

function hangOnto(
  left: JoinTree,
  right: JoinTree,
  { join, factor }: Dependence,
  graph: JoinGraph,
  below: number,
): JoinTree | null {
  const isOuter = join.type === 'left';
  const [streamed, built] = isOuter && left.rows < right.rows ? [right, left] : [left, right];
  const rows = Math.max(1, left.rows * factor * shareOfReady(left, right, graph));
  const cost = left.cost + right.cost + streamed.rows + BUILD_COST * built.rows + rows;
  if (cost >= below) return null;
  return {
    set: left.set | right.set,
    relation: null,
    left,
    right,
    rows,
    tableRows: left.tableRows,
    cost,
    keys: isOuter ? bothKeys(left, right) : left.keys,
  };
}

function innerJoin(a: JoinTree, b: JoinTree, graph: JoinGraph, below: number): JoinTree | null {
  const [left, right] = a.rows >= b.rows ? [a, b] : [b, a];
  const keys = left.keys.flatMap((facts, i): KeyFacts[] => {
    const others = right.keys[i] ?? null;
    return facts === null || others === null ? [] : [[facts, others]];
  });
  const rows = Math.max(1, equalPairs(keys, left, right) * shareOfReady(a, b, graph));
  const work = keys.length === 0 ? left.rows * right.rows * PAIR_COST : left.rows + BUILD_COST * right.rows;
  const cost = left.cost + right.cost + work + rows;
  if (cost >= below) return null;
  return {
    set: left.set | right.set,
    relation: null,
    left,
    right,
    rows,
    tableRows: Math.max(left.tableRows, right.tableRows),
    cost,
    keys: bothKeys(left, right),
  };
}

/** Conditions that can be tested from the join of two trees on: what hangs onto another gives its columns only there. */
export function readyResiduals(a: JoinTree, b: JoinTree, graph: JoinGraph): readonly Residual[] {
  const isTested = (tree: JoinTree, { set }: Residual): boolean => covers(tree.set, set) && dependenceOf(tree) === null;
  return graph.residuals.filter(
    (one) => one.set !== 0 && covers(a.set | b.set, one.set) && !isTested(a, one) && !isTested(b, one),
  );
}

function shareOfReady(a: JoinTree, b: JoinTree, graph: JoinGraph): number {
  if (graph.residuals.length === 0) return 1;
  const ready = readyResiduals(a, b, graph).map((one) => one.condition);
  return selectivity(ready, () => UNKNOWN_FACTS);
}

function bothKeys(left: JoinTree, right: JoinTree): readonly (ColumnFacts | null)[] {
  return left.keys.map((facts, i) => {
    const others = right.keys[i] ?? null;
    return facts === null || others === null ? (facts ?? others) : inBoth(facts, others);
  });
}

/** What is left of the values of two columns that are equal. */
function inBoth(a: ColumnFacts, b: ColumnFacts): ColumnFacts {
  const range = commonRange([a, b]);
  const known = [domainWithin(a, range), domainWithin(b, range)].filter((values) => values !== null);
  return {
    ...UNKNOWN_FACTS,
    domain: known.length === 0 ? null : Math.min(...known),
    min: Number.isFinite(range.low) ? range.low : null,
    max: Number.isFinite(range.high) ? range.high : null,
  };
}

export const covers = (set: RelationSet, part: RelationSet): boolean => (set & part) === part;
