import type { SourceSpan } from '../../common/source_span.ts';
import type { Expression, FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import type { LogicalJoin } from '../logical/node.ts';
import type { Binder, CommonTables } from './context.ts';
import type { OuterScope, Scope } from './scope.ts';

/** A name that the query gives to an expression of its SELECT list. */
export interface SelectAlias {
  readonly name: string;
  readonly expression: Expression;
}

/** What aggregate calls, GROUPING and unnest turn into: columns of nodes below. */
export interface CallCollector {
  /** binds the call; throws where such a call is not allowed */
  readonly aggregate: (call: FunctionCall, context: ExpressionContext) => BoundExpr;
  readonly grouping: (call: FunctionCall, context: ExpressionContext) => BoundExpr;
  readonly unnest: (call: FunctionCall, context: ExpressionContext) => BoundExpr;
}

/** A subquery as a join that the rows of its place need; its condition reads both sides. */
export type SubqueryJoin = Omit<LogicalJoin, 'left' | 'columns'>;

/** Gathers the joins of the subqueries of one place. */
export interface SubqueryCollector {
  add(join: SubqueryJoin): void;
}

/** Where an expression stands: what its names and calls may mean. */
export interface ExpressionContext {
  readonly binder: Binder;
  readonly scope: Scope;
  /** visible after the columns of the scope */
  readonly aliases: readonly SelectAlias[];
  /** HAVING: a bare name is an alias before it is a column */
  readonly aliasesFirst?: boolean;
  readonly calls: CallCollector;
  readonly commonTables: CommonTables | null;
  readonly outer?: OuterScope | undefined;
  /** gathers subqueries; absent where none may stand */
  readonly subqueries?: SubqueryCollector | undefined;
}

/** Nothing above rows: WHERE, GROUP BY, arguments of table functions. `clause` names the place in messages. */
export interface PlaceName {
  readonly clause: string;
  readonly span: SourceSpan;
}
