import type { Random } from '../random.ts';
import type { JudgeOptions } from './judge.ts';
import type { IsConstantNull } from './rewrite.ts';

/** SQL that one of the engines runs to make a table. */
export interface TableStep {
  readonly engine: 'quern' | 'duckdb';
  readonly sql: string;
}

/** One form of random statement: how it is made, written, made smaller. */
export interface Form<S> {
  /** what makes the tables; Parquet files go into `folder` */
  readonly tables: (random: Random, folder: string) => readonly TableStep[];
  readonly generate: (random: Random) => S;
  readonly render: (statement: S, folder: string) => string;
  readonly options: (statement: S) => JudgeOptions;
  /** the statement that DuckDB has to be asked instead, where docs/differences.md says so */
  readonly rewrite: (statement: S, isConstantNull: IsConstantNull) => Promise<{ statement: S; rules: Set<string> }>;
  /** statements that lack something, the boldest cuts first; each is smaller */
  readonly smaller: (statement: S) => readonly S[];
}
