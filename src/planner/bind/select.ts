import { unsupported, userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { Query, Select } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { conjuncts, exprKey, mapChildren } from '../logical/expression.ts';
import type { AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode, LogicalSortKey } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import { noCalls, SelectCalls } from './calls.ts';
import { bindCondition, bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import { bindFrom } from './from.ts';
import { bindGroupBy, GroupedRows } from './group.ts';
import type { GroupKeys } from './grouping_sets.ts';
import { groupRows } from './grouping_sets.ts';
import type { OrderKey } from './order.ts';
import { bindLimit, bindOrderBy } from './order.ts';
import type { QueryContext, Relation } from './relation.ts';
import { distinctRows, narrowed } from './relation.ts';
import type { OutputItem } from './star.ts';
import { expandItems } from './star.ts';
import { Subqueries } from './subqueries.ts';
import { expandUnnestedStructs } from './unnest.ts';

/** ORDER BY, LIMIT and OFFSET of the query around a SELECT. */
export type Modifiers = Pick<Query, 'orderBy' | 'limit' | 'offset'>;

/** One SELECT with the ORDER BY and LIMIT of its query. */
export function bindSelect(select: Select, modifiers: Modifiers, context: QueryContext): Relation {
  refuseWindows(select);
  const { binder } = context;
  const from = bindFrom(select.from, context);
  const base = { ...context, scope: from.scope };
  const items = expandUnnestedStructs(expandItems(select.items, from.scope), (before) => typesOnly(base, before));
  const aliases = items.filter((item) => item.alias);
  const rows: ExpressionContext = { ...base, aliases, calls: noCalls('WHERE') };
  let { node } = from;
  if (select.where !== null) {
    const subqueries = new Subqueries(binder);
    node = subqueries.filter(node, bindCondition(select.where, { ...rows, subqueries }));
  }
  const below = new Subqueries(binder);
  const above = new Subqueries(binder);
  const keys =
    select.groupBy === null
      ? null
      : bindGroupBy(select.groupBy, items, { ...rows, calls: noCalls('GROUP BY'), subqueries: below });
  const calls = new SelectCalls(binder, below);
  const outside: ExpressionContext = { ...rows, calls, subqueries: above };
  const outputs = bindOutputs(items, outside);
  const having = select.having === null ? null : bindCondition(select.having, { ...outside, aliasesFirst: true });
  const on = (select.distinct?.on ?? []).map((expression) => bindDistinctOn(expression, items, outputs, outside));
  const order = bindOrderBy(modifiers.orderBy, items, outside);

  let parts: Parts = { outputs, order, having, on };
  let { unnests } = calls as { unnests: readonly ComputedColumn[] };
  if (keys !== null || calls.aggregates.length > 0 || calls.groupings.length > 0 || having !== null) {
    const { aggregates, groupings } = calls;
    const grouped = new GroupedRows(keys?.keys ?? [], outputOf(from.node));
    parts = mapParts(parts, (expr) => grouped.rewrite(expr));
    unnests = unnests.map((column) => ({ ...column, expr: grouped.rewrite(column.expr) }));
    above.rewrite((expr, bound) => grouped.rewrite(expr, bound));
    node = groupRows({ binder, input: below.attach(node), keys: keys ?? NO_KEYS, aggregates, groupings });
  }
  node = above.attach(node);
  if (parts.having !== null) node = { kind: 'filter', input: node, predicate: conjuncts(parts.having) };
  if (unnests.length > 0) {
    node = { kind: 'unnest', input: node, keep: outputOf(node), lists: unnests, ordinality: null, outer: false };
  }
  const visible = items.map((item, i): ComputedColumn => {
    const expr = parts.outputs[i] as BoundExpr;
    return { id: binder.newId(), name: outputName(item, outputs[i] as BoundExpr), type: expr.type, expr };
  });
  return finish({ node, visible, parts, select, modifiers, context });
}

/** Where expressions are bound to see their types. */
function typesOnly(context: QueryContext & Pick<ExpressionContext, 'scope'>, before: readonly OutputItem[]) {
  const subqueries = new Subqueries(context.binder);
  const calls = new SelectCalls(context.binder, subqueries);
  return { ...context, aliases: before.filter((item) => item.alias), calls, subqueries };
}

/** A column keeps the case of its own name, however the text writes it. */
function outputName(item: OutputItem, expr: BoundExpr): string {
  if (item.alias || item.expression.kind !== 'column_ref' || expr.kind !== 'column') return item.name;
  return expr.name.toLowerCase() === item.name.toLowerCase() ? expr.name : item.name;
}

/** Expressions of a SELECT above its rows or groups. */
interface Parts {
  readonly outputs: readonly BoundExpr[];
  readonly order: readonly OrderKey[];
  readonly having: BoundExpr | null;
  readonly on: readonly BoundExpr[];
}

function mapParts(parts: Parts, change: (expr: BoundExpr) => BoundExpr): Parts {
  return {
    outputs: parts.outputs.map(change),
    order: parts.order.map((key) =>
      'expr' in key.target ? { ...key, target: { expr: change(key.target.expr) } } : key,
    ),
    having: parts.having === null ? null : change(parts.having),
    on: parts.on.map(change),
  };
}

function refuseWindows(select: Select): void {
  if (select.qualify !== null) throw unsupported('QUALIFY', select.qualify.span);
  const [window] = select.windows;
  if (window !== undefined) throw unsupported('WINDOW', window.span);
}

/** An item sees the names of the items before it. */
function bindOutputs(items: readonly OutputItem[], context: ExpressionContext): BoundExpr[] {
  return items.map((item, i) =>
    bindExpression(item.expression, { ...context, aliases: items.slice(0, i).filter((other) => other.alias) }),
  );
}

/** DISTINCT ON (x): an output by number or name, or an expression. */
function bindDistinctOn(
  expression: Parameters<typeof bindExpression>[0],
  items: readonly OutputItem[],
  outputs: readonly BoundExpr[],
  context: ExpressionContext,
): BoundExpr {
  if (expression.kind !== 'integer_literal') return bindExpression(expression, context);
  const output = outputs[Number(expression.text) - 1];
  if (output === undefined) {
    throw userError(
      'binder',
      `DISTINCT ON ${expression.text}: the SELECT list has ${items.length} columns`,
      expression.span,
    );
  }
  return output;
}

/** One group of all rows. */
const NO_KEYS: GroupKeys = { keys: [], sets: [[]] };

interface Finish {
  readonly node: LogicalNode;
  readonly visible: readonly ComputedColumn[];
  readonly parts: Parts;
  readonly select: Select;
  readonly modifiers: Modifiers;
  readonly context: QueryContext;
}

/** Projection, DISTINCT, ORDER BY and LIMIT, in this order. */
function finish(state: Finish): Relation {
  const { select, modifiers, context, parts } = state;
  const { span } = select;
  const relation =
    select.distinct === null ? orderedProject(state) : parts.on.length > 0 ? distinctOn(state) : orderedDistinct(state);
  const narrow = narrowed(context.binder, relation.node, relation.columns, span);
  const limited = bindLimit(relation.node, modifiers.limit, modifiers.offset, context);
  if (limited === relation.node) return narrow;
  return narrowed(context.binder, limited, relation.columns, span);
}

/** Sort keys over the projection; what is not an output becomes a column that only the sort sees. */
function orderedProject({ node, visible, parts, select, context }: Finish): Relation {
  const hidden: ComputedColumn[] = [];
  const keys = sortKeys(parts.order, visible, hidden, context, select.span);
  const project: LogicalNode = { kind: 'project', input: node, columns: [...visible, ...hidden] };
  return { node: sorted(project, keys), columns: visible };
}

function sorted(input: LogicalNode, keys: readonly LogicalSortKey[]): LogicalNode {
  return keys.length === 0 ? input : { kind: 'sort', input, keys };
}

function sortKeys(
  order: readonly OrderKey[],
  visible: readonly ComputedColumn[],
  hidden: ComputedColumn[],
  context: QueryContext,
  span: SourceSpan,
): LogicalSortKey[] {
  return order.map(({ target, descending, nullsFirst }) => {
    const column =
      'output' in target
        ? (visible[target.output] as ComputedColumn)
        : columnFor(target.expr, visible, hidden, context);
    return { expr: columnRef(column, 'output' in target ? span : target.expr.span), descending, nullsFirst };
  });
}

/** A column that has the value of an expression: an output, or a new one. */
function columnFor(
  expr: BoundExpr,
  visible: readonly ComputedColumn[],
  hidden: ComputedColumn[],
  context: QueryContext,
): ComputedColumn {
  const key = exprKey(expr);
  const known = [...visible, ...hidden].find((column) => exprKey(column.expr) === key);
  if (known !== undefined) return known;
  const name = expr.kind === 'column' ? expr.name : 'order';
  const column = { id: context.binder.newId(), name, type: expr.type, expr };
  hidden.push(column);
  return column;
}

/** SELECT DISTINCT sorts its distinct rows, so that keys can only be made of outputs. */
function orderedDistinct({ node, visible, parts, select, context }: Finish): Relation {
  const { binder } = context;
  const project: LogicalNode = { kind: 'project', input: node, columns: visible };
  const relation = distinctRows(binder, { node: project, columns: visible }, select.span);
  const outputs = new Map(visible.map((column, i) => [exprKey(column.expr), relation.columns[i] as LogicalColumn]));
  const keys = parts.order.map(({ target, descending, nullsFirst }): LogicalSortKey => {
    const expr =
      'output' in target
        ? columnRef(relation.columns[target.output] as LogicalColumn, select.span)
        : overOutputs(target.expr, outputs);
    return { expr, descending, nullsFirst };
  });
  return { node: sorted(relation.node, keys), columns: relation.columns };
}

function overOutputs(expr: BoundExpr, outputs: ReadonlyMap<string, LogicalColumn>): BoundExpr {
  const output = outputs.get(exprKey(expr));
  if (output !== undefined) return columnRef(output, expr.span);
  if (expr.kind === 'column') {
    throw userError(
      'binder',
      `ORDER BY of SELECT DISTINCT is made of selected columns: "${expr.name}" is not`,
      expr.span,
      'select it, or use GROUP BY with an aggregate in ORDER BY',
    );
  }
  return mapChildren(expr, (child) => overOutputs(child, outputs));
}

/** The first row of each group by the order: first(x ORDER BY keys) for every output. */
function distinctOn({ node, visible, parts, select, context }: Finish): Relation {
  const { binder } = context;
  const { span } = select;
  const hidden: ComputedColumn[] = [];
  const keys = sortKeys(parts.order, visible, hidden, context, span);
  const on = parts.on.map((expr) => columnFor(expr, visible, hidden, context));
  const project: LogicalNode = { kind: 'project', input: node, columns: [...visible, ...hidden] };
  const groups: ComputedColumn[] = on.map((column) => ({
    ...column,
    id: binder.newId(),
    expr: columnRef(column, span),
  }));
  const first = (column: LogicalColumn): AggregateColumn => ({
    id: binder.newId(),
    name: column.name,
    type: column.type,
    call: { fn: 'first', args: [columnRef(column, span)], distinct: false, filter: null, order: keys, span },
  });
  const outputs = visible.map(first);
  const keyColumns = keys.map((key) =>
    [...visible, ...hidden].find((c) => c.id === (key.expr as { column?: number }).column),
  );
  const sortColumns = keyColumns.map((column) => {
    const at = visible.findIndex((v) => v.id === column?.id);
    return at >= 0 ? (outputs[at] as AggregateColumn) : first(column as ComputedColumn);
  });
  const extra = sortColumns.filter((column) => !outputs.includes(column));
  const aggregate: LogicalNode = {
    kind: 'aggregate',
    input: project,
    keys: groups,
    aggregates: [...outputs, ...extra],
  };
  const resorted = keys.map((key, i) => ({ ...key, expr: columnRef(sortColumns[i] as LogicalColumn, span) }));
  return { node: sorted(aggregate, resorted), columns: outputs };
}
