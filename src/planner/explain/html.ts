const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);

const STYLE = [
  ':root { color-scheme: light dark; font: 14px/1.5 monospace; }',
  'details, p { margin: 0.3em 0 0.3em 1.2em; padding-left: 0.6em; border-left: 1px solid color-mix(in srgb, currentColor 25%, transparent); }',
  'summary { cursor: pointer; }',
  'summary, p { background: linear-gradient(90deg, color-mix(in srgb, orange 45%, transparent) var(--share), transparent var(--share)); }',
].join('\n');

/**
 * One page that loads nothing: inputs fold away under their node. `share` (0 to 1) is the part of the time that a node
 * took, drawn as a bar behind its line.
 */
export function htmlLines<Node>(
  root: Node,
  inputs: (node: Node) => readonly Node[],
  line: (node: Node) => string,
  share: (node: Node) => number,
): string[] {
  const lines: string[] = [];
  const visit = (node: Node, depth: number): void => {
    const indent = '  '.repeat(depth);
    const bar = `style="--share: ${(100 * share(node)).toFixed(1)}%"`;
    const children = inputs(node);
    if (children.length === 0) {
      lines.push(`${indent}<p ${bar}>${escaped(line(node))}</p>`);
      return;
    }
    lines.push(`${indent}<details open><summary ${bar}>${escaped(line(node))}</summary>`);
    for (const child of children) visit(child, depth + 1);
    lines.push(`${indent}</details>`);
  };
  visit(root, 0);
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<title>quern plan</title>',
    `<style>\n${STYLE}\n</style>`,
    ...lines,
  ];
}
