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
  /** neighbours by the number of a relation's bit */
  const byBit = new Int32Array(32);
  for (const [single, near] of neighbours) byBit[bitOf(single)] = near;

  const around = (set: RelationSet): RelationSet => {
    let found = 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) found |= byBit[bitOf(rest & -rest)] as number;
    return found & ~set;
  };

  /** Partners of `set`, without those that an enumeration from a later relation meets. */
  const partners = (set: RelationSet): boolean => {
    const before = upTo(set & -set) | set;
    const starts = around(set) & ~before;
    for (let rest = starts; rest !== 0; ) {
      const single = 1 << bitOf(rest);
      rest ^= single;
      if (onPair(set, single) || grownPartners(set, single, before | (upTo(single) & starts))) return true;
    }
    return false;
  };
  const grownPartners = (set: RelationSet, partner: RelationSet, without: RelationSet): boolean => {
    const next = around(partner) & ~without;
    for (let more = first(next); more !== 0; more = following(more, next)) {
      if (onPair(set, partner | more)) return true;
    }
    for (let more = first(next); more !== 0; more = following(more, next)) {
      if (grownPartners(set, partner | more, without | next)) return true;
    }
    return false;
  };
  const grown = (set: RelationSet, without: RelationSet): boolean => {
    const next = around(set) & ~without;
    for (let more = first(next); more !== 0; more = following(more, next)) {
      if (partners(set | more)) return true;
    }
    for (let more = first(next); more !== 0; more = following(more, next)) {
      if (grown(set | more, without | next)) return true;
    }
    return false;
  };

  singles.some((single) => partners(single) || grown(single, upTo(single)));
}

/** A relation and all before it. */
const upTo = (single: RelationSet): RelationSet => single | (single - 1);

/** The number of the last bit of a set. */
const bitOf = (set: RelationSet): number => 31 - Math.clz32(set);

/** The first of the subsets that are not empty, in an order that gives the smaller ones before those that hold them. */
const first = (set: RelationSet): RelationSet => -set & set;
/** The one after it; 0 = there are no more. */
const following = (part: RelationSet, set: RelationSet): RelationSet => (part - set) & set;
