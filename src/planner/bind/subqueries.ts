import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import type { LogicalColumn, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf } from '../logical/node.ts';
import type { SubqueryCollector, SubqueryJoin } from './expression_context.ts';

/** The subqueries of one place: joins between its rows and what reads them. */
export class Subqueries implements SubqueryCollector {
  #joins: SubqueryJoin[] = [];

  add(join: SubqueryJoin): void {
    this.#joins.push(join);
  }

  /** Columns that stand for the subqueries. */
  columns(): readonly LogicalColumn[] {
    return this.#joins.flatMap(shownColumns);
  }

  /** Changes what conditions read of the place's rows; `bound` are columns of the subquery. */
  rewrite(change: (expr: BoundExpr, bound: ReadonlySet<ColumnId>) => BoundExpr): void {
    this.#joins = this.#joins.map((join) => {
      const bound = new Set(outputOf(join.right).map((column) => column.id));
      const changed = (expr: BoundExpr): BoundExpr => change(expr, bound);
      return {
        ...join,
        keys: join.keys.map((key) => ({ ...key, left: changed(key.left), condition: changed(key.condition) })),
        residual: join.residual.map(changed),
      };
    });
  }

  /** The rows with the columns of the subqueries. */
  attach(rows: LogicalNode): LogicalNode {
    return this.#joins.reduce<LogicalNode>(
      (left, join): LogicalJoin => ({ ...join, left, columns: [...outputOf(left), ...shownColumns(join)] }),
      rows,
    );
  }
}

const shownColumns = (join: SubqueryJoin): readonly LogicalColumn[] =>
  join.mark === null ? outputOf(join.right) : [join.mark];
