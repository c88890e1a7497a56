import type { Argument } from './call.ts';
import type { Expression } from './expression.ts';
import type { Identifier, Node, QualifiedName } from './node.ts';
import type { Query } from './query.ts';
import type { Describe, Show, Summarize } from './statement.ts';

/** `AS t`, `t(a, b)`. */
export interface TableAlias extends Node {
  readonly kind: 'table_alias';
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
}

/** A table, view, common table or quoted file name; the binder decides. */
export interface TableName extends Node {
  readonly kind: 'table_name';
  readonly name: QualifiedName;
  readonly alias: TableAlias | null;
}

/** `FROM 'data/*.parquet'`. */
export interface FilePath extends Node {
  readonly kind: 'file_path';
  readonly path: string;
  readonly alias: TableAlias | null;
}

/** `read_parquet('x', hive_partitioning = true)`, `range(10)`, `unnest(l) WITH ORDINALITY`. May refer to tables on its left. */
export interface TableFunction extends Node {
  readonly kind: 'table_function';
  readonly name: QualifiedName;
  readonly arguments: readonly Argument[];
  readonly ordinality: boolean;
  readonly lateral: boolean;
  readonly alias: TableAlias | null;
}

/** `(query) t(a, b)`, `LATERAL (query) t`, `(VALUES …) t`. */
export interface DerivedTable extends Node {
  readonly kind: 'derived_table';
  readonly query: Query;
  readonly lateral: boolean;
  readonly alias: TableAlias | null;
}

/** `FROM (DESCRIBE t)`, `(SUMMARIZE t)`, `(SHOW TABLES)`. */
export interface StatementTable extends Node {
  readonly kind: 'statement_table';
  readonly statement: Describe | Summarize | Show;
  readonly alias: TableAlias | null;
}

/** A comma is a cross join that binds weaker than JOIN. NATURAL is a condition. An alias on `(a JOIN b) t` is refused. */
export interface Join extends Node {
  readonly kind: 'join';
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti';
  readonly left: TableRef;
  readonly right: TableRef;
  /** null only for cross */
  readonly condition: JoinCondition | null;
}

export interface JoinOn extends Node {
  readonly kind: 'join_on';
  readonly expression: Expression;
}

export interface JoinUsing extends Node {
  readonly kind: 'join_using';
  readonly columns: readonly Identifier[];
}

export interface JoinNatural extends Node {
  readonly kind: 'join_natural';
}

export type JoinCondition = JoinOn | JoinUsing | JoinNatural;

export type TableRef = TableName | FilePath | TableFunction | DerivedTable | StatementTable | Join;
