import { userError } from '../../common/error.ts';
import type { Expression, FunctionCall, GroupBy } from '../../sql/ast.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { exprKey, mapChildren } from '../logical/expression.ts';
import type { ComputedColumn, LogicalColumn } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { functionName, isAggregate, isGrouping } from './call.ts';
import { bindExpression } from './expression.ts';
import type { ExpressionContext } from './expression_context.ts';
import type { GroupKeys } from './grouping_sets.ts';
import { groupingSets } from './grouping_sets.ts';
import type { OutputItem } from './star.ts';
import { visitTree } from './walk.ts';

/** Keys of GROUP BY, equal ones once, and the sets of them. */
export function bindGroupBy(groupBy: GroupBy, items: readonly OutputItem[], context: ExpressionContext): GroupKeys {
  const keys = new Map<string, { readonly column: ComputedColumn; readonly position: number }>();
  const positionOf = (expression: Expression): number => {
    const expr = bindExpression(expression, context);
    const key = exprKey(expr);
    const name = expr.kind === 'column' ? expr.name : 'key';
    const known = keys.get(key);
    if (known !== undefined) return known.position;
    const column = { id: context.binder.newId(), name, type: expr.type, expr };
    keys.set(key, { column, position: keys.size });
    return keys.size - 1;
  };
  const sets = expressionSets(groupBy, items).map((expressions) => [...new Set(expressions.map(positionOf))]);
  return { keys: [...keys.values()].map(({ column }) => column), sets };
}

function expressionSets(groupBy: GroupBy, items: readonly OutputItem[]): readonly (readonly Expression[])[] {
  if (groupBy.all) {
    return [items.filter((item) => !hasAggregate(item.expression)).map((item) => item.expression)];
  }
  return groupingSets(groupBy.items, groupBy.span).map((groups) =>
    groups.flatMap((group) => group.expressions.map((expression) => outputOrSelf(expression, items))),
  );
}

/** `GROUP BY 2` is the second output. */
function outputOrSelf(expression: Expression, items: readonly OutputItem[]): Expression {
  if (expression.kind !== 'integer_literal') return expression;
  const item = items[Number(expression.text) - 1];
  if (item === undefined) {
    throw userError(
      'binder',
      `GROUP BY ${expression.text}: the SELECT list has ${items.length} columns`,
      expression.span,
    );
  }
  return item.expression;
}

/** An aggregate call outside of subqueries. */
export function hasAggregate(expression: Expression): boolean {
  let found = false;
  visitTree(expression, (node) => {
    if (node.kind === 'query' || found) return false;
    if (node.kind !== 'function_call') return undefined;
    const call = node as FunctionCall;
    const name = functionName(call);
    if (call.over === null && (isAggregate(name) || isGrouping(name))) found = true;
    return undefined;
  });
  return found;
}

/** Rewrites expressions of the rows below a group-by into expressions of its output. */
export class GroupedRows {
  readonly #keys: ReadonlyMap<string, LogicalColumn>;
  readonly #rows: ReadonlySet<ColumnId>;
  readonly #kinds: ReadonlySet<string>;

  /** `rows`: columns of the rows below, which only keys and aggregates read */
  constructor(keys: readonly ComputedColumn[], rows: readonly LogicalColumn[]) {
    this.#keys = new Map(keys.map((key) => [exprKey(key.expr), key]));
    this.#kinds = new Set(keys.map((key) => key.expr.kind));
    this.#rows = new Set(rows.map((column) => column.id));
  }

  rewrite(expr: BoundExpr, bound: ReadonlySet<ColumnId> = new Set()): BoundExpr {
    if (this.#kinds.has(expr.kind)) {
      const key = this.#keys.get(exprKey(expr));
      if (key !== undefined) return columnRef(key, expr.span);
    }
    if (expr.kind === 'column') {
      if (!this.#rows.has(expr.column) || bound.has(expr.column)) return expr;
      throw userError(
        'binder',
        `column "${expr.name}" must stand in GROUP BY or inside an aggregate`,
        expr.span,
        `add it to GROUP BY, or use any_value(${expr.name}) if any value of a group will do`,
      );
    }
    const inner = expr.kind === 'lambda' ? new Set([...bound, ...expr.parameters]) : bound;
    return mapChildren(expr, (child) => this.rewrite(child, inner));
  }
}
