/** What the generator knows of a type: expressions of one kind may stand for one another. */
export type Kind =
  | 'bool'
  | 'int'
  | 'bigint'
  | 'float'
  | 'double'
  | 'decimal'
  | 'string'
  | 'date'
  | 'timestamp'
  | 'int_list'
  | 'string_list'
  | 'float_list'
  | 'nested_list';

/** What else a statement is made of; a clause may be left out. */
export type Part = 'query' | 'relation' | 'clause';

/** An expression as text between its arguments: `pieces` has one more entry than `args`. */
export interface Expression {
  readonly kind: Kind | Part;
  readonly pieces: readonly string[];
  readonly args: readonly Expression[];
}

export function renderExpression(expression: Expression): string {
  return expression.pieces.reduce((text, piece, i) => {
    const before = expression.args[i - 1];
    return before === undefined ? text + piece : text + renderExpression(before) + piece;
  }, '');
}

export const leaf = (kind: Kind | Part, text: string): Expression => ({ kind, pieces: [text], args: [] });

/** `template` marks each argument with `@`. */
export function build(kind: Kind | Part, template: string, ...args: readonly Expression[]): Expression {
  const pieces = template.split('@');
  if (pieces.length !== args.length + 1) throw new Error(`${template} has not ${args.length} arguments`);
  return { kind, pieces, args };
}

/** How many nodes: the measure that shrinking makes smaller. */
export function size(expression: Expression): number {
  return 1 + expression.args.reduce((sum, arg) => sum + size(arg), 0);
}

/** Calls `visit` for the expression and all below it. */
export function walk(expression: Expression, visit: (e: Expression) => void): void {
  visit(expression);
  for (const arg of expression.args) walk(arg, visit);
}

/** The expression with `change` applied to every part, from below. */
export function mapExpression(expression: Expression, change: (e: Expression) => Expression): Expression {
  return change({ ...expression, args: expression.args.map((arg) => mapExpression(arg, change)) });
}
