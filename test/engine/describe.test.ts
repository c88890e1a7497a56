import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from '../../src/engine/index.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { openTextEngine } from '../../src/reference/text_engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-describe-'));
const path = (name: string): string => join(folder, name);
const engine = new Engine({ threads: 2 });
let duck: TextEngine;

beforeAll(async () => {
  duck = await openTextEngine('duckdb', { threads: 1 });
  const write = (name: string, sql: string): Promise<unknown> =>
    duck.run(`copy (${sql}) to '${path(name)}' (row_group_size 2048)`);
  await write(
    'a.parquet',
    `select i::int as i, i / 4.0::double as d, case when i % 10 = 0 then null else 'v' || lpad(i::varchar, 4, '0') end as s,
      [i] as l, (i * 100)::decimal(12, 2) as m, date '2020-01-01' + i::int as day, null::int as n from range(5000) t(i)`,
  );
  await write('b.parquet', 'select 7::bigint as i, 2.5::float as d');
  await write('c.parquet', "select 'text' as i");
  await write('empty.parquet', 'select 1 as i where false');
});

afterAll(async () => {
  await engine.close();
  await duck.close();
  rmSync(folder, { recursive: true, force: true });
});

test('schema, rows and bounds of one file', async () => {
  const { columns, rows, files, skipped } = await engine.describeFiles([path('a.parquet')], { format: 'parquet' });
  expect(rows).toBe(5000);
  expect(files).toEqual([{ path: path('a.parquet'), rows: 5000, rowGroups: 3 }]);
  expect(skipped).toEqual([]);
  const column = (name: string) => columns.find((one) => one.name === name);
  expect(column('i')).toMatchObject({
    type: { kind: 'int32' },
    bounds: { min: 0n, max: 4999n, exact: true, nullCount: 0, mayHoldNan: false },
  });
  expect(column('d')?.bounds).toMatchObject({ min: -0, max: 1249.75, exact: false, nullCount: 0 });
  expect(column('s')?.bounds).toMatchObject({ min: 'v0001', max: 'v4999', nullCount: 500 });
  expect(column('l')).toMatchObject({ type: { kind: 'list', element: { kind: 'int64' } }, bounds: null });
  expect(column('m')).toMatchObject({
    type: { kind: 'decimal', precision: 12, scale: 2 },
    bounds: { max: 49_990_000n },
  });
  expect(column('day')?.bounds).toMatchObject({ min: 18_262n, max: 23_261n });
  expect(column('n')?.bounds).toMatchObject({ min: null, max: null, exact: true, nullCount: 5000 });
});

test('files of other types are widened, or named', async () => {
  const both = [path('b.parquet'), path('a.parquet')];
  const { columns, rows } = await engine.describeFiles(both, { format: 'parquet' });
  expect(rows).toBe(5001);
  expect(columns.map((column) => [column.name, column.type?.kind])).toEqual([
    ['i', 'int64'],
    ['d', 'float64'],
  ]);
  // Bounds of files that store another type say nothing about the widened one.
  expect(columns[0]?.bounds).toBeNull();
  await expect(
    engine.describeFiles([path('b.parquet'), path('c.parquet')], { format: 'parquet', unionByName: true }),
  ).rejects.toThrow(
    `files differ in the type of column i: BIGINT in ${path('b.parquet')}, VARCHAR in ${path('c.parquet')}`,
  );
  await expect(engine.describeFiles([path('a.parquet'), path('b.parquet')], { format: 'parquet' })).rejects.toThrow(
    `column s of ${path('a.parquet')} is missing in ${path('b.parquet')}`,
  );
  const union = await engine.describeFiles([path('b.parquet'), path('a.parquet')], {
    format: 'parquet',
    unionByName: true,
  });
  expect(union.columns.map((column) => column.name)).toEqual(['i', 'd', 's', 'l', 'm', 'day', 'n']);
});

test('no rows, bad files', async () => {
  writeFileSync(path('bad.parquet'), 'PAR1 nothing PAR1');
  const empty = await engine.describeFiles([path('empty.parquet')], { format: 'parquet' });
  expect(empty.rows).toBe(0);
  await expect(engine.describeFiles([path('bad.parquet')], { format: 'parquet' })).rejects.toMatchObject({
    source: 'io',
    code: 'corrupt-file',
  });
  const skipped = await engine.describeFiles([path('bad.parquet'), path('b.parquet')], {
    format: 'parquet',
    skipBadFiles: true,
  });
  expect(skipped.rows).toBe(1);
  expect(skipped.skipped.map((file) => file.path)).toEqual([path('bad.parquet')]);
});

test('inspect reads the footer', async () => {
  expect(await engine.inspectFile(path('a.parquet'))).toMatchObject({ rows: 5000 });
});
