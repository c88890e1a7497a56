import { BOOL, list as listOf } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type {
  ArraySubquery,
  Exists,
  Expression,
  InSubquery,
  QuantifiedComparison,
  Query,
  ScalarSubquery,
} from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { boolLiteral, literal, nullLiteral } from '../logical/expression.ts';
import type { AggregateColumn, JoinKey, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { buildCall } from './call.ts';
import { caseOf } from './conditional.ts';
import type { Binder } from './context.ts';
import type { Decorrelated } from './decorrelate.ts';
import { decorrelate } from './decorrelate.ts';
import { bindExpression, negate } from './expression.ts';
import type { ExpressionContext, SubqueryCollector, SubqueryJoin } from './expression_context.ts';
import { foldConstant } from './fold_constant.ts';
import { bindQuery } from './query.ts';

/** A query inside an expression, its references to the rows around it as conditions where it has such a form. */
interface Inner extends Decorrelated {
  readonly columns: readonly LogicalColumn[];
  readonly subqueries: SubqueryCollector;
}

/** A query with its references to the rows around it as they are. */
function bindWhole(query: Query, context: ExpressionContext, span: SourceSpan): Inner {
  const { subqueries, binder, commonTables, outer, scope } = context;
  if (subqueries === undefined) throw unsupported('a subquery at this place', span, 'join it in FROM');
  if (scope.lambdas.length > 0) throw unsupported('a subquery inside a lambda', span, 'join it in FROM');
  const relation = bindQuery(query, { binder, commonTables, outer: { scope, next: outer } });
  return { ...whole(relation.node), columns: relation.columns, subqueries };
}

function decorrelated(inner: Inner, binder: Binder): Inner {
  return { ...inner, ...(decorrelate(inner.node, binder) ?? whole(inner.node)) };
}

const whole = (node: LogicalNode): Decorrelated => ({ node, conditions: [], empty: new Map(), present: null });

/** Rows that are there or not: an aggregate over no rows, which always gives one, is left to the place. */
function bindRows(query: Query, context: ExpressionContext, span: SourceSpan): Inner {
  const inner = bindWhole(query, context, span);
  const simple = decorrelated(inner, context.binder);
  return simple.present === null ? simple : inner;
}

/** Whether there is a row. */
export function bindExists(node: Exists, context: ExpressionContext): BoundExpr {
  const inner = bindRows(node.query, context, node.span);
  return addMark(inner, { keys: [], residual: inner.conditions, nullAware: false, span: node.span }, context);
}

export function bindInSubquery(node: InSubquery, context: ExpressionContext): BoundExpr {
  const found = membership(node.operand, node.query, context, node.span);
  return node.negated ? negate(found, node.span) : found;
}

/** `= ANY` is IN, `<> ALL` is NOT IN; x < ALL (…) is not x >= ANY (…), and so for the others. */
export function bindQuantified(node: QuantifiedComparison, context: ExpressionContext): BoundExpr {
  const { operator, quantifier, span } = node;
  if (quantifier === 'any' && operator === '=') return membership(node.operand, node.query, context, span);
  if (quantifier === 'all' && operator === '<>')
    return negate(membership(node.operand, node.query, context, span), span);
  const operand = bindExpression(node.operand, context);
  const pairs = (open: boolean): BoundExpr => {
    const inner = bindRows(node.query, context, span);
    const compared = buildCall(operator, [operand, columnRef(onlyColumn(inner, span), span)], span);
    const wanted = quantifier === 'any' ? compared : negate(compared, span);
    const pair = open ? buildCall('is_null', [wanted], span) : wanted;
    return addMark(inner, { keys: [], residual: [...inner.conditions, pair], nullAware: false, span }, context);
  };
  const found = trueOrOpen(pairs(false), pairs(true), span);
  return quantifier === 'any' ? found : negate(found, span);
}

/** true, else NULL where that is open, else false. */
function trueOrOpen(isTrue: BoundExpr, isOpen: BoundExpr, span: SourceSpan): BoundExpr {
  return caseOf([isTrue, isOpen], [boolLiteral(true, span), nullLiteral(span)], boolLiteral(false, span), span);
}

function onlyColumn(inner: Inner, span: SourceSpan): LogicalColumn {
  const [column, extra] = inner.columns;
  if (column !== undefined && extra === undefined) return column;
  throw userError('binder', `a scalar subquery gives one column, not ${inner.columns.length}`, span);
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
  return addMark(inner, { keys, residual: inner.conditions, nullAware: true, span }, context);
}

type Pairs = Pick<SubqueryJoin, 'keys' | 'residual' | 'nullAware' | 'span'>;

/** The column that says whether a row has a pair. */
function addMark(inner: Inner, pairs: Pairs, context: ExpressionContext): BoundExpr {
  const mark: LogicalColumn = { id: context.binder.newId(), name: 'mark', type: BOOL };
  inner.subqueries.add({ kind: 'join', type: 'mark', right: inner.node, mark, ...pairs });
  return columnRef(mark, pairs.span);
}

/** The one value of a query; NULL when it has no row. */
export function bindScalarSubquery(node: ScalarSubquery, context: ExpressionContext): BoundExpr {
  return scalarOf(bindWhole(node.query, context, node.span), context, node.span);
}

/** ARRAY(SELECT …): its rows as a list, in their order. */
export function bindArraySubquery(node: ArraySubquery, context: ExpressionContext): BoundExpr {
  const { span } = node;
  const inner = bindWhole(node.query, context, span);
  const column = onlyColumn(inner, span);
  const type = listOf(column.type);
  const call = { fn: 'list', args: [columnRef(column, span)], distinct: false, filter: null, order: [], span };
  const rows: AggregateColumn = { id: context.binder.newId(), name: 'array', type, call };
  const grouped: LogicalNode = { kind: 'aggregate', input: inner.node, keys: [], aggregates: [rows] };
  const value = scalarOf({ ...inner, ...whole(grouped), columns: [rows] }, context, span);
  return { kind: 'coalesce', args: [value, literal([], type, span)], type, span };
}

function scalarOf(bound: Inner, context: ExpressionContext, span: SourceSpan): BoundExpr {
  const column = onlyColumn(bound, span);
  const inner = decorrelated(bound, context.binder);
  inner.subqueries.add({
    kind: 'join',
    // an aggregate has one row for each value that its conditions ask for
    type: inner.present === null ? 'single' : 'left',
    right: inner.node,
    keys: [],
    residual: inner.conditions,
    mark: null,
    nullAware: false,
    span,
  });
  const value = columnRef(column, span);
  const empty = inner.empty.get(column.id);
  // An aggregate over no rows has a value too: count is 0.
  if (inner.present === null || empty === undefined || isNull(empty)) return value;
  const isThere = buildCall('is_not_null', [columnRef(inner.present, span)], span);
  return caseOf([isThere], [value], empty, span);
}

function isNull(expr: BoundExpr): boolean {
  const folded = foldConstant(expr);
  return folded.kind === 'literal' && folded.value === null;
}
