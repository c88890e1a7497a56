/** What `unnest(x, recursive := …, max_depth := …)` takes apart: lists level by level, then structs field by field. */
import type { DataType, StructField } from '../../common/data_type.ts';
import { typeName } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { Argument, Expression, FunctionCall, Identifier } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { nullLiteral } from '../logical/expression.ts';
import { buildCall } from './call.ts';
import { bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import type { OutputItem } from './star.ts';

interface UnnestCall {
  readonly value: Expression;
  /** levels that are taken apart */
  readonly depth: number;
}

function unnestCall(call: FunctionCall): UnnestCall {
  const [argument, ...others] = call.arguments;
  if (argument === undefined || argument.name !== null)
    throw userError('binder', 'unnest takes one list or struct', call.span);
  return { value: argument.value, depth: others.reduce((depth, other) => depthOf(other, depth), 1) };
}

function depthOf(argument: Argument, before: number): number {
  const name = argument.name?.name.toLowerCase();
  const { value } = argument;
  if (name === 'recursive' && value.kind === 'boolean_literal') return value.value ? Number.POSITIVE_INFINITY : before;
  if (name === 'max_depth' && value.kind === 'integer_literal' && Number(value.text) > 0) return Number(value.text);
  throw userError(
    'binder',
    'unnest takes one list or struct',
    argument.span,
    'and recursive := true, or max_depth := a number of at least 1',
  );
}

/** How many of the levels are lists, and what is inside of them. */
function listLevels(type: DataType, depth: number): { levels: number; inner: DataType } {
  let [levels, inner] = [0, type];
  while (inner.kind === 'list' && levels < depth) {
    inner = inner.element;
    levels++;
  }
  return { levels, inner };
}

/** The list that a call of unnest takes apart. Elements of several levels are those of the list without the levels between. */
export function bindUnnestArgument(
  call: FunctionCall,
  context: ExpressionContext,
): { readonly list: BoundExpr; readonly levels: number } {
  const { value, depth } = unnestCall(call);
  let list = asList(bindExpression(value, context));
  const { levels } = listLevels(list.type, depth);
  for (let level = 1; level < levels; level++) list = buildCall('flatten', [list], call.span);
  return { list, levels };
}

/** A list; NULL is one without elements. */
export function asList(value: BoundExpr): BoundExpr {
  if (value.type.kind === 'list') return value;
  if (value.type.kind === 'null') return { ...nullLiteral(value.span), type: { kind: 'list', element: value.type } };
  const hint =
    value.type.kind === 'struct'
      ? 'SELECT unnest(s), alone in its place, gives a column a field, as s.* does'
      : undefined;
  throw userError('type', `unnest takes a list, not ${typeName(value.type)}`, value.span, hint);
}

export const isUnnest = (name: string): boolean => name === 'unnest' || name === 'explode';

/**
 * Items of a SELECT list with a column for each field where unnest comes to a struct. `context`: for the types of
 * arguments only, so that nothing that is bound in it may be kept.
 */
export function expandUnnestedStructs(
  items: readonly OutputItem[],
  context: (before: readonly OutputItem[]) => ExpressionContext,
): OutputItem[] {
  return items.flatMap((item, i) => {
    const call = item.expression;
    if (call.kind !== 'function_call' || call.name.length !== 1 || call.over !== null) return [item];
    if (!isUnnest(call.name[0]?.name.toLowerCase() ?? '')) return [item];
    const { value, depth } = unnestCall(call);
    const { levels, inner } = listLevels(bindExpression(value, context(items.slice(0, i))).type, depth);
    if (inner.kind !== 'struct' || levels === depth) return [item];
    const operand = levels === 0 ? value : elementsOf(call, levels);
    return inner.fields.flatMap((field, at) => fieldItems(operand, field, at, depth - levels - 1));
  });
}

/** The call with so many levels and no more. */
function elementsOf(call: FunctionCall, levels: number): FunctionCall {
  const { span } = call;
  const name: Identifier = { kind: 'identifier', name: 'max_depth', span };
  const value: Expression = { kind: 'integer_literal', text: String(levels), span };
  const [argument] = call.arguments as [Argument];
  return { ...call, arguments: [argument, { ...argument, name, value }] };
}

/** The column of a field, or the columns of its fields while there is depth left. */
function fieldItems(operand: Expression, field: StructField, at: number, depth: number): OutputItem[] {
  const { span } = operand;
  const expression: Expression =
    field.name === ''
      ? { kind: 'subscript', operand, index: { kind: 'integer_literal', text: String(at + 1), span }, span }
      : { kind: 'field_access', operand, field: { kind: 'identifier', name: field.name, span }, span };
  if (depth > 0 && field.type.kind === 'struct')
    return field.type.fields.flatMap((inner, i) => fieldItems(expression, inner, i, depth - 1));
  return [{ name: field.name === '' ? `element${at + 1}` : field.name, expression, alias: false }];
}
