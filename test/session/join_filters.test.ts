import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { Session } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

/** Ten row groups. */
const GROUP_ROWS = 4096;
const ROWS = 10 * GROUP_ROWS;
const folder = mkdtempSync(join(tmpdir(), 'quern-join-filters-'));
const fact = `'${join(folder, 'fact.parquet')}'`;
let session: Session;

async function rows(sql: string): Promise<string[]> {
  let last: string[] = [];
  for await (const { result } of session.query(sql)) {
    last = ((await readAsText(result))?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
  }
  return last;
}

/** `k` ascends through the row groups, `r` is spread over all, `s` and `f` are their text and float, every 7th `n` is NULL. */
const COLUMNS = `i AS id, (i // 2)::INTEGER AS k, (i * 7919 % ${ROWS})::BIGINT AS r, 'key ' || (i * 7919 % ${ROWS}) AS s,
  (i % 1000)::DOUBLE AS f, CASE WHEN i % 7 > 0 THEN (i % 5000)::SMALLINT END AS n, (i % 100)::DECIMAL(9, 2) AS d,
  DATE '2020-01-01' + (i // 100)::INTEGER AS t`;

beforeAll(async () => {
  session = await openSession({ threads: 2, memoryLimit: 2 ** 29 });
  await rows(`COPY (SELECT ${COLUMNS} FROM range(${ROWS}) t(i)) TO ${fact} (ROW_GROUP_SIZE ${GROUP_ROWS})`);
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the filter of the scan of facts left out: row groups, pages, rows. */
async function dropped(sql: string): Promise<number[]> {
  const line = (await rows(`EXPLAIN ANALYZE ${sql}`)).find((text) => text.includes('join_filter='));
  const found = /dropped=\[(\d+) row groups, (\d+) pages, (\d+) rows\]/.exec(line ?? '');
  return found === null ? [] : found.slice(1).map(Number);
}

/** Keys as a table that is filtered, so that rows are worth a look. */
const keys = (list: string, type: string): string =>
  `(SELECT * FROM (SELECT unnest(${list})::${type} AS x) WHERE x IS NOT NULL)`;

describe('filters of joins', () => {
  test('leave out row groups by bounds', async () => {
    const sql = `SELECT count(*), sum(id) FROM ${fact} f JOIN ${keys('[10, 11, 12]', 'INTEGER')} ON k = x`;
    expect(await rows(sql)).toEqual(['6|135']);
    expect(await dropped(sql)).toEqual([9, 0, GROUP_ROWS - 6]);
  });

  test('leave out row groups between few keys', async () => {
    const sql = `SELECT count(*) FROM ${fact} f JOIN ${keys('[10, 19990]', 'INTEGER')} ON k = x`;
    expect(await rows(sql)).toEqual(['4']);
    expect((await dropped(sql))[0]).toBe(8);
  });

  test('leave out all where there are no keys', async () => {
    const sql = `SELECT count(*) FROM ${fact} f JOIN ${keys('[10]', 'INTEGER')} ON k = x AND x > 10`;
    expect(await rows(sql)).toEqual(['0']);
    expect(await dropped(sql)).toEqual([10, 0, 0]);
  });

  test('leave out rows of every type', async () => {
    for (const [column, type, list] of [
      ['r', 'BIGINT', '5, 77, 100000'],
      ['s', 'VARCHAR', "'key 5', 'key 77', 'none'"],
      ['f', 'DOUBLE', '5, 7.5, 999'],
      ['n', 'SMALLINT', '1, 7, 7000'],
      ['d', 'DECIMAL(9, 2)', '5, 7.5'],
      ['t', 'DATE', "'2020-01-02', '1999-01-01'"],
    ] as const) {
      const few = keys(`[${list}]`, type);
      const count = await rows(`SELECT count(*) FROM ${fact} WHERE ${column} IN (${list})`);
      expect([column, ...(await rows(`SELECT count(*) FROM ${fact} WHERE ${column} IN ${few}`))]).toEqual([
        column,
        ...count,
      ]);
      const sql = `SELECT count(*) FROM ${fact} JOIN ${few} ON ${column} = x`;
      expect([column, ...(await rows(sql))]).toEqual([column, ...count]);
      const [groups = 0, , left = 0] = await dropped(sql);
      // a bloom filter lets a few rows pass
      expect(groups * GROUP_ROWS + left).toBeGreaterThan(0.995 * (ROWS - Number(count[0])));
      expect(groups * GROUP_ROWS + left).toBeLessThanOrEqual(ROWS - Number(count[0]));
    }
  });

  test('compare integers of another width', async () => {
    for (const [column, type, list] of [
      ['k', 'BIGINT', '10, 11, 20479, 4294967306'],
      ['n', 'INTEGER', '1, 7, 4999, 65543'],
      ['n', 'BIGINT', '1, -65535'],
    ] as const) {
      const few = keys(`[${list}]`, type);
      const count = await rows(`SELECT count(*) FROM ${fact} WHERE ${column} IN (${list})`);
      const sql = `SELECT count(*) FROM ${fact} JOIN ${few} ON ${column} = x`;
      expect([column, ...(await rows(sql))]).toEqual([column, ...count]);
      const [groups = 0, , left = 0] = await dropped(sql);
      expect(groups * GROUP_ROWS + left).toBe(ROWS - Number(count[0]));
    }
    const many = `(SELECT x::BIGINT * 1000003 AS x FROM range(40) t(x) WHERE x % 2 = 0)`;
    expect(await rows(`SELECT count(*) FROM ${fact} JOIN ${many} ON k = x`)).toEqual(['2']);
  });

  test('reach scans through projections, filters, unions and other joins', async () => {
    const few = keys('[10, 11]', 'INTEGER');
    for (const [from, count] of [
      [`(SELECT k AS y, id + 1 AS z FROM ${fact} WHERE f > 3) g JOIN ${few} ON y = x`, 4],
      [`(SELECT k FROM ${fact} UNION ALL SELECT k FROM ${fact}) g JOIN ${few} ON k = x`, 8],
      [`${fact} f JOIN range(30) o(j) ON f.k = j LEFT JOIN range(3) u(v) ON v = k JOIN ${few} ON k = x`, 4],
    ] as const) {
      expect(await rows(`SELECT count(*) FROM ${from}`)).toEqual([String(count)]);
      expect((await dropped(`SELECT count(*) FROM ${from}`))[0]).toBeGreaterThanOrEqual(9);
    }
  });

  test('stop testing rows where nearly all stay', async () => {
    const many = `'${join(folder, 'many.parquet')}'`;
    await rows(`COPY (SELECT i * 7919 % 300000 AS k FROM range(300000) t(i)) TO ${many} (ROW_GROUP_SIZE 50000)`);
    for (const [left, stops] of [
      [299_000, true],
      [150_000, false],
    ] as const) {
      const sql = `SELECT count(*), sum(k) FROM ${many} m JOIN (SELECT x FROM range(${left}) t(x)) ON k = x`;
      expect(await rows(sql)).toEqual([`${left}|${(left * (left - 1)) / 2}`]);
      const line = (await rows(`EXPLAIN ANALYZE ${sql}`)).find((text) => text.includes('join_filter='));
      expect(line?.includes('stopped=[rows of 1 join_filter]')).toBe(stops);
    }
  });

  test('are not where rows without a match stay, or an error could vanish', async () => {
    const few = keys('[10, 11]', 'INTEGER');
    for (const from of [
      `${fact} f LEFT JOIN ${few} ON k = x`,
      `${fact} f ANTI JOIN ${few} ON k = x`,
      `${fact} f JOIN ${few} ON k IS NOT DISTINCT FROM x`,
      `(SELECT k, CAST(s AS INTEGER) AS z FROM ${fact}) f JOIN ${few} ON k = x`,
      `(SELECT k FROM ${fact} LIMIT 10) f JOIN ${few} ON k = x`,
    ]) {
      expect((await rows(`EXPLAIN SELECT * FROM ${from}`)).filter((line) => line.includes('join_filter'))).toEqual([]);
    }
  });
});
