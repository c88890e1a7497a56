import { sharedNames } from './shared_names.ts';

/** A tree drawn with lines: children below their node, shared subplans drawn once and then named. */
export function drawTree<Node>(
  root: Node,
  inputs: (node: Node) => readonly Node[],
  line: (node: Node) => string,
): string[] {
  const lines: string[] = [];
  const names = sharedNames(root, inputs);
  const visit = (node: Node, first: string, rest: string): void => {
    const { text, isNew } = names(node, line);
    lines.push(`${first}${text}`);
    const children = isNew ? inputs(node) : [];
    for (const [i, child] of children.entries()) {
      const last = i === children.length - 1;
      visit(child, `${rest}${last ? '└─ ' : '├─ '}`, `${rest}${last ? '   ' : '│  '}`);
    }
  };
  visit(root, '', '');
  return lines;
}
