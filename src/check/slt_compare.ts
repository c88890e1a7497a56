import { createHash } from 'node:crypto';
import type { TextRow } from '../reference/text_engine.ts';
import type { SortMode } from './slt_record.ts';

/** How far two numbers of an `R` column may be apart: |a − b| ≤ atol + rtol · max(|a|, |b|). */
export interface Tolerance {
  readonly rtol: number;
  readonly atol: number;
}

export const DEFAULT_TOLERANCE: Tolerance = { rtol: 1e-12, atol: 1e-12 };

export interface Difference {
  readonly row: number;
  readonly expected: string;
  readonly actual: string;
}

const HASHED = /^(\d+) values hashing to ([0-9a-f]{32})$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A value as a result line shows it: NULL, (empty), and line breaks, tabs and NUL escaped. */
export function cellText(value: string | null): string {
  if (value === null) return 'NULL';
  if (value === '') return '(empty)';
  return value.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\0', '\\0');
}

/** The rows of a result as cells of text, sorted as the record asks. */
export function sortedCells(rows: readonly TextRow[], sort: SortMode): string[][] {
  return sortCells(
    rows.map((row) => row.map(cellText)),
    sort,
  );
}

function sortCells(rows: string[][], sort: SortMode): string[][] {
  if (sort === 'nosort') return rows;
  if (sort === 'valuesort') {
    return rows
      .flat()
      .sort(compareText)
      .map((value) => [value]);
  }
  return rows
    .map((row) => ({ row, key: row.join('\t') }))
    .sort((a, b) => compareText(a.key, b.key))
    .map((entry) => entry.row);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The lines written after `----`. */
export function resultLines(cells: readonly (readonly string[])[], hashThreshold: number): string[] {
  const count = cells.reduce((sum, row) => sum + row.length, 0);
  if (hashThreshold > 0 && count > hashThreshold) return [`${count} values hashing to ${hashCells(cells)}`];
  return cells.map((row) => row.join('\t'));
}

/** MD5 over each value and a line break, as sqllogictest defines it. */
export function hashCells(cells: readonly (readonly string[])[]): string {
  const hash = createHash('md5');
  for (const row of cells) for (const value of row) hash.update(`${value}\n`);
  return hash.digest('hex');
}

/** Differences between the lines of a file and a result; at most `limit` are told apart. */
export function compareWithLines(
  expected: readonly string[],
  actual: readonly TextRow[],
  types: string,
  sort: SortMode,
  tolerance: Tolerance,
  limit: number,
): Difference[] {
  const cells = sortedCells(actual, sort);
  const hashed = expected.length === 1 ? HASHED.exec(expected[0] as string) : null;
  if (hashed !== null) {
    const count = cells.reduce((sum, row) => sum + row.length, 0);
    const text = `${count} values hashing to ${hashCells(cells)}`;
    return text === expected[0] ? [] : [{ row: 0, expected: expected[0] as string, actual: text }];
  }
  const wanted = sortCells(linesToCells(expected, sort === 'valuesort' ? 1 : types.length), sort);
  return compareCells(wanted, cells, sort === 'valuesort' ? '' : types, tolerance, limit);
}

/** A line a row with tabs between values, or the older form with a line a value. */
function linesToCells(lines: readonly string[], columns: number): string[][] {
  const byRow = lines.map((line) => line.split('\t'));
  if (columns <= 1) return lines.map((line) => [line]);
  if (byRow.some((row) => row.length > 1) || lines.length % columns !== 0) return byRow;
  const rows: string[][] = [];
  for (let i = 0; i < lines.length; i += columns) rows.push(lines.slice(i, i + columns));
  return rows;
}

/** Compares two lists of rows in order. `types` has a letter a column; missing letters compare as text. */
export function compareCells(
  expected: readonly (readonly string[])[],
  actual: readonly (readonly string[])[],
  types: string,
  tolerance: Tolerance,
  limit: number,
): Difference[] {
  const differences: Difference[] = [];
  const rows = Math.max(expected.length, actual.length);
  for (let i = 0; i < rows && differences.length < limit; i++) {
    const want = expected[i];
    const have = actual[i];
    if (want !== undefined && have !== undefined && sameRow(want, have, types, tolerance)) continue;
    differences.push({
      row: i,
      expected: want === undefined ? '(no row)' : want.join('\t'),
      actual: have === undefined ? '(no row)' : have.join('\t'),
    });
  }
  return differences;
}

function sameRow(want: readonly string[], have: readonly string[], types: string, tolerance: Tolerance): boolean {
  if (want.length !== have.length) return false;
  return want.every((value, i) => sameCell(value, have[i] as string, types[i] === 'R', tolerance));
}

/** Equal text, or numbers within the tolerance when the column is numeric. */
export function sameCell(want: string, have: string, numeric: boolean, tolerance: Tolerance): boolean {
  if (want === have) return true;
  if (!numeric || !NUMBER.test(want) || !NUMBER.test(have)) return false;
  const a = Number(want);
  const b = Number(have);
  return Math.abs(a - b) <= tolerance.atol + tolerance.rtol * Math.max(Math.abs(a), Math.abs(b));
}
