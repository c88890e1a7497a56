import type { PlanGraph } from './graph.ts';

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Lines of a Graphviz digraph. */
export function dotLines({ labels, edges }: PlanGraph): string[] {
  return [
    'digraph plan {',
    '  rankdir=BT;',
    '  node [shape=box, fontname="monospace"];',
    ...labels.map((label, i) => `  n${i} [label=${quoted(label)}];`),
    ...edges.map(([input, reader]) => `  n${input} -> n${reader};`),
    '}',
  ];
}
