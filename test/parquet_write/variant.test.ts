import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { openSession } from '../../src/session/index.ts';
import { arrowBytes } from '../arrow_write/arrow_bytes.ts';

/** Pairs of one text and two types, and what else has a type of its own. */
const VALUES = [
  '1::TINYINT',
  '1::SMALLINT',
  '1::INTEGER',
  '1::BIGINT',
  "'1'",
  '1.50::DECIMAL(9,2)',
  '1.5::DECIMAL(9,1)',
  '1.50::DECIMAL(18,2)',
  '1.50::DECIMAL(38,2)',
  '1.5::FLOAT',
  '1.5::DOUBLE',
  "'2020-01-02'::DATE",
  "'2020-01-02'",
  "'2020-01-02 03:04:05'::TIMESTAMP",
  "'2020-01-02 03:04:05+00'::TIMESTAMPTZ",
  "'2020-01-02 03:04:05.000000001'::TIMESTAMP_NS",
  "'12:34:56'::TIME",
  "'f24f9b64-81fa-49d1-b74e-8c09a6e31c56'::UUID",
  "'f24f9b64-81fa-49d1-b74e-8c09a6e31c56'",
  "'ab'::BLOB",
  "'ab'",
  'true',
  "'true'",
  'NULL',
  "repeat('long text ', 100)",
  '[1, 2]',
  "['1', '2']",
  '[]',
  `'{"b": [1, "1", null, {"a": 2.5, "d": {}}], "a": "x, y", "c": 7}'::JSON`,
  `'{"c": "7", "b": 1, "a": null}'::JSON`,
  'range(300)',
];

const SHREDDINGS: Readonly<Record<string, string>> = {
  automatic: '',
  none: ", SHREDDING {'v': 'VARCHAR'}",
  number: ", SHREDDING {'v': 'BIGINT'}",
  decimal: ", SHREDDING {'v': 'DECIMAL(18,2)'}",
  list: ", SHREDDING {'v': 'BIGINT[]'}",
  object: ", SHREDDING {'v': 'STRUCT(a VARCHAR, b BIGINT, c BIGINT)'}",
};

let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-variant-'));
  quern = await openQuernEngine({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 2 });
});

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

/** A file of DuckDB with a row a value, some of them again after 2,000 rows. */
async function source(shredding: string): Promise<string> {
  const file = join(folder, 'source.parquet');
  const rows = VALUES.map((value, i) => `SELECT ${i} AS i, (${value})::VARIANT AS v`).join(' UNION ALL ');
  const more = `SELECT 100 + i AS i, CASE WHEN i % 7 > 0 THEN i::VARIANT ELSE ('t' || i)::VARIANT END AS v FROM range(2500) t(i)`;
  await duckdb.run(
    `COPY (SELECT i::BIGINT AS i, v FROM (${rows} UNION ALL ${more}) ORDER BY i) TO '${file}' (FORMAT parquet${SHREDDINGS[shredding]})`,
  );
  return file;
}

/** The types DuckDB sees; precision is that of a shredded column, or the digits of the value: Parquet's encoding has none. */
const TYPE = String.raw`regexp_replace(variant_typeof(v), 'DECIMAL\(\d+', 'DECIMAL(_')`;

async function byHyparquet(path: string): Promise<unknown> {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  return parquetReadObjects({ file, compressors });
}

async function same(query: (file: string) => string, engine: TextEngine, a: string, b: string): Promise<void> {
  const wanted = await engine.run(query(a));
  expect(wanted?.rows.length).toBeGreaterThan(0);
  expect(await engine.run(query(b))).toEqual(wanted);
}

describe('a VARIANT comes back as it was', () => {
  test.each(Object.keys(SHREDDINGS))('shredding: %s', async (shredding) => {
    const from = await source(shredding);
    const copy = join(folder, 'copy.parquet');
    const again = join(folder, 'again.parquet');
    await quern.run(`COPY (FROM '${from}') TO '${copy}' (COMPRESSION zstd, ROW_GROUP_SIZE 1000)`);
    await quern.run(`COPY (FROM '${copy}') TO '${again}'`);
    // hyparquet gives numbers, dates and bytes as what they are; a missing field is not a null one.
    expect(await byHyparquet(copy)).toEqual(await byHyparquet(from));
    for (const file of [copy, again]) {
      await same((path) => `SELECT i, v, v::VARCHAR FROM '${path}' ORDER BY i`, quern, from, file);
      await same((path) => `SELECT i, v, ${TYPE} FROM '${path}' ORDER BY i`, duckdb, from, file);
    }
  });

  test('through Arrow as its text', async () => {
    const from = await source('object');
    const arrow = join(folder, 'text.arrow');
    const copy = join(folder, 'text.parquet');
    const session = await openSession({ threads: 2 });
    try {
      await writeFile(arrow, await arrowBytes(session, `SELECT i, v, [v] AS l FROM '${from}'`, 'file'));
    } finally {
      await session.close();
    }
    await quern.run(`COPY (FROM '${arrow}') TO '${copy}'`);
    const wanted = await quern.run(`SELECT v, typeof(v), [v] FROM '${from}' ORDER BY i`);
    for (const file of [arrow, copy]) {
      expect((await quern.run(`SELECT v, typeof(v), l FROM '${file}' ORDER BY i`))?.rows).toEqual(wanted?.rows);
    }
    const types = await duckdb.run(`SELECT DISTINCT variant_typeof(v) FROM '${copy}' WHERE v IS NOT NULL`);
    expect(types?.rows).toEqual([['VARCHAR']]);
  });

  test('inside lists and structs', async () => {
    const from = await source('object');
    const copy = join(folder, 'nested.parquet');
    const nested = `[v, NULL, v] AS l, {'v': v} AS s, CASE WHEN i % 3 = 0 THEN [[v], [], NULL] END AS ll`;
    await quern.run(`COPY (SELECT i, ${nested} FROM '${from}') TO '${copy}' (ROW_GROUP_SIZE 700)`);
    expect(await quern.run(`SELECT * FROM '${copy}' ORDER BY i`)).toEqual(
      await quern.run(`SELECT i, ${nested} FROM '${from}' ORDER BY i`),
    );
    const parts = `l[1], l[2], l[3], s.v, ll[1][1]`;
    const back = join(folder, 'back.parquet');
    await quern.run(`COPY (SELECT i, l[3] AS v FROM '${copy}') TO '${back}'`);
    await same((path) => `SELECT i, v, ${TYPE} FROM '${path}' ORDER BY i`, duckdb, from, back);
    const wanted = await quern.run(`SELECT v, NULL, v, v, CASE WHEN i % 3 = 0 THEN v END FROM '${from}' ORDER BY i`);
    expect((await quern.run(`SELECT ${parts} FROM '${copy}' ORDER BY i`))?.rows).toEqual(wanted?.rows);
  });
});
