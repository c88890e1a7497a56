import { sameType } from '../../common/data_type.ts';
import type { Describe, Query, Summarize } from '../../sql/ast.ts';
import type { LogicalPlan } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { castTo } from './cast.ts';
import type { BindInput } from './context.ts';
import { Binder } from './context.ts';
import { partitioned } from './partition.ts';
import { bindQuery } from './query.ts';
import type { Relation } from './relation.ts';
import { bindStatementTable, resultType, textTable } from './statement_table.ts';

export type { BindInput, ParameterValue, Source, Sources } from './context.ts';
export { parameterValue } from './literal.ts';
export type { PartitionBy } from './partition.ts';
export type { CatalogAccess } from './resolve_sources.ts';
export { resolveSources } from './resolve_sources.ts';

/** Names and types of a query resolved: its logical plan as written. */
export function bindStatement(statement: Query | Describe | Summarize, input: BindInput): LogicalPlan {
  const context = { binder: new Binder(input), commonTables: null };
  const relation = statement.kind === 'query' ? bindQuery(statement, context) : bindStatementTable(statement, context);
  const plan = finished(relation, context.binder, statement);
  return input.partitionBy === undefined ? plan : partitioned(plan, input.partitionBy, context.binder);
}

/** A table of constant texts, such as SHOW TABLES. */
export function bindTextTable(
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  input: BindInput,
): LogicalPlan {
  const relation = textTable(names, rows, { start: 0, end: 0 }, { binder: new Binder(input), commonTables: null });
  return { root: relation.node, columns: relation.columns };
}

/** A column of nothing but NULL leaves as INTEGER. */
function finished(relation: Relation, binder: Binder, statement: Query | Describe | Summarize): LogicalPlan {
  const types = relation.columns.map((column) => resultType(column.type));
  if (types.every((type, i) => sameType(type, relation.columns[i]?.type ?? type))) {
    return { root: relation.node, columns: relation.columns };
  }
  const columns = relation.columns.map((column, i) => {
    const type = types[i] ?? column.type;
    return { id: binder.newId(), name: column.name, type, expr: castTo(columnRef(column, statement.span), type) };
  });
  return { root: { kind: 'project', input: relation.node, columns }, columns };
}
