import { UNKNOWN_FACTS } from '../estimate/column_facts.ts';
import { keyDivisor } from '../estimate/rows.ts';
import { selectivity } from '../estimate/selectivity.ts';
import type { JoinGraph, Relation, RelationSet } from './join_graph.ts';

/** A tree of inner joins over some of the relations, with its estimated rows and cost. */
export interface JoinTree {
  readonly set: RelationSet;
  readonly relation: Relation | null;
  readonly left: JoinTree | null;
  readonly right: JoinTree | null;
  readonly rows: number;
  readonly tableRows: number;
  /** rows that joins read, build and write */
  readonly cost: number;
  /** by class: the smallest domain of its members in the tree; 0 = the tree has none */
  readonly domains: readonly number[];
}

/** What a row of the built side costs beside one of the side that streams past it (bench suite join). */
const BUILD_COST = 2;
/** What testing a pair costs beside streaming a row, for joins without an equality. */
const PAIR_COST = 0.25;

export function leafTree(relation: Relation, graph: JoinGraph): JoinTree {
  const domains = graph.classes.map((one) => {
    const own = one.members.filter((member) => member.set === relation.set);
    return own.length === 0 ? 0 : Math.max(1, Math.min(...own.map((member) => member.domain)));
  });
  const { set, rows, tableRows } = relation;
  return { set, relation, left: null, right: null, rows, tableRows, cost: 0, domains };
}

/** True when an equality ties the trees. */
export function areTied(a: JoinTree, b: JoinTree): boolean {
  return a.domains.some((values, i) => values > 0 && (b.domains[i] as number) > 0);
}

/** The join of two trees; the smaller side is the one that is built. */
export function joinTrees(a: JoinTree, b: JoinTree, graph: JoinGraph): JoinTree {
  const [left, right] = a.rows >= b.rows ? [a, b] : [b, a];
  const keys = left.domains.flatMap((values, i) => {
    const others = right.domains[i] as number;
    return values > 0 && others > 0 ? [{ left: values, right: others }] : [];
  });
  const smallerTable = Math.min(left.tableRows, right.tableRows);
  const divisor = keys.length === 0 ? 1 : keyDivisor(keys, { left: left.rows, right: right.rows, smallerTable });
  const pairs = left.rows * right.rows;
  const set = left.set | right.set;
  const ready = graph.residuals.filter(
    (one) => covers(set, one.set) && !covers(a.set, one.set) && !covers(b.set, one.set),
  );
  const share = selectivity(
    ready.map((one) => one.condition),
    () => UNKNOWN_FACTS,
  );
  const rows = Math.max(1, (pairs / divisor) * share);
  const work = keys.length === 0 ? pairs * PAIR_COST : left.rows + BUILD_COST * right.rows;
  return {
    set,
    relation: null,
    left,
    right,
    rows,
    tableRows: Math.max(left.tableRows, right.tableRows),
    cost: left.cost + right.cost + work + rows,
    domains: left.domains.map((values, i) => {
      const others = right.domains[i] as number;
      return values > 0 && others > 0 ? Math.min(values, others) : Math.max(values, others);
    }),
  };
}

export const covers = (set: RelationSet, part: RelationSet): boolean => (set & part) === part;
