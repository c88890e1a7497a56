import type { DataType } from '../../common/data_type.ts';
import { BOOL, INT64, list, typeName } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import { signaturesOf } from '../../functions/function_row.ts';
import { supertype } from '../../functions/supertype.ts';
import type { FunctionCall, Lambda } from '../../sql/ast.ts';
import type { BoundExpr, BoundLambda } from '../logical/expression.ts';
import type { LogicalColumn } from '../logical/node.ts';
import { functionName } from './call.ts';
import { castTo } from './cast.ts';
import { asCondition, bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { LAMBDA_NAMES } from './lambda_names.ts';

/** list_transform, list_filter, list_reduce. */
export function bindLambdaCall(name: string, node: FunctionCall, context: ExpressionContext): BoundExpr {
  const fn = LAMBDA_NAMES[name];
  if (fn === undefined || signaturesOf('scalar', [fn]).length === 0) throw unsupported(`function ${name}`, node.span);
  const [first, second, third, extra] = node.arguments;
  const lambda = second?.value;
  if (
    first === undefined ||
    lambda?.kind !== 'lambda' ||
    extra !== undefined ||
    (third !== undefined && fn !== 'list_reduce')
  ) {
    throw userError(
      'binder',
      `${functionName(node)} takes a list and a lambda`,
      node.span,
      `e.g. ${name}(l, x -> x + 1)`,
    );
  }
  const value = bindExpression(first.value, context);
  if (value.type.kind !== 'list') {
    throw userError('type', `${name} takes a list, not ${typeName(value.type)}`, value.span);
  }
  const { element } = value.type;
  if (fn === 'list_reduce') {
    const start = third === undefined ? null : bindExpression(third.value, context);
    return bindReduce(node, value, element, lambda, start, context);
  }
  const bound = bindLambda(lambda, [element, INT64], context);
  const body = fn === 'list_filter' ? { ...bound, body: asCondition(bound.body), type: BOOL } : bound;
  const type = fn === 'list_filter' ? value.type : list(bound.type);
  return { kind: 'call', fn, args: [value, body], type, fallible: true, span: node.span };
}

/** Parameters are columns of a scope of their own; what else the body reads is captured. */
function bindLambda(lambda: Lambda, types: readonly DataType[], context: ExpressionContext): BoundLambda {
  if (lambda.parameters.length > types.length) {
    throw userError(
      'binder',
      `the lambda has at most ${types.length} parameters here, not ${lambda.parameters.length}`,
      lambda.span,
    );
  }
  const columns: LogicalColumn[] = types.map((type, i) => ({
    id: context.binder.newId(),
    name: lambda.parameters[i]?.name ?? '',
    type,
  }));
  const named = columns.slice(0, lambda.parameters.length);
  const scope = { ...context.scope, lambdas: [...named, ...context.scope.lambdas] };
  const body = bindExpression(lambda.body, { ...context, scope });
  return { kind: 'lambda', parameters: columns.map((column) => column.id), body, type: body.type, span: lambda.span };
}

/** The accumulator has the common type of the start (or the elements) and the body. */
function bindReduce(
  node: FunctionCall,
  value: BoundExpr,
  element: DataType,
  lambda: Lambda,
  start: BoundExpr | null,
  context: ExpressionContext,
): BoundExpr {
  const first = start?.type ?? element;
  const probe = bindLambda(lambda, [first, element, INT64], context);
  const type = supertype(first, probe.type);
  if (type === null)
    throw userError(
      'type',
      `the lambda gives ${typeName(probe.type)} where the accumulator is ${typeName(first)}`,
      lambda.span,
    );
  const bound = bindLambda(lambda, [type, element, INT64], context);
  const body = { ...bound, body: castTo(bound.body, type), type };
  const elements = start === null ? castTo(value, list(type)) : value;
  const args = start === null ? [elements, body] : [elements, body, castTo(start, type)];
  return { kind: 'call', fn: 'list_reduce', args, type, fallible: true, span: node.span };
}
