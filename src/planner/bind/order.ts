import { INT64 } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { Expression, SortItem } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import type { LogicalNode } from '../logical/node.ts';
import { bindSortItem, noCalls } from './calls.ts';
import { castTo } from './cast.ts';
import { bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import type { QueryContext } from './relation.ts';
import { EMPTY_SCOPE } from './scope.ts';

/** A sort key before projection: an output column by its place, or any expression. */
export interface OrderKey {
  readonly target: { readonly output: number } | { readonly expr: BoundExpr };
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Names that ORDER BY may use bare: outputs by AS name (or any output name where there is nothing else). */
export function bindOrderBy(
  items: readonly SortItem[],
  outputs: readonly { readonly name: string; readonly alias: boolean }[],
  context: ExpressionContext,
): OrderKey[] {
  return items.flatMap((item): OrderKey[] => {
    const { descending, nullsFirst } = bindSortItem(item, PLACEHOLDER, context.binder);
    const at = (target: OrderKey['target']): OrderKey => ({ target, descending, nullsFirst });
    const { expression } = item;
    if (expression.kind === 'star') return outputs.map((_, output) => at({ output }));
    const output = outputIndex(expression, outputs);
    if (output !== null) return [at({ output })];
    if (expression.kind === 'string_literal' || expression.kind === 'decimal_literal') {
      throw userError('binder', 'ORDER BY a constant has no effect', expression.span, 'names stand in double quotes');
    }
    return [at({ expr: bindExpression(expression, context) })];
  });
}

const PLACEHOLDER: BoundExpr = { kind: 'literal', value: null, type: { kind: 'null' }, span: { start: 0, end: 0 } };

function outputIndex(
  expression: Expression,
  outputs: readonly { readonly name: string; readonly alias: boolean }[],
): number | null {
  if (expression.kind === 'integer_literal') {
    const index = Number(expression.text) - 1;
    if (index >= 0 && index < outputs.length) return index;
    throw userError(
      'binder',
      `ORDER BY ${expression.text}: the SELECT list has ${outputs.length} columns`,
      expression.span,
    );
  }
  const [name, more] = expression.kind === 'column_ref' ? expression.parts : [];
  if (name === undefined || more !== undefined) return null;
  const index = outputs.findIndex((output) => output.alias && output.name.toLowerCase() === name.name.toLowerCase());
  return index < 0 ? null : index;
}

/** LIMIT and OFFSET on top of a node. */
export function bindLimit(
  node: LogicalNode,
  limit: Expression | null,
  offset: Expression | null,
  context: QueryContext,
): LogicalNode {
  const count = limit === null ? null : rowCount(limit, 'LIMIT', context);
  const skipped = offset === null ? 0 : (rowCount(offset, 'OFFSET', context) ?? 0);
  return count === null && skipped === 0 ? node : { kind: 'limit', input: node, limit: count, offset: skipped };
}

/** A constant number of rows; NULL = all. */
function rowCount(expression: Expression, clause: string, context: QueryContext): number | null {
  const bound = bindExpression(expression, {
    ...context,
    scope: EMPTY_SCOPE,
    aliases: [],
    calls: noCalls(clause),
  });
  const value = foldConstant(castTo(foldConstant(bound), INT64));
  if (value.kind !== 'literal') throw unsupported(`${clause} that is not a whole number`, expression.span);
  if (value.value === null) return null;
  const count = Number(value.value as bigint);
  if (count < 0) throw userError('binder', `${clause} is not negative: ${count}`, expression.span);
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
