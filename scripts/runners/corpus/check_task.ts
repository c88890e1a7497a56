import { basename, join } from 'node:path';
import { errorText, isInternal } from '../../../src/check/error_text.ts';
import { sameCell } from '../../../src/check/slt_compare.ts';
import type { TextEngine, TextResult } from '../../../src/reference/text_engine.ts';
import { checksum } from './checksum.ts';
import type { ExpectedFile, ExpectedQuery } from './corpus_files.ts';

export type CorpusTask =
  | { readonly kind: 'file'; readonly root: string; readonly entry: ExpectedFile }
  | { readonly kind: 'query'; readonly root: string; readonly entry: ExpectedQuery }
  | { readonly kind: 'bomb'; readonly root: string; readonly entry: ExpectedFile; readonly check: string };

/** undefined = passed */
export type Fault = string | undefined;

const TOLERANCE = { rtol: 1e-12, atol: 0 };

/** Runs one expectation of the corpus. */
export async function checkTask(engine: TextEngine, task: CorpusTask): Promise<Fault> {
  switch (task.kind) {
    case 'file':
      return checkFile(engine, task.root, task.entry);
    case 'query':
      return checkQuery(engine, task.root, task.entry);
    case 'bomb':
      return checkBomb(engine, task.root, task.entry, task.check);
  }
}

const quote = (path: string): string => `'${path.replaceAll("'", "''")}'`;

async function checkFile(engine: TextEngine, root: string, entry: ExpectedFile): Promise<Fault> {
  const path = join(root, entry.file);
  let result: TextResult | null;
  try {
    result = await engine.run(`SELECT * FROM read_parquet(${quote(path)}, hive_partitioning = false)`);
  } catch (error) {
    const unclear = unclearError(error, path);
    if (unclear !== undefined) return unclear;
    const next = await stillAlive(engine);
    if (next !== undefined) return next;
    return entry.expect === 'match' ? errorText(error) : undefined;
  }
  if (result === null) return 'the statement has no result';
  if (entry.expect === 'no_crash') return undefined;
  if (entry.expect === 'error') return `${result.rows.length} rows where an error is due`;
  return compareFile(entry, result);
}

function compareFile(entry: ExpectedFile, result: TextResult): Fault {
  if (result.rows.length !== entry.rows) return `${result.rows.length} rows, expected ${entry.rows}`;
  if (entry.md5 === undefined) return undefined;
  const found = checksum(result.rows);
  if ([entry.md5, ...(entry.accept_md5 ?? [])].includes(found)) return undefined;
  const wrong = (entry.cols ?? []).flatMap(([name, type, , md5], i) => {
    if (checksum(result.rows.map((row) => [row[i] ?? null])) === md5) return [];
    const have = result.columns[i];
    return [`${name} ${type} (found ${have === undefined ? 'no column' : `${have.name} ${have.type}`})`];
  });
  const where = wrong.length > 0 ? wrong.slice(0, 3).join(', ') : 'each column is right, the rows pair other values';
  return `wrong values (${found}): ${where}`;
}

/** A clear error is the engine's own, is no bug of its own, and names the file. */
function unclearError(error: unknown, path: string): Fault {
  const text = errorText(error);
  if (isInternal(error)) return `internal: ${text}`;
  if (!text.includes(basename(path))) return `the error does not name the file: ${text}`;
  return undefined;
}

async function stillAlive(engine: TextEngine): Promise<Fault> {
  try {
    const result = await engine.run('SELECT 1');
    return result?.rows[0]?.[0] === '1' ? undefined : 'the next query gives a wrong answer';
  } catch (error) {
    return `the next query fails: ${errorText(error)}`;
  }
}

async function checkQuery(engine: TextEngine, root: string, entry: ExpectedQuery): Promise<Fault> {
  const path = join(root, entry.file).replaceAll("'", "''");
  let result: TextResult | null;
  try {
    result = await engine.run(entry.sql.replaceAll('{FILE}', path));
  } catch (error) {
    return errorText(error);
  }
  if (result === null) return 'the statement has no result';
  const numeric = result.columns.map((column) => column.type === 'DOUBLE');
  const { rows } = result;
  const rowText = (row: readonly (string | null)[] | undefined): string => JSON.stringify(row) ?? 'no row';
  const sorted = /\bgroup by\b/i.test(entry.sql) && !/\border by\b/i.test(entry.sql);
  const order = <Row>(list: readonly Row[]): Row[] =>
    sorted ? [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : [...list];
  const want = order(entry.expect);
  const have = order(rows);
  for (let i = 0; i < Math.max(want.length, have.length); i++) {
    const same =
      want[i]?.length === have[i]?.length &&
      want[i]?.every((cell, c) => sameValue(cell, have[i]?.[c] as string | null, numeric[c] === true));
    if (same !== true) return `row ${i + 1}: ${rowText(have[i])}, expected ${rowText(want[i])}`;
  }
  return undefined;
}

function sameValue(want: string | null, have: string | null, numeric: boolean): boolean {
  if (want === null || have === null) return want === have;
  return sameCell(want, have, numeric, TOLERANCE);
}

/** The right value, or the clear error of a memory limit. */
async function checkBomb(engine: TextEngine, root: string, entry: ExpectedFile, check: string): Promise<Fault> {
  const path = join(root, entry.file);
  try {
    const result = await engine.run(`SELECT ${check} FROM read_parquet(${quote(path)}, hive_partitioning = false)`);
    const value = result?.rows[0]?.[0];
    const want = entry.checks?.[check];
    return value === String(want) ? undefined : `${check} = ${value}, expected ${want}`;
  } catch (error) {
    const text = errorText(error);
    return text.startsWith('error[oom]') || text.startsWith('Out of Memory') ? undefined : text;
  }
}
