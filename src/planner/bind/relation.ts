import type { SourceSpan } from '../../common/source_span.ts';
import type { ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';
import type { Binder, CommonTables } from './context.ts';
import type { OuterScope } from './scope.ts';

/** A bound query: its plan, whose output is exactly `columns`, named as the query names them. */
export interface Relation {
  readonly node: LogicalNode;
  readonly columns: readonly LogicalColumn[];
}

/** What queries are bound in. */
export interface QueryContext {
  readonly binder: Binder;
  readonly commonTables: CommonTables | null;
  /** what a subquery sees beside its own tables */
  readonly outer?: OuterScope | undefined;
}

/** A projection to columns as they are, under new names. */
export function renamed(relation: Relation, names: readonly string[]): Relation {
  return {
    node: relation.node,
    columns: relation.columns.map((column, i) => ({ ...column, name: names[i] ?? column.name })),
  };
}

/** Exactly these columns in this order: the node itself when it has no others. */
export function narrowed(
  binder: Binder,
  node: LogicalNode,
  columns: readonly LogicalColumn[],
  span: SourceSpan,
): Relation {
  const output = outputOf(node);
  if (output.length === columns.length && output.every((column, i) => column.id === columns[i]?.id)) {
    return { node, columns };
  }
  const computed: ComputedColumn[] = columns.map((column) => ({
    ...column,
    id: binder.newId(),
    expr: columnRef(column, span),
  }));
  return { node: { kind: 'project', input: node, columns: computed }, columns: computed };
}

/** Each row once: a group by all columns. */
export function distinctRows(binder: Binder, relation: Relation, span: SourceSpan): Relation {
  const keys: ComputedColumn[] = relation.columns.map((column) => ({
    ...column,
    id: binder.newId(),
    expr: columnRef(column, span),
  }));
  return { node: { kind: 'aggregate', input: relation.node, keys, aggregates: [] }, columns: keys };
}
