/** A plan as a graph: every node once, in the order of a walk from the root; edges run from input to reader. */
export interface PlanGraph {
  readonly labels: readonly string[];
  readonly edges: readonly (readonly [input: number, reader: number])[];
}

/** `line` is the label of a node; a node that several read stands once. */
export function planGraph<Node>(
  root: Node,
  inputs: (node: Node) => readonly Node[],
  line: (node: Node) => string,
): PlanGraph {
  const numbers = new Map<Node, number>();
  const labels: string[] = [];
  const edges: [number, number][] = [];
  const visit = (node: Node): number => {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    const number = labels.length;
    numbers.set(node, number);
    // a label is one line in every graph language
    labels.push(line(node).replaceAll('\n', '\\n'));
    for (const input of inputs(node)) edges.push([visit(input), number]);
    return number;
  };
  visit(root);
  return { labels, edges };
}
