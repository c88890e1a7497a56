import { STRING, TIMESTAMPTZ } from '../../common/data_type.ts';
import { isArray } from '../../common/literal.ts';
import type { FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import { bindArguments, buildCall, functionName } from './call.ts';
import { castTo } from './cast.ts';
import { bindCoalesce } from './conditional.ts';
import type { ExpressionContext } from './expression_context.ts';

/** strptime(text, format), or the first of a constant list of formats that fits. With %z it is an instant. */
export function timestampOfText(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const name = functionName(node);
  const [text, format, ...rest] = bindArguments(node, context);
  if (text === undefined || format?.kind !== 'literal' || rest.length > 0) {
    return buildCall(
      name,
      [text, format, ...rest].filter((arg) => arg !== undefined),
      node.span,
    );
  }
  const several = format.value !== null && isArray(format.value);
  const formats = several ? format.value : [format.value];
  const calls = formats.map((value, i) => {
    const last = i === formats.length - 1;
    const call = buildCall(last ? name : 'try_strptime', [text, literal(value, STRING, format.span)], node.span);
    return typeof value === 'string' && /%z/.test(value.replaceAll('%%', '')) ? castTo(call, TIMESTAMPTZ) : call;
  });
  return calls.length === 0 ? buildCall(name, [text, format], node.span) : bindCoalesce(calls, node.span);
}
