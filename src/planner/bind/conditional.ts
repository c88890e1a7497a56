import type { DataType } from '../../common/data_type.ts';
import { typeName } from '../../common/data_type.ts';
import type { QuernError } from '../../common/error.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { commonType } from '../../functions/supertype.ts';
import type { Case } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { nullLiteral } from '../logical/expression.ts';
import { buildCall } from './call.ts';
import { argumentOf, castTo } from './cast.ts';
import { asCondition, bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';

/** All cast to their common type; null when there is none. */
export function unify(exprs: readonly BoundExpr[]): readonly BoundExpr[] | null {
  const type = commonType(exprs.map(argumentOf));
  return type === null ? null : exprs.map((expr) => castTo(expr, type));
}

/** Error of values that an explicit cast must bring together. */
function noCommonType(exprs: readonly BoundExpr[], place: string, span: SourceSpan): QuernError {
  const names = [...new Set(exprs.map((expr) => typeName(expr.type)))].join(', ');
  return userError('type', `${place} mixes types that need an explicit cast: ${names}`, span);
}

/** CASE; with an operand each branch compares it. */
export function bindCase(node: Case, context: ExpressionContext): BoundExpr {
  const operand = node.operand === null ? null : bindExpression(node.operand, context);
  const conditions = node.branches.map((branch) => {
    const condition = bindExpression(branch.condition, context);
    return operand === null ? asCondition(condition) : buildCall('=', [operand, condition], branch.condition.span);
  });
  const results = node.branches.map((branch) => bindExpression(branch.result, context));
  const otherwise = node.otherwise === null ? nullLiteral(node.span) : bindExpression(node.otherwise, context);
  return caseOf(conditions, results, otherwise, node.span);
}

/** CASE of bound parts. */
export function caseOf(
  conditions: readonly BoundExpr[],
  results: readonly BoundExpr[],
  otherwise: BoundExpr,
  span: SourceSpan,
): BoundExpr {
  const all = [...results, otherwise];
  const unified = unify(all);
  if (unified === null) throw noCommonType(all, 'CASE', span);
  const last = unified[unified.length - 1] as BoundExpr;
  return {
    kind: 'case',
    branches: conditions.map((condition, i) => ({ condition, result: unified[i] as BoundExpr })),
    otherwise: last,
    type: last.type,
    span,
  };
}

/** First value that is not NULL. */
export function bindCoalesce(args: readonly BoundExpr[], span: SourceSpan): BoundExpr {
  const unified = unify(args);
  if (unified === null) throw noCommonType(args, 'coalesce', span);
  const [first] = unified;
  if (first === undefined) throw userError('binder', 'coalesce takes one argument or more', span);
  const type: DataType = first.type;
  return unified.length === 1 ? first : { kind: 'coalesce', args: unified, type, span };
}
