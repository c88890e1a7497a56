import type { RelationSet } from './join_graph.ts';

/** Tells a pair; true ends the enumeration. */
export type OnPair = (a: RelationSet, b: RelationSet) => boolean;

/**
 * All pairs of disjoint connected sets with an edge between them, each once, and after every pair within either set:
 * what dynamic programming over sets needs. Only such pairs are looked at: 2,304 for a star of ten.
 *
 * `neighbours`: by bit of a relation, the relations with an edge to it. Source: Moerkotte and Neumann, "Analysis of Two
 * Existing and One New Dynamic Programming Algorithm for the Generation of Optimal Bushy Join Trees", VLDB 2006.
 */
export function connectedPairs(neighbours: ReadonlyMap<RelationSet, RelationSet>, onPair: OnPair): void {
  const singles = [...neighbours.keys()].sort((a, b) => b - a);

  const around = (set: RelationSet): RelationSet => {
    let found = 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) found |= neighbours.get(rest & -rest) as RelationSet;
    return found & ~set;
  };

  /** Partners of `set`, without those that an enumeration from a later relation meets. */
  const partners = (set: RelationSet): boolean => {
    const before = upTo(set & -set) | set;
    const starts = around(set) & ~before;
    for (let rest = starts; rest !== 0; ) {
      const single = last(rest);
      rest ^= single;
      if (onPair(set, single) || grownPartners(set, single, before | (upTo(single) & starts))) return true;
    }
    return false;
  };
  const grownPartners = (set: RelationSet, partner: RelationSet, without: RelationSet): boolean => {
    const next = around(partner) & ~without;
    return (
      subsets(next).some((more) => onPair(set, partner | more)) ||
      subsets(next).some((more) => grownPartners(set, partner | more, without | next))
    );
  };
  const grown = (set: RelationSet, without: RelationSet): boolean => {
    const next = around(set) & ~without;
    return (
      subsets(next).some((more) => partners(set | more)) ||
      subsets(next).some((more) => grown(set | more, without | next))
    );
  };

  singles.some((single) => partners(single) || grown(single, upTo(single)));
}

/** A relation and all before it. */
const upTo = (single: RelationSet): RelationSet => single | (single - 1);

const last = (set: RelationSet): RelationSet => 2 ** (31 - Math.clz32(set));

/** Subsets that are not empty, the smaller ones before those that hold them. */
function subsets(set: RelationSet): RelationSet[] {
  const found: RelationSet[] = [];
  for (let part = -set & set; part !== 0; part = (part - set) & set) found.push(part);
  return found;
}
