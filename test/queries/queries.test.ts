import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareEngine, readSuite } from '../../src/bench/suite.ts';
import { findTables } from '../../src/bench/tables.ts';
import { differences } from '../../src/bench/validate.ts';
import { generateTpcds } from '../../src/gen/index.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine, TextResult } from '../../src/reference/text_engine.ts';
import { openSession } from '../../src/session/index.ts';

const suite = await readSuite(resolve(import.meta.dirname, '../../queries'));
/** Sums of DOUBLE differ in their last digits with the order of the rows. */
const TOLERANCE = { rtol: 1e-9, atol: 1e-9 };
let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-queries-'));
  const session = await openSession({ threads: 2 });
  try {
    await generateTpcds({
      session,
      scale: 0.01,
      seed: 1n,
      out: folder,
      overwrite: false,
      compression: 'zstd',
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  } finally {
    await session.close();
  }
  quern = await openQuernEngine({ threads: 2 });
  // one thread: the same order of sums in every run
  duckdb = await openDuckDbEngine({ threads: 1 });
  const tables = await findTables(folder, suite.tables);
  await prepareEngine(quern, suite, tables);
  await prepareEngine(duckdb, suite, tables);
}, 60_000);

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

const answerFile = (id: string): string => resolve(import.meta.dirname, 'answers', `${id}.json`);

/** One row a line. */
function answerText({ columns, rows }: TextResult): string {
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
  return `{\n  "columns": ${JSON.stringify(columns)},\n  "rows": [\n${lines}\n  ]\n}\n`;
}

describe('queries at scale 0.01', () => {
  test('are the eighteen of the description', () => {
    const ids = suite.queries.map((query) => query.id.slice(0, 3));
    const numbered = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${letter}${String(i + 1).padStart(2, '0')}`);
    expect(ids).toEqual([...numbered('d', 10), ...numbered('l', 8)]);
  });

  // `npx vitest run test/queries -u` writes the answers anew, from DuckDB
  test.each(suite.queries)('$id: the stored answer is that of DuckDB', async ({ id, sql }) => {
    const theirs = (await duckdb.run(sql)) as TextResult;
    expect(theirs.rows.length).toBeGreaterThan(0);
    await expect(answerText(theirs)).toMatchFileSnapshot(answerFile(id));
  });

  test.each(suite.queries)('$id gives the stored answer', async ({ id, sql }) => {
    const stored = JSON.parse(await readFile(answerFile(id), 'utf8')) as TextResult;
    const ours = await quern.run(sql);
    expect(differences(ours, stored, TOLERANCE)).toEqual([]);
    expect(ours?.columns.map((column) => column.name)).toEqual(stored.columns.map((column) => column.name));
  });

  test.each(suite.queries)('$id says what it is for', ({ sql }) => {
    expect(sql).toMatch(/^-- [A-Z][^;]*\.\n-- tags: \w+/);
  });
});
