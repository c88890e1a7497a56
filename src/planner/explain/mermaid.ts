import type { PlanGraph } from './graph.ts';

/** Characters that end a quoted label, start HTML or start an entity, as Mermaid's own entities. */
const ENTITIES: Readonly<Record<string, string>> = {
  '"': '#quot;',
  '<': '#lt;',
  '>': '#gt;',
  '#': '#35;',
  '`': '#96;',
};

const escaped = (text: string): string => text.replace(/["<>#`]/g, (char) => ENTITIES[char] ?? char);

/** Lines of a Mermaid flowchart. */
export function mermaidLines({ labels, edges }: PlanGraph): string[] {
  return [
    'flowchart BT',
    ...labels.map((label, i) => `  n${i}["${escaped(label)}"]`),
    ...edges.map(([input, reader]) => `  n${input} --> n${reader}`),
  ];
}
