import type { TextEngine, TextResult } from '../reference/text_engine.ts';

export interface Validation {
  readonly status: 'passed' | 'failed' | 'off';
  readonly method: string;
  readonly mismatches: readonly string[];
}

const MAX_MISMATCHES = 5;

export interface ValidationOptions {
  readonly rtol: number;
  readonly atol: number;
}

/** Compares the rows of two engines. Never inside the clock. */
export async function validate(
  engine: TextEngine,
  reference: TextEngine,
  sql: string,
  options: ValidationOptions,
): Promise<Validation> {
  const method = `multiset against ${reference.name}, rtol ${options.rtol}`;
  const mismatches = differences(await engine.run(sql), await reference.run(sql), options);
  return { status: mismatches.length === 0 ? 'passed' : 'failed', method, mismatches };
}

/** Where two answers differ as multisets of rows; DOUBLE and FLOAT are equal within the tolerance. */
export function differences(
  have: TextResult | null,
  want: TextResult | null,
  options: ValidationOptions,
): readonly string[] {
  if (have === null || want === null) return ['no result'];
  if (have.columns.length !== want.columns.length) {
    return [`${have.columns.length} columns, expected ${want.columns.length}`];
  }
  if (have.rows.length !== want.rows.length) return [`${have.rows.length} rows, expected ${want.rows.length}`];
  const numeric = want.columns.map((column) => /^(DOUBLE|FLOAT)$/.test(column.type));
  const [left, right] = [sortRows(have.rows, numeric), sortRows(want.rows, numeric)];
  const mismatches: string[] = [];
  for (let i = 0; i < left.length && mismatches.length < MAX_MISMATCHES; i++) {
    const [a, b] = [left[i] as Row, right[i] as Row];
    const same = a.every((cell, c) => sameCell(cell, b[c] ?? null, numeric[c] === true, options));
    if (!same) mismatches.push(`${JSON.stringify(a)}, expected ${JSON.stringify(b)}`);
  }
  return mismatches;
}

type Row = readonly (string | null)[];

/** By the exact columns first: a float that differs in its last digit must not move its row. */
function sortRows(rows: readonly Row[], numeric: readonly boolean[]): Row[] {
  const key = (row: Row): string => {
    const exact = row.filter((_, i) => numeric[i] !== true);
    const floats = row.filter((_, i) => numeric[i] === true);
    return JSON.stringify([...exact, ...floats]);
  };
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((entry) => entry.row);
}

function sameCell(a: string | null, b: string | null, numeric: boolean, { rtol, atol }: ValidationOptions): boolean {
  if (a === b) return true;
  if (!numeric || a === null || b === null) return false;
  const [x, y] = [Number(a), Number(b)];
  return Math.abs(x - y) <= atol + rtol * Math.max(Math.abs(x), Math.abs(y));
}
