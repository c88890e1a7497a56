import { STRING } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import { isArray } from '../../common/literal.ts';
import type { FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal, nullLiteral } from '../logical/expression.ts';
import { bindArguments, buildCall, functionName } from './call.ts';
import { caseOf } from './conditional.ts';
import { structValue } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';

/** date_part('year', d), or date_part(['year', 'month'], d): a struct of the parts, NULL where d is. */
export function datePart(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const args = bindArguments(node, context);
  const [parts, value, extra] = args;
  if (parts?.type.kind !== 'list' || value === undefined || extra !== undefined)
    return buildCall(functionName(node), args, node.span);
  const fields = partNames(parts).map((name) => ({
    name,
    value: buildCall('date_part', [{ ...literal(name, STRING, parts.span), adaptable: true }, value], node.span),
  }));
  const known = buildCall('is_not_null', [value], node.span);
  return caseOf([known], [structValue(fields, node.span)], nullLiteral(node.span), node.span);
}

function partNames(parts: BoundExpr): string[] {
  const constant = foldConstant(parts);
  const names = constant.kind === 'literal' && constant.value !== null && isArray(constant.value) ? constant.value : [];
  const texts = names.filter((name) => typeof name === 'string');
  if (texts.length === 0 || texts.length < names.length)
    throw userError('binder', 'date_part takes a constant list of parts', parts.span, "e.g. ['year', 'month']");
  return texts;
}
