import type { SourceSpan } from '../../common/source_span.ts';
import type { Expression } from './expression.ts';
import type { Identifier, Node, QualifiedName } from './node.ts';
import type { Query } from './query.ts';
import type { TableRef } from './table_ref.ts';

export interface SelectStatement extends Node {
  readonly kind: 'select_statement';
  readonly query: Query;
}

/** `EXPLAIN q`, `EXPLAIN ANALYZE q`, `EXPLAIN (ANALYZE, FORMAT json) q`. */
export interface Explain extends Node {
  readonly kind: 'explain';
  readonly analyze: boolean;
  /** all but ANALYZE, e.g. FORMAT */
  readonly options: readonly Option[];
  readonly statement: Statement;
}

/** `FORMAT json`, `COMPRESSION 'zstd'`, `PARTITION_BY (a, b)`, `HEADER`. `name` is lower case. A bare word is a string literal, `(a, b)` a row. */
export interface Option extends Node {
  readonly kind: 'option';
  readonly name: string;
  readonly value: Expression | null;
}

/** `DESCRIBE t`, `DESC t`, `DESCRIBE q`, `SHOW t`; the target of a table or file is that table reference. */
export interface Describe extends Node {
  readonly kind: 'describe';
  readonly target: Query | TableRef;
}

/** `SUMMARIZE t`, `SUMMARIZE q`. */
export interface Summarize extends Node {
  readonly kind: 'summarize';
  readonly target: Query | TableRef;
}

/** `SHOW TABLES`, `DESCRIBE` alone, `SHOW ALL [TABLES]`, `SHOW SETTINGS`, `SHOW FUNCTIONS`. */
export interface Show extends Node {
  readonly kind: 'show';
  readonly what: 'tables' | 'all_tables' | 'settings' | 'functions';
}

/** `SET x = v`, `SET x TO v`, `SET SESSION x = v`. A bare word is a string literal. */
export interface SetSetting extends Node {
  readonly kind: 'set';
  /** lower case; dots are part of it: `list.offset_limit` */
  readonly name: string;
  readonly nameSpan: SourceSpan;
  /** null: SET x = DEFAULT */
  readonly value: Expression | null;
}

export interface ResetSetting extends Node {
  readonly kind: 'reset';
  readonly name: string;
  readonly nameSpan: SourceSpan;
}

export interface CreateView extends Node {
  readonly kind: 'create_view';
  readonly orReplace: boolean;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly name: QualifiedName;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

export interface DropView extends Node {
  readonly kind: 'drop_view';
  readonly ifExists: boolean;
  readonly names: readonly QualifiedName[];
}

/** `COPY (query) TO 'file' (options)`, `COPY t TO 'file'`, `COPY t(a, b) TO 'file'`; a table is `SELECT … FROM t`. */
export interface Copy extends Node {
  readonly kind: 'copy';
  readonly query: Query;
  readonly target: string;
  readonly targetSpan: SourceSpan;
  readonly options: readonly Option[];
}

export type Statement =
  | SelectStatement
  | Explain
  | Describe
  | Summarize
  | Show
  | SetSetting
  | ResetSetting
  | CreateView
  | DropView
  | Copy;

export type StatementKind = Statement['kind'];
