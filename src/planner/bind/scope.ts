import { didYouMean } from '../../common/did_you_mean.ts';
import type { QuernError } from '../../common/error.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { ColumnId } from '../logical/expression.ts';
import type { LogicalColumn } from '../logical/node.ts';

/** A table of a FROM clause: its columns by name. */
export interface ScopeTable {
  /** alias or last part of the name; '' = none */
  readonly name: string;
  readonly columns: readonly LogicalColumn[];
}

/** What column references of one SELECT can mean. */
export interface Scope {
  readonly tables: readonly ScopeTable[];
  /** parameters of the lambdas around an expression; looked up first */
  readonly lambdas: readonly LogicalColumn[];
  /**
   * columns of USING: what a name alone and * mean instead of them, null = nothing. Under the name of their table they
   * are themselves.
   */
  readonly joined?: ReadonlyMap<ColumnId, LogicalColumn | null>;
}

/** Scopes around a subquery, innermost first. */
export interface OuterScope {
  readonly scope: Scope;
  readonly next: OuterScope | undefined;
}

export const EMPTY_SCOPE: Scope = { tables: [], lambdas: [] };

const same = (a: string, b: string): boolean => a === b || a.toLowerCase() === b.toLowerCase();

/** Columns of all tables in order. */
export function scopeColumns(scope: Scope): readonly LogicalColumn[] {
  return scope.tables.flatMap((table) => table.columns);
}

/** The column of this name; undefined when there is none, an error when several tables have it. */
export function findColumn(scope: Scope, name: string, span: SourceSpan): LogicalColumn | undefined {
  const parameter = scope.lambdas.find((column) => same(column.name, name));
  if (parameter !== undefined) return parameter;
  const found = scope.tables.flatMap((table) => {
    const column = columnOf(table, name);
    const shown = column === undefined ? null : shownColumn(scope, column);
    return shown === null ? [] : [{ table, column: shown }];
  });
  if (found.length > 1) {
    const places = found.map(({ table, column }) => `"${table.name}.${column.name}"`).join(' or ');
    throw userError('binder', `column name is ambiguous: ${name}`, span, `write ${places}`);
  }
  return found[0]?.column;
}

/** What a name alone means by a column: itself, or what USING made of it; null = nothing. */
function shownColumn(scope: Scope, column: LogicalColumn): LogicalColumn | null {
  const instead = scope.joined?.get(column.id);
  return instead === undefined ? column : instead;
}

/** The columns that `*` means. */
export function starredColumns(scope: Scope): readonly LogicalColumn[] {
  return scopeColumns(scope).flatMap((column) => shownColumn(scope, column) ?? []);
}

/** Columns by name: the first of each, as it is written and in lower case. */
interface ColumnNames {
  readonly written: ReadonlyMap<string, LogicalColumn>;
  readonly lowered: ReadonlyMap<string, LogicalColumn>;
}

/** Of the columns of tables, made when the first name is looked up: a query asks every table for most of its names. */
const namesOf = new WeakMap<readonly LogicalColumn[], ColumnNames>();

function namesIn(columns: readonly LogicalColumn[]): ColumnNames {
  const known = namesOf.get(columns);
  if (known !== undefined) return known;
  const written = new Map<string, LogicalColumn>();
  const lowered = new Map<string, LogicalColumn>();
  for (const column of columns) {
    const lower = column.name.toLowerCase();
    if (!written.has(column.name)) written.set(column.name, column);
    if (!lowered.has(lower)) lowered.set(lower, column);
  }
  const names = { written, lowered };
  namesOf.set(columns, names);
  return names;
}

/** The first column of the name: tables with a name twice keep both, and mean the first. */
function columnOf(table: ScopeTable, name: string): LogicalColumn | undefined {
  const { written, lowered } = namesIn(table.columns);
  return written.get(name) ?? lowered.get(name.toLowerCase());
}

export function findTable(scope: Scope, name: string): ScopeTable | undefined {
  return scope.tables.find((table) => same(table.name, name));
}

export function findTableColumn(table: ScopeTable, name: string): LogicalColumn | undefined {
  return columnOf(table, name);
}

/** Error of a name that no table has; `aliases` are names that the query gives itself. */
export function columnNotFound(
  scope: Scope,
  name: string,
  span: SourceSpan,
  aliases: readonly string[] = [],
): QuernError {
  const names = [...scopeColumns(scope).map((column) => column.name), ...aliases];
  return userError('binder', `column "${name}" not found`, span, didYouMean(name, names) ?? scopeHint(scope));
}

/** How many names are listed before the rest is only counted. */
const SHOWN_NAMES = 8;

function scopeHint(scope: Scope): string {
  if (scope.tables.length === 0) return 'there is no FROM clause; text stands in single quotes';
  const [table] = scope.tables;
  if (scope.tables.length > 1 || table === undefined) {
    return `the tables are ${scope.tables.map((t) => `"${t.name}"`).join(', ')}`;
  }
  return `${table.name === '' ? 'the table' : table.name} has ${columnList(table.columns)}`;
}

function columnList(columns: readonly LogicalColumn[]): string {
  const shown = columns.slice(0, SHOWN_NAMES).map((column) => `"${column.name}"`);
  const rest = columns.length - shown.length;
  return `${columns.length === 1 ? 'the column' : 'the columns'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Names made different as DuckDB does in derived tables: a, a_1, a_2, passing over names that are there already. */
export function uniqueNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    let count = counts.get(name.toLowerCase());
    if (count === undefined) {
      counts.set(name.toLowerCase(), 1);
      return name;
    }
    while (counts.has(`${name}_${count}`.toLowerCase())) count++;
    counts.set(name.toLowerCase(), count);
    counts.set(`${name}_${count}`.toLowerCase(), 1);
    return `${name}_${count}`;
  });
}
