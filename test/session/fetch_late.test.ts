import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryMetrics } from '../../src/common/batch.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import type { Session } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

/** Enough that lists are worth it, in two files of several row groups. */
const ROWS = 120_000;
const SPLIT = 70_000;
const folder = mkdtempSync(join(tmpdir(), 'quern-fetch-late-'));
const table = `'${join(folder, 'rows')}/*.parquet'`;
let session: Session;
let duckdb: TextEngine;

async function run(sql: string): Promise<{ rows: string[]; metrics: QueryMetrics }> {
  let rows: string[] = [];
  let metrics: QueryMetrics | undefined;
  for await (const { result } of session.query(sql)) {
    rows = ((await readAsText(result))?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
    metrics = result.metrics();
  }
  return { rows, metrics: metrics as QueryMetrics };
}

async function expected(sql: string): Promise<string[]> {
  const answer = await duckdb.run(sql);
  return (answer?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
}

/** `r` is spread over all rows, `g` has many equal values, `s` is text, `v` lists of lists, which count as 16 kB a row, NULL and empty now and then. */
const COLUMNS = `i AS id, i * 7919 % ${ROWS} AS r, i % 10 AS g, 'text ' || (i * 31 % 1000) AS s,
  CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN [] ELSE [[i, NULL, i + 1], NULL, [], [i // 3]]::INTEGER[][] END AS v,
  {'a': i, 'b': [i::VARCHAR]} AS t`;

beforeAll(async () => {
  session = await openSession({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 1 });
  mkdirSync(join(folder, 'rows'));
  const copy = (name: string, where: string) =>
    run(`COPY (SELECT ${COLUMNS} FROM range(${ROWS}) t(i) WHERE ${where})
         TO '${join(folder, 'rows', name)}' (ROW_GROUP_SIZE 8192)`);
  await copy('a.parquet', `i < ${SPLIT}`);
  await copy('b.parquet', `i >= ${SPLIT}`);
});
afterAll(async () => {
  await session.close();
  await duckdb.close();
  rmSync(folder, { recursive: true, force: true });
});

async function isLate(sql: string): Promise<boolean> {
  return (await run(`EXPLAIN ${sql}`)).rows.some((line) => line.includes('row_number = row_number'));
}

describe('columns that only the result shows', () => {
  test.each([
    `SELECT * FROM ${table} ORDER BY r LIMIT 10`,
    `SELECT id, v FROM ${table} ORDER BY r DESC LIMIT 300 OFFSET 5`,
    `SELECT v, t, r + 1 AS x, v AS again FROM ${table} WHERE g = 3 ORDER BY r LIMIT 7`,
    `SELECT s, v FROM ${table} ORDER BY g, r LIMIT 1000`,
    `SELECT v[1] AS first, len(v) AS n, t.b FROM ${table} ORDER BY r % 1000, id LIMIT 3`,
    `SELECT * FROM (SELECT v, r FROM ${table} ORDER BY r LIMIT 20) WHERE len(v) > 0 ORDER BY r`,
    `SELECT a.v, b.x FROM ${table} a JOIN range(5) b(x) ON a.g = b.x ORDER BY a.r, b.x LIMIT 15`,
    `SELECT a.v, b.v FROM ${table} a JOIN ${table} b ON a.id = b.r ORDER BY a.r LIMIT 4`,
    `SELECT v FROM ${table} a LEFT JOIN range(3) b(x) ON a.g = b.x ORDER BY b.x NULLS LAST, r LIMIT 9`,
    `SELECT v FROM ${table} WHERE g IN (SELECT x FROM range(3) b(x)) ORDER BY r LIMIT 9`,
  ])('%s', async (sql) => {
    expect(await isLate(sql)).toBe(true);
    expect((await run(sql)).rows).toEqual(await expected(sql));
  });

  test('equal keys come in the order of the rows', async () => {
    const sql = `SELECT id, v FROM ${table} ORDER BY g LIMIT 600`;
    expect(await isLate(sql)).toBe(true);
    const ids = (await run(sql)).rows.map((row) => Number(row.split('|')[0]));
    expect(ids).toEqual(Array.from({ length: 600 }, (_, i) => i * 10));
  });

  test('no rows, and none that pass', async () => {
    expect((await run(`SELECT id, v FROM ${table} WHERE r < 0 ORDER BY r LIMIT 5`)).rows).toEqual([]);
    expect((await run(`SELECT id, v FROM ${table} ORDER BY r LIMIT 5 OFFSET ${ROWS}`)).rows).toEqual([]);
  });

  test.each([
    ['too many rows', `SELECT * FROM ${table} ORDER BY r LIMIT 1001`],
    ['the order reads the list', `SELECT v FROM ${table} ORDER BY v LIMIT 10`],
    ['a filter reads the list', `SELECT v FROM ${table} WHERE len(v) = 4 ORDER BY r LIMIT 10`],
    ['a join reads the list', `SELECT v FROM ${table} JOIN range(3) b(x) ON x = len(v) ORDER BY r LIMIT 10`],
    ['rows of a right side may be none', `SELECT v FROM range(3) b(x) LEFT JOIN ${table} ON g = x ORDER BY x LIMIT 10`],
    ['no order', `SELECT v FROM ${table} LIMIT 10`],
    ['nothing wide', `SELECT g FROM ${table} ORDER BY r LIMIT 10`],
  ])('all are read: %s', async (_, sql) => {
    expect(await isLate(sql)).toBe(false);
  });

  test('other pages are not read', async () => {
    const late = await run(`SELECT v FROM ${table} ORDER BY r LIMIT 2`);
    const all = await run(`SELECT v FROM ${table} ORDER BY r LIMIT 1001`);
    expect(late.metrics.bytesRead * 2).toBeLessThan(all.metrics.bytesRead);
  });
});
