import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineMetrics } from '../../src/engine/index.ts';
import { renderValue } from '../../src/output/render_value.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { openTextEngine } from '../../src/reference/text_engine.ts';
import { openSession } from '../../src/session/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-scan-'));
const path = (name: string): string => join(folder, name);
let duck: TextEngine;

interface Answer {
  readonly rows: readonly (string | null)[][];
  readonly metrics: EngineMetrics;
}

async function quern(sql: string, threads = 2, settings: Record<string, string> = {}): Promise<Answer> {
  const session = await openSession({ threads, settings });
  try {
    const rows: (string | null)[][] = [];
    let metrics: EngineMetrics | undefined;
    for await (const statement of session.query(sql)) {
      for await (const batch of statement.result.batches()) {
        for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => renderValue(column, row)));
      }
      metrics = statement.result.metrics() as EngineMetrics;
    }
    if (metrics === undefined) throw new Error('no statement');
    return { rows, metrics };
  } finally {
    await session.close();
  }
}

async function expectLikeDuckDb(sql: string, threads = 2, settings: Record<string, string> = {}): Promise<Answer> {
  const expected = await duck.run(sql);
  const actual = await quern(sql, threads, settings);
  expect(actual.rows, sql).toEqual(expected?.rows);
  return actual;
}

const COLUMNS = `i as id, (i * 7919) % 10007 as k, case when i % 11 = 0 then null else i / 3.0 end as d,
  case when i % 5 = 0 then null else 'text number ' || (i % 1000) end as t,
  case when i % 13 = 0 then null else list_transform(range(i % 5), x -> x + i) end as l, {'a': i, 'b': 'b' || i} as s`;

beforeAll(async () => {
  duck = await openTextEngine('duckdb', { threads: 2 });
  await duck.run(`copy (select ${COLUMNS} from range(24000) t(i)) to '${path('one.parquet')}' (row_group_size 100000)`);
  await duck.run(`copy (select ${COLUMNS} from range(24000) t(i)) to '${path('many.parquet')}' (row_group_size 2048)`);
  await writePageIndexed();
});

afterAll(async () => {
  await duck.close();
  rmSync(folder, { recursive: true, force: true });
});

/** id and a list of 256 floats, 20,000 rows in pages of about 16 KiB, with page index. */
async function writePageIndexed(): Promise<void> {
  const arrow = await import('apache-arrow');
  const wasm = await import('parquet-wasm');
  const rows = 20_000;
  const ids = arrow.vectorFromArray(Int32Array.from({ length: rows }, (_, i) => i));
  const floats = arrow.vectorFromArray(Float32Array.from({ length: rows * 256 }, (_, i) => Math.fround(Math.sin(i))));
  const list = arrow.makeData({
    type: new arrow.List(new arrow.Field('item', new arrow.Float32())),
    length: rows,
    nullCount: 0,
    valueOffsets: Int32Array.from({ length: rows + 1 }, (_, i) => i * 256),
    child: floats.data[0] as never,
  });
  const table = new arrow.Table({ id: ids, vec: arrow.makeVector(list) });
  const properties = new wasm.WriterPropertiesBuilder()
    .setDictionaryEnabled(false)
    .setDataPageSizeLimit(16_384)
    .setWriteBatchSize(256)
    .setCompression(wasm.Compression.UNCOMPRESSED)
    .build();
  writeFileSync(
    path('paged.parquet'),
    wasm.writeParquet(wasm.Table.fromIPCStream(arrow.tableToIPC(table, 'stream')), properties),
  );
}

describe('one row group and many', () => {
  const statements = (file: string): string[] => [
    `select count(*), sum(id), count(d), sum(length(t)), sum(len(l)), count(l) from '${file}'`,
    `select * from '${file}'`,
    `select id, t, l from '${file}' where k < 20`,
    `select id, s from '${file}' where k between 100 and 120 and t is not null`,
    `select l, id from '${file}' where d is null and id > 12000`,
    `select id from '${file}' where id in (5, 14001, 23999)`,
    `select id, d, t from '${file}' limit 10`,
    `select id, l from '${file}' limit 7 offset 4090`,
    `select id from '${file}' where k = 77 limit 3`,
    `select count(*) from '${file}' where t = 'text number 999'`,
    `select count(*) from '${file}'`,
  ];
  for (const name of ['one', 'many']) {
    for (const threads of [1, 2, 5]) {
      test(`${name}, ${threads} threads`, async () => {
        for (const sql of statements(path(`${name}.parquet`))) await expectLikeDuckDb(sql, threads);
      });
    }
    test(`${name}, batches of 7 rows and 64-bit offsets`, async () => {
      for (const sql of statements(path(`${name}.parquet`)))
        await expectLikeDuckDb(sql, 2, { 'batch.rows': '7', 'list.offset_limit': '16' });
    });
  }

  test('statistics skip row groups', async () => {
    const { metrics } = await expectLikeDuckDb(
      `select sum(k) from '${path('many.parquet')}' where id >= 4096 and id < 4100`,
    );
    expect(metrics.rowGroupsRead).toBe(1);
    expect(metrics.rowGroupsSkipped).toBe(11);
  });

  test('count(*) reads no page', async () => {
    const { metrics } = await expectLikeDuckDb(`select count(*) from '${path('many.parquet')}'`);
    expect(metrics.pagesRead).toBe(0);
  });

  test('a limit stops reading', async () => {
    const all = await quern(`select id, t from '${path('many.parquet')}'`);
    const some = await quern(`select id, t from '${path('many.parquet')}' limit 5`, 1);
    expect(some.metrics.bytesRead).toBeLessThan(all.metrics.bytesRead / 3);
  });
});

describe('pages found by row', () => {
  test('payload is fetched only for rows that pass', async () => {
    const all = await quern(`select max(id), max(vec[1]) from '${path('paged.parquet')}'`, 2);
    const some = await expectLikeDuckDb(`select id, vec from '${path('paged.parquet')}' where id % 1000 = 0`);
    expect(some.rows.length).toBe(20);
    expect(all.metrics.bytesRead).toBeGreaterThan(20_000 * 256 * 4);
    expect(some.metrics.bytesRead).toBeLessThan(all.metrics.bytesRead * 0.05);
    expect(some.metrics.pagesSkipped).toBeGreaterThan(200);
  });

  test('bounds of pages skip rows', async () => {
    const some = await expectLikeDuckDb(
      `select id, vec[1], len(vec) from '${path('paged.parquet')}' where id between 15000 and 15003`,
    );
    expect(some.rows.length).toBe(4);
    expect(some.metrics.bytesRead).toBeLessThan(300_000);
  });

  test('ranges, limits and sums agree on any thread count', async () => {
    for (const threads of [1, 2, 5]) {
      await expectLikeDuckDb(`select count(*), sum(id), sum(len(vec)) from '${path('paged.parquet')}'`, threads);
      await expectLikeDuckDb(
        `select id, vec[256] from '${path('paged.parquet')}' where id > 12345 and id % 3 = 1 limit 50`,
        threads,
      );
      await expectLikeDuckDb(`select id, vec from '${path('paged.parquet')}' limit 3 offset 9999`, threads);
    }
  });
});

describe('several files', () => {
  beforeAll(async () => {
    for (const year of [2023, 2024]) {
      for (const month of [1, 2]) {
        const place = path(`hive/year=${year}/month=${month}`);
        mkdirSync(place, { recursive: true });
        await duck.run(
          `copy (select i as n, i + ${year * 100 + month} as v from range(1000) t(i)) to '${place}/part.parquet'`,
        );
      }
    }
    await duck.run(`copy (select 1::tinyint as a, 'x' as b) to '${path('u1.parquet')}'`);
    await duck.run(`copy (select 70000::int as a, 2.5::double as c) to '${path('u2.parquet')}'`);
  });

  test('hive keys, file names and row numbers', async () => {
    const files = `read_parquet('${path('hive')}/*/*/*.parquet', hive_partitioning = true, filename = true, file_row_number = true)`;
    await expectLikeDuckDb(
      `select year, month, count(*), sum(v), max(file_row_number) from ${files} group by 1, 2 order by 1, 2`,
    );
    await expectLikeDuckDb(
      `select n, filename, file_row_number from ${files} where month = 2 and n % 400 = 7 order by filename, n`,
    );
    const pruned = await expectLikeDuckDb(`select sum(v) from ${files} where year = 2024 and month = 1`);
    expect(pruned.metrics.rowGroupsRead).toBeLessThanOrEqual(1);
  });

  test('columns by name, widened', async () => {
    const files = `read_parquet(['${path('u1.parquet')}', '${path('u2.parquet')}'], union_by_name = true)`;
    await expectLikeDuckDb(`select a, b, c from ${files} order by a`);
    await expect(
      quern(`select * from read_parquet(['${path('u1.parquet')}', '${path('u2.parquet')}'])`),
    ).rejects.toThrow(/column b of .*u1.parquet is missing in .*u2.parquet/);
  });

  test('bad files are left out whole, and listed', async () => {
    const good = path('hive/year=2023/month=1/part.parquet');
    const bytes = readFileSync(path('many.parquet'));
    writeFileSync(path('cut.parquet'), bytes.subarray(0, bytes.length - 9));
    // The last page of the last row group is damaged: what could be read before must not come out.
    const damaged = Buffer.from(bytes);
    const footer = bytes.readUInt32LE(bytes.length - 8) + 8;
    damaged.fill(0xff, bytes.length - footer - 3000, bytes.length - footer);
    writeFileSync(path('damaged.parquet'), damaged);
    const skipped = `select count(*), count(n) from read_parquet(['${path('cut.parquet')}', '${good}'])`;
    const first = await quern(skipped, 2, { on_bad_file: 'skip' });
    expect(first.rows).toEqual([['1000', '1000']]);
    const second = await quern(
      `select count(id), max(s.b) from read_parquet(['${path('damaged.parquet')}', '${path('one.parquet')}'])`,
      2,
      { on_bad_file: 'skip' },
    );
    expect(second.rows[0]?.[0]).toBe('24000');
    expect(second.metrics.skippedFiles.map((file) => file.path)).toEqual([path('damaged.parquet')]);
    await expect(quern(`select count(id), max(s.b) from '${path('damaged.parquet')}'`)).rejects.toMatchObject({
      source: 'io',
    });
  });

  test('input order over files', async () => {
    await expectLikeDuckDb(`select n, v from '${path('hive')}/*/*/*.parquet'`, 5);
  });
});
