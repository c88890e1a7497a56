/** How a node is shown: `#1: …` where one that several read is met first, `#1` where it is met again. */
export type SharedNames<Node> = (
  node: Node,
  line: (node: Node) => string,
) => { readonly text: string; readonly isNew: boolean };

/** Numbers the nodes that several others read. */
export function sharedNames<Node>(root: Node, inputs: (node: Node) => readonly Node[]): SharedNames<Node> {
  const readers = new Map<Node, number>();
  const count = (node: Node): void => {
    const known = readers.get(node) ?? 0;
    readers.set(node, known + 1);
    if (known === 0) inputs(node).forEach(count);
  };
  count(root);
  const numbers = new Map<Node, number>();
  return (node, line) => {
    const known = numbers.get(node);
    if (known !== undefined) return { text: `#${known}`, isNew: false };
    if ((readers.get(node) ?? 0) < 2) return { text: line(node), isNew: true };
    numbers.set(node, numbers.size + 1);
    return { text: `#${numbers.size}: ${line(node)}`, isNew: true };
  };
}
