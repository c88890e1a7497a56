import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { COLUMNS, NESTED, withNulls } from './source_columns.ts';

let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-write-'));
  quern = await openQuernEngine({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 2 });
});

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

/** DuckDB writes, quern copies; both engines must read the same from the copy as from the source. */
async function roundTrip(select: string, options: string): Promise<void> {
  const source = join(folder, 'source.parquet');
  const copy = join(folder, 'copy.parquet');
  await duckdb.run(`COPY (${select}) TO '${source}' (FORMAT parquet)`);
  await quern.run(`COPY (FROM '${source}') TO '${copy}' (${options})`);
  for (const engine of [quern, duckdb]) {
    const wanted = await engine.run(`SELECT * FROM '${source}'`);
    const found = await engine.run(`SELECT * FROM '${copy}'`);
    expect(found).toEqual(wanted);
  }
}

const names = Object.keys(COLUMNS);
const list = (wrap: (expression: string) => string): string =>
  names.map((name) => `${wrap(COLUMNS[name] as string)} AS ${name}`).join(', ');

describe('every type', () => {
  const sizes = [0, 1, 31, 32, 33, 2047, 2048, 2049];

  test.each(sizes)('%i rows without and with nulls', async (rows) => {
    await roundTrip(`SELECT ${list((x) => x)} FROM range(${rows}) t(i)`, 'COMPRESSION snappy');
    await roundTrip(`SELECT ${list(withNulls)} FROM range(${rows}) t(i)`, 'COMPRESSION zstd');
  });

  test.each(Object.keys(NESTED))('nested: %s', async (form) => {
    const wrap = NESTED[form] as (expression: string) => string;
    for (const rows of [1, 33, 2049]) {
      await roundTrip(`SELECT ${list(wrap)} FROM range(${rows}) t(i)`, 'COMPRESSION none, ROW_GROUP_SIZE 1000');
    }
  });

  test('all null', async () => {
    await roundTrip(`SELECT ${list((x) => `CASE WHEN i < 0 THEN ${x} END`)} FROM range(3000) t(i)`, 'COMPRESSION lz4');
  });
});

describe('layout', () => {
  const wide = `SELECT i, i % 10 AS few, 's' || i AS s, CASE WHEN i % 3 = 0 THEN NULL ELSE range(i % 20) END AS l FROM range(100000) t(i)`;

  test.each(['none', 'snappy', 'zstd', 'lz4', 'gzip', 'brotli'])('many row groups and pages, %s', async (codec) => {
    await roundTrip(wide, `COMPRESSION ${codec}, ROW_GROUP_SIZE 30000`);
    await roundTrip(wide, `COMPRESSION ${codec}, ROW_GROUP_BYTES '300KB'`);
  });

  test('one row of many elements spans pages', async () => {
    await roundTrip(`SELECT i, range(i * 1000000) AS l FROM range(3) t(i)`, 'COMPRESSION zstd');
  });

  test('the order of rows is kept on any number of threads', async () => {
    const copy = join(folder, 'order.parquet');
    const other = await openQuernEngine({ threads: 4, settings: { 'batch.rows': '97' } });
    try {
      await other.run(`COPY (SELECT i FROM range(300000) t(i)) TO '${copy}' (ROW_GROUP_SIZE 10000)`);
      const wrong = await duckdb.run(`SELECT count(*) FROM '${copy}' WHERE i <> file_row_number`);
      expect(wrong?.rows).toEqual([['0']]);
    } finally {
      await other.close();
    }
  });
});
