import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { TextEngine, TextResult } from '../../src/reference/text_engine.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { COLUMNS, NESTED, withNulls } from '../parquet_write/source_columns.ts';
import { arrowBytes } from './arrow_bytes.ts';

const READ_BOTH = fileURLToPath(new URL('read_both.py', import.meta.url));
const hasPyarrow = spawnSync('python3', ['-c', 'import pyarrow']).status === 0;

let folder: string;
let duckdb: TextEngine;
let narrow: Session;
/** as if the limit of 32-bit offsets were 16 elements */
let wide: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-arrow-'));
  duckdb = await openDuckDbEngine({ threads: 1 });
  narrow = await openSession({ threads: 2 });
  wide = await openSession({ threads: 2, settings: { 'list.offset_limit': '16', 'batch.rows': '100' } });
});

afterAll(async () => {
  await Promise.all([duckdb.close(), narrow.close(), wide.close()]);
  await rm(folder, { recursive: true });
});

async function textOf(session: Session, sql: string): Promise<TextResult> {
  for await (const { result } of session.query(sql)) return (await readAsText(result)) as TextResult;
  throw new Error('no result');
}

/** What pyarrow says of an Arrow file, compared with its Parquet twin: the fields, after lines that name differences. */
function pyarrow(...paths: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('python3', [READ_BOTH, ...paths], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim();
}

/** What pyarrow has no plain Python value for: intervals of Parquet, nanoseconds. */
const NOT_IN_PYTHON = new Set(['iv', 'tns']);
const names = Object.keys(COLUMNS);
const inPython = names.filter((name) => !NOT_IN_PYTHON.has(name)).join(', ');
const select = (wrap: (expression: string) => string, rows: number): string =>
  `SELECT ${names.map((name) => `${wrap(COLUMNS[name] as string)} AS ${name}`).join(', ')} FROM range(${rows}) t(i)`;

/** `extra`: columns of types that DuckDB lacks. */
async function roundTrip(query: string, extra = ''): Promise<void> {
  const source = join(folder, 'source.parquet');
  const twin = join(folder, 'twin.parquet');
  await duckdb.run(`COPY (${query}) TO '${source}' (FORMAT parquet)`);
  await duckdb.run(`COPY (SELECT ${inPython} FROM '${source}') TO '${twin}' (FORMAT parquet)`);
  const sql = `SELECT *${extra} FROM '${source}'`;
  const wanted = await textOf(narrow, sql);
  for (const [session, form] of [
    [narrow, 'file'],
    [wide, 'stream'],
  ] as const) {
    const copy = join(folder, 'copy.arrow');
    const bytes = await arrowBytes(session, sql, form);
    await writeFile(copy, bytes);
    expect(await textOf(narrow, `SELECT * FROM '${copy}'`)).toEqual(wanted);
    expect(tableFromIPC(bytes).numRows).toBe(wanted.rows.length);
    if (hasPyarrow) expect(pyarrow(copy, twin)).not.toContain('differ');
  }
}

describe(`every type, read by quern, apache-arrow and ${hasPyarrow ? 'pyarrow' : '(skipped: no pyarrow)'}`, () => {
  const short = ', f32::FLOAT16 AS f16, f32::BFLOAT16 AS bf16, [f32::FLOAT16, NULL] AS f16s';

  test.each([0, 2049])('%i rows without and with nulls', async (rows) => {
    await roundTrip(
      select((x) => x, rows),
      short,
    );
    await roundTrip(select(withNulls, rows), short);
  });

  test.each(Object.keys(NESTED))('nested: %s', async (form) => {
    await roundTrip(select(NESTED[form] as (expression: string) => string, 250));
  });
});

describe('types of the file', () => {
  const sql = `SELECT i, 'x' || i AS s, [i, i] AS l, [['a']] AS ll, MAP {'k': 1} AS m, [1.5::FLOAT16] AS h,
    TIMESTAMPTZ '2024-01-01 00:00:00+00' AS z, INTERVAL '1 month 2 days 3 seconds' AS iv FROM range(40) t(i)`;

  test('offsets have 32 bits up to list.offset_limit elements, then 64', async () => {
    const types = async (session: Session) =>
      Object.fromEntries(
        tableFromIPC(await arrowBytes(session, sql, 'file')).schema.fields.map((f) => [f.name, String(f.type)]),
      );
    expect(await types(narrow)).toMatchObject({ s: 'Utf8', l: 'List<Int64>', h: 'List<Float16>' });
    expect(await types(wide)).toMatchObject({ s: 'LargeUtf8', l: 'LargeList<Int64>', h: 'LargeList<Float16>' });
  });

  test.skipIf(!hasPyarrow)('as pyarrow names them', async () => {
    const path = join(folder, 'types.arrow');
    await writeFile(path, await arrowBytes(wide, sql, 'file'));
    expect(pyarrow(path)).toBe(
      'i int64, s large_string, l large_list<item: int64>, ll large_list<item: large_list<item: large_string>>, ' +
        'm map<large_string, int32>, h large_list<item: halffloat>, z timestamp[us, tz=UTC], iv month_day_nano_interval',
    );
  });

  test('the values of 32 rows and lists reach apache-arrow', async () => {
    const table = tableFromIPC(await arrowBytes(narrow, sql, 'stream'));
    const rows = table.toArray().map((row) => row.toJSON());
    expect(rows).toHaveLength(40);
    rows.forEach((row, i) => {
      expect(row.i).toBe(BigInt(i));
      expect(row.s).toBe(`x${i}`);
      expect([...row.l]).toEqual([BigInt(i), BigInt(i)]);
      expect([...row.h]).toEqual([1.5]);
      expect(row.z).toBe(Date.UTC(2024, 0, 1));
    });
  });

  test('an interval beyond 64 bits of nanoseconds is an error', async () => {
    const long = "SELECT INTERVAL '9223372036854 seconds' AS iv";
    await expect(arrowBytes(narrow, long, 'file')).rejects.toThrow('Arrow holds intervals of at most 2^63 nanoseconds');
  });
});
