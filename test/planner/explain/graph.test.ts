import { describe, expect, test } from 'vitest';
import { dotLines } from '../../../src/planner/explain/dot.ts';
import { planGraph } from '../../../src/planner/explain/graph.ts';
import { htmlLines } from '../../../src/planner/explain/html.ts';
import { mermaidLines } from '../../../src/planner/explain/mermaid.ts';

interface Node {
  readonly text: string;
  readonly inputs: readonly Node[];
}

const shared: Node = { text: 'scan \'a\nb\' x < 1 AND y = "q\\" #`&`', inputs: [] };
const root: Node = { text: 'union', inputs: [shared, { text: 'filter', inputs: [shared] }] };
const inputs = (node: Node): readonly Node[] => node.inputs;
const line = (node: Node): string => node.text;

describe('a plan as a graph', () => {
  const graph = planGraph(root, inputs, line);

  test('has a node that two read once', () => {
    expect(graph.labels).toEqual(['union', 'scan \'a\\nb\' x < 1 AND y = "q\\" #`&`', 'filter']);
    expect(graph.edges).toEqual([
      [1, 0],
      [1, 2],
      [2, 0],
    ]);
  });

  test('as Mermaid', () => {
    expect(mermaidLines(graph)).toEqual([
      'flowchart BT',
      '  n0["union"]',
      `  n1["scan 'a\\nb' x #lt; 1 AND y = #quot;q\\#quot; #35;#96;&#96;"]`,
      '  n2["filter"]',
      '  n1 --> n0',
      '  n1 --> n2',
      '  n2 --> n0',
    ]);
  });

  test('as DOT', () => {
    expect(dotLines(graph).slice(3, 5)).toEqual([
      '  n0 [label="union"];',
      `  n1 [label="scan 'a\\\\nb' x < 1 AND y = \\"q\\\\\\" #\`&\`"];`,
    ]);
    expect(dotLines(graph).slice(-2)).toEqual(['  n2 -> n0;', '}']);
  });

  test('as HTML, with the share of the time', () => {
    const text = htmlLines(root, inputs, line, (node) => (node === shared ? 0.25 : 0)).join('\n');
    expect(text).toContain('<summary style="--share: 0.0%">union</summary>');
    expect(text).toContain(`<p style="--share: 25.0%">scan 'a\nb' x &lt; 1 AND y = &quot;q\\&quot; #\`&amp;\`</p>`);
    expect(text).not.toMatch(/src=|href=|<script/);
  });
});
