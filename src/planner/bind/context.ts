import type { FileTable } from '../../catalog/file_table.ts';
import type { DataType, StructField } from '../../common/data_type.ts';
import type { LiteralValue } from '../../common/literal.ts';
import type { CommonTable, FilePath, Identifier, Query, TableFunction, TableName } from '../../sql/ast.ts';
import type { ColumnId } from '../logical/expression.ts';
import type { PartitionBy } from './partition.ts';
import type { ReadSchemaColumn } from './read_schema.ts';
import type { OuterScope } from './scope.ts';

/** A parameter's value with the type it has by itself; text and integers take the type of their surroundings. */
export interface ParameterValue {
  readonly value: LiteralValue;
  readonly type: DataType;
}

/** What a name or a file function in FROM stands for, found out before binding because it needs the disk. */
export type Source =
  | { readonly kind: 'files'; readonly table: FileTable; readonly schema: readonly ReadSchemaColumn[] | null }
  | { readonly kind: 'view'; readonly name: string; readonly query: Query; readonly columns: readonly Identifier[] };

export type SourceNode = TableName | FilePath | TableFunction;
export type Sources = ReadonlyMap<SourceNode, Source>;

/** A table that the engine can make, with its columns. */
export interface Generator {
  readonly name: string;
  readonly columns: readonly StructField[];
}

/** What one statement is bound with. */
export interface BindInput {
  /** asked only where a query names one */
  readonly generators: () => readonly Generator[];
  readonly sources: Sources;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** start of the statement in microseconds since 1970-01-01: what now() and current_date say */
  readonly now: bigint;
  /** NULLs first where ORDER BY does not say */
  readonly nullsFirst: boolean;
  /** where the rows go to folders named by values */
  readonly partitionBy?: PartitionBy | undefined;
}

/** Common tables that a query sees, innermost last. */
export interface CommonTables {
  readonly table: CommonTable;
  /** what the common table itself sees */
  readonly outer: CommonTables | null;
  /** rows around the query that declares it */
  readonly rows: OuterScope | undefined;
  readonly next: CommonTables | null;
}

/** State of binding one statement: its input and the column ids given out so far. */
export class Binder {
  readonly input: BindInput;
  #nextId: ColumnId = 0;

  constructor(input: BindInput) {
    this.input = input;
  }

  /** A column id that no other column of the plan has. */
  newId(): ColumnId {
    return this.#nextId++;
  }
}
