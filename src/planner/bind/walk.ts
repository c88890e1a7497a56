/** Anything of a syntax tree that has a kind. */
export interface TreeNode {
  readonly kind: string;
}

function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && typeof (value as { kind?: unknown }).kind === 'string';
}

/** Direct children of a syntax tree node, in the order of its properties. */
export function childNodes(node: object): TreeNode[] {
  const found: TreeNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isNode(value)) found.push(value);
  };
  for (const value of Object.values(node)) collect(value);
  return found;
}

/** Visits a tree from the root down; `visit` returns false to leave out what is below. */
export function visitTree(node: TreeNode, visit: (node: TreeNode) => boolean | undefined): void {
  if (visit(node) === false) return;
  for (const child of childNodes(node)) visitTree(child, visit);
}

/** The tree with some nodes replaced; `change` returns undefined to go on below a node. Untouched parts keep identity. */
export function rewriteTree<T>(value: T, change: (node: TreeNode) => unknown): T {
  if (Array.isArray(value)) {
    const next = value.map((item) => rewriteTree(item, change));
    return next.every((item, i) => item === value[i]) ? value : (next as T);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isNode(value)) {
    const replaced = change(value);
    if (replaced !== undefined) return replaced as T;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const next: unknown = rewriteTree(item, change);
    if (next !== item) changed = true;
    return [key, next] as const;
  });
  return changed ? (Object.fromEntries(entries) as T) : value;
}

/** The same tree as if all of it stood at one place: for texts that are not the statement's own, such as views. */
export function relocate<T>(value: T, span: { readonly start: number; readonly end: number }): T {
  if (Array.isArray(value)) return value.map((item) => relocate(item, span)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) =>
    key === 'span' || key.endsWith('Span') ? [key, span] : [key, relocate(item, span)],
  );
  return Object.fromEntries(entries) as T;
}
