import type { ColumnFacts } from '../estimate/column_facts.ts';
import { commonRange, domainWithin, UNKNOWN_FACTS } from '../estimate/column_facts.ts';
import type { KeyFacts } from '../estimate/rows.ts';
import { equalPairs } from '../estimate/rows.ts';
import { selectivity } from '../estimate/selectivity.ts';
import type { Dependence, JoinGraph, Relation, RelationSet, Residual } from './join_graph.ts';

/** A tree of joins over some of the relations, with its estimated rows and cost. */
export interface JoinTree {
  readonly set: RelationSet;
  /** relations of which it gives the columns; semi, anti and mark joins give those of their left side */
  readonly given: RelationSet;
  /** relations of which a column is equal to one that it gives */
  readonly equals: RelationSet;
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
  let equals = 0;
  graph.classes.forEach(({ members }, i) => {
    if (keys[i] !== null) for (const member of members) equals |= member.set;
  });
  return { set, given: set, equals, relation, left: null, right: null, rows, tableRows, cost: 0, keys };
}

/** True when an equality ties the trees. */
export const areTied = (a: JoinTree, b: JoinTree): boolean => (a.equals & b.given) !== 0;

/** True when one may stand as the other's partner: what depends on relations comes after all of them, and alone. */
export function mayMeet(a: JoinTree, b: JoinTree): boolean {
  const first = dependenceOf(a);
  const second = dependenceOf(b);
  if (first !== null && second !== null) return false;
  if (first !== null) return covers(b.set, first.reads);
  return second === null || covers(a.set, second.reads);
}

/** True when something else than all pairs comes out of a join. */
export function areConnected(a: JoinTree, b: JoinTree): boolean {
  return dependenceOf(a) !== null || dependenceOf(b) !== null || areTied(a, b);
}

export const dependenceOf = (tree: JoinTree): Dependence | null => tree.relation?.dependence ?? null;

/** What the rows of a join depend on: the relations, not the tree that joins them. */
type JoinRows = Pick<JoinTree, 'set' | 'given' | 'equals' | 'rows' | 'tableRows' | 'keys'>;

/** The join of two trees that may meet; of an inner join the smaller side is the one that is built. */
export function joinTrees(a: JoinTree, b: JoinTree, graph: JoinGraph): JoinTree {
  return cheaperTree(a, b, null, Infinity, graph) as JoinTree;
}

/**
 * The join of two trees if it costs less than `below` and than `known`, another tree of the same relations. This and what
 * it calls run a thousand times before they are compiled: they take no pairs apart, which would make an iterator each time.
 */
export function cheaperTree(
  a: JoinTree,
  b: JoinTree,
  known: JoinTree | null,
  below: number,
  graph: JoinGraph,
): JoinTree | null {
  const limit = known === null ? below : Math.min(below, known.cost - known.rows);
  if (a.cost + b.cost >= limit) return null;
  const left = isLeft(a, b) ? a : b;
  const right = left === a ? b : a;
  const cost = a.cost + b.cost + workOf(left, right);
  if (cost >= limit) return null;
  const { set, given, equals, rows, tableRows, keys } = known ?? rowsOf(left, right, graph);
  return { set, given, equals, relation: null, left, right, rows, tableRows, cost: cost + rows, keys };
}

/** What hangs onto the other is the right side; without such the tree of fewer rows. */
function isLeft(a: JoinTree, b: JoinTree): boolean {
  if (dependenceOf(a) !== null) return false;
  return dependenceOf(b) !== null || a.rows >= b.rows;
}

/** What a join costs without its rows. */
function workOf(left: JoinTree, right: JoinTree): number {
  const dependence = dependenceOf(right);
  if (dependence === null && !areTied(left, right)) return left.rows * right.rows * PAIR_COST;
  const isTurned = dependence?.join.type === 'left' && left.rows < right.rows;
  return isTurned ? right.rows + BUILD_COST * left.rows : left.rows + BUILD_COST * right.rows;
}

function rowsOf(left: JoinTree, right: JoinTree, graph: JoinGraph): JoinRows {
  const dependence = dependenceOf(right);
  return dependence === null ? innerRows(left, right, graph) : hungRows(left, right, dependence, graph);
}

function hungRows(left: JoinTree, right: JoinTree, { join, factor }: Dependence, graph: JoinGraph): JoinRows {
  const isOuter = join.type === 'left';
  return {
    set: left.set | right.set,
    given: isOuter ? left.given | right.given : left.given,
    equals: isOuter ? left.equals | right.equals : left.equals,
    rows: Math.max(1, left.rows * factor * shareOfReady(left, right, graph)),
    tableRows: left.tableRows,
    keys: isOuter ? bothKeys(left, right, []) : left.keys,
  };
}

function innerRows(left: JoinTree, right: JoinTree, graph: JoinGraph): JoinRows {
  const common: KeyFacts[] = [];
  const keys = bothKeys(left, right, common);
  return {
    set: left.set | right.set,
    given: left.given | right.given,
    equals: left.equals | right.equals,
    rows: Math.max(1, equalPairs(common, left, right) * shareOfReady(left, right, graph)),
    tableRows: Math.max(left.tableRows, right.tableRows),
    keys,
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

/** By class what is known of its values; `common` takes what both sides know. Runs for every set of the search. */
function bothKeys(left: JoinTree, right: JoinTree, common: KeyFacts[]): readonly (ColumnFacts | null)[] {
  const keys = left.keys.slice();
  for (let i = 0; i < keys.length; i++) {
    const other = right.keys[i] ?? null;
    if (other === null) continue;
    const own = keys[i] ?? null;
    if (own !== null) common.push([own, other]);
    keys[i] = own === null ? other : inBoth(own, other);
  }
  return keys;
}

/** What is left of the values of two columns that are equal. */
function inBoth(a: ColumnFacts, b: ColumnFacts): ColumnFacts {
  const range = commonRange(a, b);
  const own = domainWithin(a, range);
  const other = domainWithin(b, range);
  return {
    distinct: null,
    domain: own === null || other === null ? (own ?? other) : Math.min(own, other),
    min: Number.isFinite(range.low) ? range.low : null,
    max: Number.isFinite(range.high) ? range.high : null,
    nulls: null,
  };
}

export const covers = (set: RelationSet, part: RelationSet): boolean => (set & part) === part;
