import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { readParquet } from 'parquet-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';

let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-readers-'));
  quern = await openQuernEngine({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 1 });
});

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

const ROWS = 3000;
const SOURCE = `SELECT i, (i % 100)::TINYINT AS small, i / 4 AS f, CASE WHEN i % 3 = 0 THEN NULL ELSE 's' || i % 50 END AS s,
  (i::DECIMAL(18, 2) / 4)::DECIMAL(9, 2) AS d, i % 2 = 0 AS b,
  CASE WHEN i % 4 = 0 THEN NULL WHEN i % 4 = 1 THEN [] ELSE [i, NULL] END AS l, {'x': i, 'y': 'y' || i} AS st FROM range(${ROWS}) t(i)`;

interface Row {
  readonly [name: string]: unknown;
}

function wanted(i: number): Row {
  return {
    i,
    small: i % 100,
    f: i / 4,
    s: i % 3 === 0 ? null : `s${i % 50}`,
    b: i % 2 === 0,
    l: i % 4 === 0 ? null : i % 4 === 1 ? [] : [i, null],
    st: { x: i, y: `y${i}` },
  };
}

/** Without bigint, Arrow vectors and rows; decimals differ in form between the readers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value ?? null;
  if (Symbol.iterator in value && !('toJSON' in value && !Array.isArray(value) && !('length' in value))) {
    return [...(value as Iterable<unknown>)].map(plain);
  }
  const row = 'toJSON' in value ? (value as { toJSON(): object }).toJSON() : value;
  return Object.fromEntries(Object.entries(row).map(([name, item]) => [name, plain(item)]));
}

describe.each(['none', 'snappy', 'zstd', 'lz4', 'gzip', 'brotli'])('other readers, %s', (codec) => {
  let bytes: Uint8Array;

  beforeAll(async () => {
    const source = join(folder, 'source.parquet');
    const path = join(folder, `${codec}.parquet`);
    await duckdb.run(`COPY (${SOURCE}) TO '${source}' (FORMAT parquet)`);
    await quern.run(`COPY (FROM '${source}') TO '${path}' (COMPRESSION ${codec}, ROW_GROUP_SIZE 1000)`);
    bytes = await readFile(path);
  });

  test('hyparquet', async () => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = (await parquetReadObjects({ file, compressors })) as Row[];
    expect(rows).toHaveLength(ROWS);
    rows.forEach((row, i) => {
      const { d, ...rest } = plain(row) as Row;
      expect(rest).toEqual(wanted(i));
      expect(d).toBeCloseTo(i / 4, 2);
    });
  });

  test('parquet-wasm', () => {
    const table = tableFromIPC(readParquet(bytes).intoIPCStream());
    expect(table.numRows).toBe(ROWS);
    table.toArray().forEach((row, i) => {
      const { d, ...rest } = plain(row) as Row;
      expect(rest).toEqual(wanted(i));
      expect(d).toBeDefined();
    });
  });
});

describe('statistics', () => {
  test('DuckDB finds bounds, null counts and pages that say the truth', async () => {
    const path = join(folder, 'bounds.parquet');
    await quern.run(
      `COPY (SELECT i, i::DOUBLE AS f, CASE WHEN i = 7 THEN 'nan'::DOUBLE ELSE i END AS n,
        CASE WHEN i < 10 THEN NULL ELSE i END AS h FROM range(1000) t(i)) TO '${path}'`,
    );
    const found = await duckdb.run(
      `SELECT path_in_schema, stats_min_value, stats_max_value, stats_null_count, min_is_exact, max_is_exact
       FROM parquet_metadata('${path}') ORDER BY column_id`,
    );
    expect(found?.rows).toEqual([
      ['i', '0', '999', '0', 'true', 'true'],
      ['f', '-0.0', '999.0', '0', 'true', 'true'],
      ['n', null, null, '0', null, null],
      ['h', '10', '999', '10', 'true', 'true'],
    ]);
  });

  test('filters give the same rows through DuckDB and quern', async () => {
    const path = join(folder, 'filters.parquet');
    await quern.run(
      `COPY (SELECT i, -i AS m, CASE WHEN i % 1000 = 7 THEN 'nan'::DOUBLE ELSE i / 8 END AS n,
        lower('K') || i AS s FROM range(100000) t(i)) TO '${path}' (ROW_GROUP_SIZE 10000)`,
    );
    for (const filter of ['i = 54321', 'm < -99990', 'n > 12490', "n = 'nan'::DOUBLE", "s = 'k77777'", 'i IS NULL']) {
      const sql = `SELECT count(*), sum(i), min(s) FROM '${path}' WHERE ${filter}`;
      expect((await quern.run(sql))?.rows).toEqual((await duckdb.run(sql))?.rows);
    }
  });
});
