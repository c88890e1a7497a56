import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { collectColumns, columnsOf, conjuncts } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalColumn, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { outputOf, rewriteUp } from '../logical/node.ts';
import { mapExpressions } from '../optimize/map_expressions.ts';
import type { Binder } from './context.ts';
import { unnestDependent } from './dependent_join.ts';
import type { SubqueryCollector, SubqueryJoin } from './expression_context.ts';
import { freeColumns, givenColumns } from './free_columns.ts';

/** The subqueries of one place: joins between its rows and what reads them. */
export class Subqueries implements SubqueryCollector {
  readonly #binder: Binder;
  #joins: SubqueryJoin[] = [];

  constructor(binder: Binder) {
    this.#binder = binder;
  }

  add(join: SubqueryJoin): void {
    this.#joins.push(join);
  }

  get isEmpty(): boolean {
    return this.#joins.length === 0;
  }

  /** Columns that stand for the subqueries. */
  columns(): readonly LogicalColumn[] {
    return this.#joins.flatMap(shownColumns);
  }

  /** Changes what conditions and queries read of the place's rows; `bound` are columns of the subquery. */
  rewrite(change: (expr: BoundExpr, bound: ReadonlySet<ColumnId>) => BoundExpr): void {
    this.#joins = this.#joins.map((join) => {
      const bound = givenColumns(join.right);
      const changed = (expr: BoundExpr): BoundExpr => change(expr, bound);
      return {
        ...join,
        right: freeColumns(join.right).size === 0 ? join.right : changedInside(join.right, changed),
        keys: join.keys.map((key) => ({ ...key, left: changed(key.left), condition: changed(key.condition) })),
        residual: join.residual.map(changed),
      };
    });
  }

  /** Those whose references to the rows around `fits` become a place of their own. */
  take(fits: (read: ReadonlySet<ColumnId>) => boolean): Subqueries {
    const taken = new Subqueries(this.#binder);
    const kept: SubqueryJoin[] = [];
    for (const join of this.#joins) {
      if (fits(outerColumns(join))) taken.add(join);
      else kept.push(join);
    }
    this.#joins = kept;
    return taken;
  }

  /** The rows with the columns of the subqueries. */
  attach(rows: LogicalNode): LogicalNode {
    return this.#joins.reduce<LogicalNode>((place, join): LogicalJoin => {
      const { left, right, conditions } = unnestDependent(place, join.right, this.#binder);
      const residual = [...join.residual, ...conditions];
      return { ...join, left, right, residual, columns: [...outputOf(left), ...shownColumns(join)] };
    }, rows);
  }

  /**
   * Rows that fulfil a condition over them and the subqueries. Parts that read no subquery come first where no error
   * moves by that: the subqueries are made for fewer rows then.
   */
  filter(rows: LogicalNode, condition: BoundExpr): LogicalNode {
    const added = new Set(this.columns().map((column) => column.id));
    const [below, above]: [BoundExpr[], BoundExpr[]] = [[], []];
    for (const conjunct of conjuncts(condition)) {
      const reads = [...columnsOf(conjunct)].some((id) => added.has(id));
      if (reads || (above.length > 0 && isFallible(conjunct))) above.push(conjunct);
      else below.push(conjunct);
    }
    return filtered(this.attach(filtered(rows, below)), above);
  }
}

function filtered(input: LogicalNode, predicate: readonly BoundExpr[]): LogicalNode {
  return predicate.length === 0 ? input : { kind: 'filter', input, predicate };
}

function changedInside(root: LogicalNode, change: (expr: BoundExpr) => BoundExpr): LogicalNode {
  return rewriteUp(root, (node) => {
    const changed = mapExpressions(node, change);
    return changed.kind === 'shared' ? { ...changed, body: changedInside(changed.body, change) } : changed;
  });
}

/** What a subquery reads of the rows around it. */
function outerColumns(join: SubqueryJoin): ReadonlySet<ColumnId> {
  const read = new Set(freeColumns(join.right));
  const own = new Set(outputOf(join.right).map((column) => column.id));
  for (const expr of [...join.keys.map((key) => key.condition), ...join.residual]) collectColumns(expr, read);
  return new Set([...read].filter((id) => !own.has(id)));
}

const shownColumns = (join: SubqueryJoin): readonly LogicalColumn[] =>
  join.mark === null ? outputOf(join.right) : [join.mark];
