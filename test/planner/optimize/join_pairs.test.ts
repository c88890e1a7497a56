import { describe, expect, it } from 'vitest';
import { connectedPairs } from '../../../src/planner/optimize/join_pairs.ts';

type Graph = ReadonlyMap<number, number>;

function graphOf(size: number, isEdge: (a: number, b: number) => boolean): Graph {
  const graph = new Map<number, number>();
  for (let a = 0; a < size; a++) {
    let found = 0;
    for (let b = 0; b < size; b++) if (a !== b && isEdge(Math.min(a, b), Math.max(a, b))) found |= 1 << b;
    graph.set(1 << a, found);
  }
  return graph;
}

const around = (graph: Graph, set: number): number => {
  let found = 0;
  for (const [single, others] of graph) if ((single & set) !== 0) found |= others;
  return found & ~set;
};

function isConnected(graph: Graph, set: number): boolean {
  let reached = set & -set;
  for (let next = reached; next !== 0; reached |= next) next = around(graph, reached) & set & ~reached;
  return reached === set;
}

/** Every pair of the definition, the smaller set first. */
function allPairs(graph: Graph): string[] {
  const all = 2 ** graph.size;
  const connected = Array.from({ length: all - 1 }, (_, i) => i + 1).filter((set) => isConnected(graph, set));
  const found: string[] = [];
  for (const a of connected) {
    for (const b of connected) {
      if (a < b && (a & b) === 0 && (around(graph, a) & b) !== 0) found.push(`${a} ${b}`);
    }
  }
  return found.sort();
}

function pairsOf(graph: Graph): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  connectedPairs(graph, (a, b) => {
    found.push([a, b]);
    return false;
  });
  return found;
}

const SHAPES: readonly (readonly [name: string, isEdge: (a: number, b: number) => boolean])[] = [
  ['chain', (a, b) => b === a + 1],
  ['star', (a) => a === 0],
  ['clique', () => true],
  ['circle', (a, b) => b === a + 1 || (a === 0 && b === 5)],
  ['two parts', (a, b) => b === a + 2],
  ['mixed', (a, b) => (a * 7 + b * 5) % 3 === 0],
];

describe('pairs of connected sets', () => {
  for (const [name, isEdge] of SHAPES) {
    for (const size of [1, 2, 3, 6]) {
      it(`${name} of ${size}: each once, after those within it`, () => {
        const graph = graphOf(size, isEdge);
        const pairs = pairsOf(graph);
        expect(pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`).sort()).toEqual(allPairs(graph));
        const made = new Set(graph.keys());
        for (const [a, b] of pairs) {
          expect(made.has(a) && made.has(b)).toBe(true);
          made.add(a | b);
        }
      });
    }
  }

  it('a star of ten has 2,304', () => {
    expect(pairsOf(graphOf(10, (a) => a === 0))).toHaveLength(2304);
  });

  it('ends when it is told to', () => {
    let told = 0;
    connectedPairs(
      graphOf(6, () => true),
      () => ++told === 3,
    );
    expect(told).toBe(3);
  });
});
