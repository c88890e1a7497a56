import { BOOL } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { Exists, Expression, InSubquery, QuantifiedComparison, Query, ScalarSubquery } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import type { JoinKey, LogicalColumn } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { buildCall } from './call.ts';
import { caseOf } from './conditional.ts';
import type { Decorrelated } from './decorrelate.ts';
import { decorrelate } from './decorrelate.ts';
import { bindExpression, negate } from './expression.ts';
import type { ExpressionContext, SubqueryCollector } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import { bindQuery } from './query.ts';

/** A query inside an expression, its references to the rows around it as conditions. */
interface Inner extends Decorrelated {
  readonly columns: readonly LogicalColumn[];
  readonly subqueries: SubqueryCollector;
}

function bindInner(query: Query, context: ExpressionContext, span: SourceSpan): Inner {
  const { subqueries, binder, commonTables, outer, scope } = context;
  if (subqueries === undefined) throw unsupported('a subquery at this place', span, 'join it in FROM');
  if (scope.lambdas.length > 0) throw unsupported('a subquery inside a lambda', span, 'join it in FROM');
  const relation = bindQuery(query, { binder, commonTables, outer: { scope, next: outer } });
  const inner = decorrelate(relation.node, binder);
  if (inner === null) {
    throw unsupported(
      'a correlated subquery of this form',
      span,
      'join it in FROM: conditions on the outer row stand in its WHERE',
    );
  }
  return { ...inner, columns: relation.columns, subqueries };
}

/** Rows that are there or not: an aggregate over no rows, which always gives one, is none of them. */
function bindRows(query: Query, context: ExpressionContext, span: SourceSpan): Inner {
  const inner = bindInner(query, context, span);
  if (inner.present !== null)
    throw unsupported('EXISTS or IN over a correlated aggregate', span, 'compare with a scalar subquery');
  return inner;
}

/** Whether there is a row. */
export function bindExists(node: Exists, context: ExpressionContext): BoundExpr {
  const inner = bindRows(node.query, context, node.span);
  const mark = newMark(context);
  inner.subqueries.add({
    kind: 'join',
    type: 'mark',
    right: inner.node,
    keys: [],
    residual: inner.conditions,
    mark,
    nullAware: false,
    span: node.span,
  });
  return columnRef(mark, node.span);
}

export function bindInSubquery(node: InSubquery, context: ExpressionContext): BoundExpr {
  const found = membership(node.operand, node.query, context, node.span);
  return node.negated ? negate(found, node.span) : found;
}

/** `= ANY` is IN, `<> ALL` is NOT IN. */
export function bindQuantified(node: QuantifiedComparison, context: ExpressionContext): BoundExpr {
  if (node.quantifier === 'any' && node.operator === '=') {
    return membership(node.operand, node.query, context, node.span);
  }
  if (node.quantifier === 'all' && node.operator === '<>') {
    return negate(membership(node.operand, node.query, context, node.span), node.span);
  }
  throw unsupported(
    `${node.operator} ${node.quantifier.toUpperCase()}`,
    node.span,
    'compare with min or max of the subquery',
  );
}

function membership(operand: Expression, query: Query, context: ExpressionContext, span: SourceSpan): BoundExpr {
  const inner = bindRows(query, context, span);
  const operands = operand.kind === 'row' && inner.columns.length > 1 ? operand.elements : [operand];
  if (operands.length !== inner.columns.length) {
    throw userError('binder', `IN compares ${operands.length} values with ${inner.columns.length} columns`, span);
  }
  const keys = operands.map((element, i): JoinKey => {
    const column = columnRef(inner.columns[i] as LogicalColumn, span);
    const condition = buildCall('=', [bindExpression(element, context), column], span);
    if (condition.kind !== 'call') throw unsupported('IN of this operand', element.span);
    const [left, right] = condition.args as readonly [BoundExpr, BoundExpr];
    return { left, right, nullSafe: false, condition };
  });
  const mark = newMark(context);
  inner.subqueries.add({
    kind: 'join',
    type: 'mark',
    right: inner.node,
    keys,
    residual: inner.conditions,
    mark,
    nullAware: true,
    span,
  });
  return columnRef(mark, span);
}

const newMark = (context: ExpressionContext): LogicalColumn => ({
  id: context.binder.newId(),
  name: 'mark',
  type: BOOL,
});

/** The one value of a query; NULL when it has no row. */
export function bindScalarSubquery(node: ScalarSubquery, context: ExpressionContext): BoundExpr {
  const inner = bindInner(node.query, context, node.span);
  const [column, extra] = inner.columns;
  if (column === undefined || extra !== undefined) {
    throw userError('binder', `a scalar subquery gives one column, not ${inner.columns.length}`, node.span);
  }
  inner.subqueries.add({
    kind: 'join',
    // an aggregate has one row for each value that its conditions ask for
    type: inner.present === null ? 'single' : 'left',
    right: inner.node,
    keys: [],
    residual: inner.conditions,
    mark: null,
    nullAware: false,
    span: node.span,
  });
  const value = columnRef(column, node.span);
  const empty = inner.empty.get(column.id);
  // An aggregate over no rows has a value too: count is 0.
  if (inner.present === null || empty === undefined || isNull(empty)) return value;
  const isThere = buildCall('is_not_null', [columnRef(inner.present, node.span)], node.span);
  return caseOf([isThere], [value], empty, node.span);
}

function isNull(expr: BoundExpr): boolean {
  const folded = foldConstant(expr);
  return folded.kind === 'literal' && folded.value === null;
}
