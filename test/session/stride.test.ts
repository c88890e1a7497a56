import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { Session } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';
import { runQuern } from '../large_lists/run_quern.ts';

const ROWS = 5000;
const folder = mkdtempSync(join(tmpdir(), 'quern-stride-'));
const even = `'${join(folder, 'even.parquet')}'`;
const ragged = `'${join(folder, 'ragged.parquet')}'`;
const arrow = `'${join(folder, 'even.arrow')}'`;
let session: Session;

async function rows(sql: string): Promise<string[]> {
  let last: string[] = [];
  for await (const { result } of session.query(sql)) {
    last = ((await readAsText(result))?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
  }
  return last;
}

/** `v` always has three elements, `e` none, `w` three but NULL in a row, `n` three of which some are NULL. */
const LISTS = `i AS id, [i, i + 1, -i]::FLOAT[] AS v, []::INTEGER[] AS e,
  CASE WHEN i <> 4000 THEN [i, 1, 2] END AS w, [i, nullif(i % 3, 0), 2] AS n`;

beforeAll(async () => {
  session = await openSession({ threads: 2, memoryLimit: 2 ** 29 });
  await rows(`COPY (SELECT ${LISTS} FROM range(${ROWS}) t(i)) TO ${even} (ROW_GROUP_SIZE 2100)`);
  runQuern(`COPY (SELECT v, n FROM ${even}) TO ${arrow}`, []);
  // the lists of a row group have one length, those of another a different one
  await rows(`COPY (SELECT i AS id, list_resize([i], CASE WHEN i < 2100 THEN 3 ELSE 2 END, 7) AS v
    FROM range(${ROWS}) t(i)) TO ${ragged} (ROW_GROUP_SIZE 2100)`);
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

const scanLine = async (sql: string): Promise<string | undefined> =>
  (await rows(`EXPLAIN ANALYZE ${sql}`)).find((line) => line.includes('scan_'));

describe('lists of one length', () => {
  test('are shown by EXPLAIN ANALYZE', async () => {
    expect(await scanLine(`SELECT v, w FROM ${even}`)).toContain(' stride=[v 3] ');
    expect(await scanLine(`SELECT e, v FROM ${even}`)).toContain(' stride=[v 3, e 0] ');
    expect(await scanLine(`SELECT n FROM ${even}`)).toContain(' stride=[n 3] ');
    expect(await scanLine(`SELECT v FROM ${arrow}`)).toContain(' stride=[v 3] ');
    expect(await scanLine(`SELECT v FROM ${ragged}`)).not.toContain(' stride=');
    expect(await scanLine(`SELECT id FROM ${even}`)).not.toContain(' stride=');
  });

  test.each([
    ['length', 'sum(len(v)), sum(len(e)), sum(len(w)), count(len(w))', `${3 * ROWS}|0|${3 * ROWS - 3}|${ROWS - 1}`],
    ['elements', 'sum(v[1]), sum(v[-1]), count(v[4]), count(v[0]), count(e[1])', '12497500.0|-12497500.0|0|0|0'],
    ['slices', 'sum(len(v[2:])), sum(v[2:][1])', `${2 * ROWS}|12502500.0`],
    ['sums', 'sum(list_sum(v)), count(list_sum(e)), count(list_sum(n))', `12502500.0|0|${ROWS}`],
    ['measures', 'max(list_inner_product(v, [0, 1, 0])), max(try_list_distance(v, [1]))', '5000.0|NULL'],
    ['pairs', 'max(list_distance(v, v)), count(list_inner_product(n, v))', '0.0|3333'],
  ])('%s are right', async (_, items, expected) => {
    expect(await rows(`SELECT ${items} FROM ${even}`)).toEqual([expected]);
  });

  test('stay right behind filters, sorting and unions', async () => {
    expect(await rows(`SELECT sum(len(v)), sum(v[1]) FROM ${even} WHERE v[2] % 2 = 0`)).toEqual(['7500|6250000.0']);
    expect(await rows(`SELECT id, v[2], len(v) FROM ${even} ORDER BY v[1] DESC LIMIT 2`)).toEqual([
      '4999|5000.0|3',
      '4998|4999.0|3',
    ]);
    const both = `(SELECT v FROM ${even} UNION ALL SELECT v FROM ${ragged})`;
    expect(await rows(`SELECT sum(len(v)), count(v[3]) FROM ${both}`)).toEqual([`${3 * ROWS + 6300 + 5800}|7100`]);
    expect(await rows(`SELECT len(v), count(*) FROM ${ragged} GROUP BY 1 ORDER BY 1`)).toEqual(['2|2900', '3|2100']);
  });

  test('are as right from Arrow', async () => {
    const expected = ['15000|12497500.0|0.0|12502500.0'];
    expect(await rows(`SELECT sum(len(v)), sum(v[1]), max(list_distance(v, v)), sum(v[2:][1]) FROM ${arrow}`)).toEqual(
      expected,
    );
  });

  test('of another length than the query vector are an error', async () => {
    await expect(rows(`SELECT list_distance(v, [1, 2]) FROM ${even}`)).rejects.toThrow(
      'lists of different length in list_distance: 3 and 2',
    );
  });
});
