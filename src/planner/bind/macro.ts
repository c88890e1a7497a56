import { unsupported, userError } from '../../common/error.ts';
import type { MacroBody, MacroRow } from '../../functions/macros.ts';
import type { Expression, FunctionCall } from '../../sql/ast.ts';
import { parseExpression } from '../../sql/parser.ts';
import type { TreeNode } from './walk.ts';
import { relocate, rewriteTree } from './walk.ts';

/** The SQL of a macro with the arguments of a call in place of its parameters; it all stands where the call stands. */
export function expandMacro(macro: MacroRow, node: FunctionCall): Expression {
  const [name] = macro.names;
  const body = macro.bodies.find((candidate) => candidate.parameters.length === node.arguments.length);
  if (body === undefined) {
    const counts = macro.bodies.map((candidate) => candidate.parameters.length).join(' or ');
    throw userError('binder', `${name} takes ${counts} arguments, not ${node.arguments.length}`, node.span);
  }
  if (node.distinct || node.filter !== null || node.orderBy.length > 0) {
    throw unsupported(`${name} with DISTINCT, FILTER or ORDER BY`, node.span, `it stands for ${body.sql}`);
  }
  const values = new Map(
    node.arguments.map((argument, i) => {
      if (argument.name !== null) {
        throw userError('binder', `${name} takes no named arguments: ${argument.name.name}`, argument.span);
      }
      return [body.parameters[i] as string, argument.value];
    }),
  );
  return rewriteTree(relocate(parsed(body), node.span), (part) => parameter(part, values));
}

const PARSED = new Map<MacroBody, Expression>();

function parsed(body: MacroBody): Expression {
  const known = PARSED.get(body) ?? parseExpression(body.sql);
  PARSED.set(body, known);
  return known;
}

function parameter(part: TreeNode, values: ReadonlyMap<string, Expression>): Expression | undefined {
  if (part.kind !== 'column_ref') return undefined;
  const [name, ...more] = (part as Extract<Expression, { kind: 'column_ref' }>).parts;
  return name === undefined || more.length > 0 ? undefined : values.get(name.name);
}
