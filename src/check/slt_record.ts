/** The parts of a sqllogictest file (docs/testing.md describes the format). */

export type SortMode = 'nosort' | 'rowsort' | 'valuesort';

export interface Condition {
  readonly kind: 'skipif' | 'onlyif';
  /** engine that is skipped, or the only one that runs the record */
  readonly engine: string;
}

/** 0-based, half-open range of lines in the file. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface StatementRecord {
  readonly kind: 'statement';
  readonly file: string;
  readonly headerLine: number;
  readonly conditions: readonly Condition[];
  readonly expect: 'ok' | 'error';
  readonly sql: string;
  /** lines after `----`: the message, or `<REGEX>:` and a pattern; undefined = no `----` */
  readonly expected: readonly string[] | undefined;
  /** the lines after the SQL: `----` and what follows, up to the empty line; empty when there is no `----` */
  readonly resultLines: LineRange;
}

export interface QueryRecord {
  readonly kind: 'query';
  readonly file: string;
  readonly headerLine: number;
  readonly conditions: readonly Condition[];
  /** one letter a column: I and T are compared as text, R as a number within a tolerance */
  readonly types: string;
  readonly sort: SortMode;
  /** queries with the same label must give the same result */
  readonly label: string | undefined;
  readonly sql: string;
  /** lines after `----`; undefined = no `----` yet */
  readonly expected: readonly string[] | undefined;
  readonly resultLines: LineRange;
}

export interface LoopRecord {
  readonly kind: 'loop';
  readonly file: string;
  readonly headerLine: number;
  readonly variable: string;
  readonly values: readonly string[];
  readonly body: readonly SltRecord[];
}

export interface ControlRecord {
  readonly kind: 'halt' | 'hash-threshold' | 'include' | 'require' | 'mode';
  readonly file: string;
  readonly headerLine: number;
  readonly conditions: readonly Condition[];
  readonly argument: string;
}

export type SltRecord = StatementRecord | QueryRecord | LoopRecord | ControlRecord;

/** Whether `engine` runs a record with these conditions. */
export function applies(conditions: readonly Condition[], engine: string): boolean {
  return conditions.every((condition) => (condition.kind === 'skipif') !== (condition.engine === engine));
}
