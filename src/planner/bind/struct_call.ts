import { list, STRING, struct } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { comparedType } from '../../functions/comparison_rows.ts';
import type { FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal, nullLiteral } from '../logical/expression.ts';
import { bindArguments, buildCall, functionName } from './call.ts';
import { argumentOf } from './cast.ts';
import { caseOf } from './conditional.ts';
import { bindExpression, structValue } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';

/** struct_insert(s, a := 1), struct_update(s, a := 1): a struct and named values. */
export function withNamedValues(fn: string, node: FunctionCall, context: ExpressionContext): BoundExpr {
  const [first, ...others] = node.arguments;
  if (first === undefined || first.name !== null || others.length === 0) {
    throw userError('binder', `${functionName(node)} takes a struct and named values`, node.span, 'e.g. (s, a := 1)');
  }
  const values = others.map((argument) => {
    if (argument.name === null) {
      throw userError('binder', `${functionName(node)} takes named values behind the struct: a := 1`, argument.span);
    }
    return { name: argument.name.name, value: bindExpression(argument.value, context) };
  });
  return buildCall(fn, [bindExpression(first.value, context), structValue(values, node.span)], node.span);
}

/** The only argument, which is a struct. */
function onlyStruct(node: FunctionCall, context: ExpressionContext) {
  const [value, extra] = bindArguments(node, context);
  if (value === undefined || extra !== undefined || value.type.kind !== 'struct') {
    throw userError('type', `${functionName(node)} takes one struct`, node.span);
  }
  return { value, fields: value.type.fields };
}

function unlessNull(value: BoundExpr, result: BoundExpr, span: SourceSpan): BoundExpr {
  return caseOf([buildCall('is_not_null', [value], span)], [result], nullLiteral(span), span);
}

/** Names of the fields as a list. */
export function structKeys(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const { value, fields } = onlyStruct(node, context);
  if (fields.some((field) => field.name === '')) {
    throw userError('binder', 'struct_keys takes a struct whose fields have names', node.span);
  }
  const names = literal(
    fields.map((field) => field.name),
    list(STRING),
    node.span,
  );
  return unlessNull(value, names, node.span);
}

/** The same values without names. */
export function structValues(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const { value, fields } = onlyStruct(node, context);
  const type = struct(fields.map((field) => ({ name: '', type: field.type })));
  const call: BoundExpr = { kind: 'call', fn: 'struct_concat', args: [value], type, fallible: false, span: node.span };
  return unlessNull(value, call, node.span);
}

/** Position of the last field that is equal to a value (NULL to NULL), of a struct without names; else NULL. */
export function structPosition(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const { cases, position } = equalFields(node, context);
  return caseOf(cases, cases.map(position), nullLiteral(node.span), node.span);
}

export function structContains(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const { value, wanted, cases } = equalFields(node, context);
  const answers = cases.map(() => boolean(true, node.span));
  const found = caseOf(cases, answers, boolean(false, node.span), node.span);
  return unlessNull(value, unlessNull(wanted, found, node.span), node.span);
}

const boolean = (value: boolean, span: SourceSpan): BoundExpr => literal(value, { kind: 'bool' }, span);

function equalFields(node: FunctionCall, context: ExpressionContext) {
  const [value, wanted, extra] = bindArguments(node, context);
  const name = functionName(node);
  if (value === undefined || wanted === undefined || extra !== undefined || value.type.kind !== 'struct') {
    throw userError('type', `${name} takes a struct and a value`, node.span);
  }
  if (value.type.fields.some((field) => field.name !== '')) {
    throw userError('binder', `${name} takes a struct whose fields have no names`, node.span);
  }
  const positions: number[] = [];
  const cases = [...value.type.fields.keys()].reverse().flatMap((i) => {
    const at: BoundExpr = { ...literal(BigInt(i + 1), { kind: 'int32' }, node.span), adaptable: true };
    const field = buildCall('list_extract', [value, at], node.span);
    if (comparedType(argumentOf(field), argumentOf(wanted)) === null) return [];
    positions.push(i + 1);
    return [buildCall('is_not_distinct_from', [field, wanted], node.span)];
  });
  const position = (_: BoundExpr, i: number): BoundExpr =>
    literal(BigInt(positions[i] as number), { kind: 'int32' }, node.span);
  return { value, wanted, cases, position };
}
