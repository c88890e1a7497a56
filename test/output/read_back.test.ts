/** What DuckDB reads from our CSV and JSON: the values that were written. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OutputOptions } from '../../src/output/format.ts';
import { findFormat } from '../../src/output/registry.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { COLUMNS, NESTED, withNulls } from '../parquet_write/source_columns.ts';
import { noBytes } from './result_column.ts';

let folder: string;
let duckdb: TextEngine;
let session: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-read-back-'));
  duckdb = await openDuckDbEngine({ threads: 1 });
  session = await openSession({ threads: 2 });
});

afterAll(async () => {
  await duckdb.close();
  await session.close();
  await rm(folder, { recursive: true });
});

/** Writes the rows of a Parquet file of DuckDB's in a format; gives both paths. */
async function write(
  select: string,
  name: string,
  options: OutputOptions = {},
): Promise<{ source: string; path: string }> {
  const source = join(folder, 'source.parquet');
  const path = join(folder, `out.${name}`);
  await duckdb.run(`COPY (${select}) TO '${source}' (FORMAT parquet)`);
  const format = await findFormat(name)?.load();
  let text = '';
  for await (const { result } of session.query(`SELECT * FROM '${source}'`)) {
    const sink = {
      write: (chunk: string) => {
        text += chunk;
      },
      writeBytes: noBytes,
    };
    const writer = (format as NonNullable<typeof format>).create(sink, options);
    await writer.begin(result.schema);
    for await (const batch of result.batches()) await writer.batch(batch);
    await writer.end();
  }
  await writeFile(path, text);
  return { source, path };
}

/** `{'a': 'INTEGER', …}` of a file, for read_csv and read_json. */
async function columnsOf(source: string): Promise<string> {
  const described = await duckdb.run(`DESCRIBE FROM '${source}'`);
  const items = described?.rows.map(([name, type]) => `'${name}': '${(type as string).replaceAll("'", "''")}'`);
  return `{${items?.join(', ')}}`;
}

async function expectCsv(select: string, options: OutputOptions = {}, extra = ''): Promise<void> {
  const { source, path } = await write(select, 'csv', options);
  const found = await duckdb.run(
    `SELECT * FROM read_csv('${path}', header = ${options.header !== false}, columns = ${await columnsOf(source)},
      auto_detect = false, quote = '"', escape = '"', delim = '${options.separator ?? ','}', allow_quoted_nulls = false,
      max_line_size = 10000000, buffer_size = 40000000 ${extra})`,
  );
  expect(found).toEqual(await duckdb.run(`SELECT * FROM '${source}'`));
}

async function expectJson(select: string): Promise<void> {
  for (const name of ['json', 'jsonl']) {
    const { source, path } = await write(select, name);
    const found = await duckdb.run(
      `SELECT * FROM read_json('${path}', format = '${name === 'json' ? 'array' : 'newline_delimited'}',
        columns = ${await columnsOf(source)}, maximum_object_size = 100000000)`,
    );
    expect(found).toEqual(await duckdb.run(`SELECT * FROM '${source}'`));
  }
}

const list = (names: readonly string[], wrap: (expression: string) => string): string =>
  names.map((name) => `${wrap(COLUMNS[name] as string)} AS ${name}`).join(', ');
const vector = (length: number) =>
  `SELECT i, list_transform(range(${length}), lambda j: ((hash(i * ${length} + j) % 2000001)::BIGINT - 1000000)::FLOAT / 7 *
    pow(10, (hash(j) % 60)::INTEGER - 30)::FLOAT) AS v, list_transform(range(${length}), lambda j: (hash(i + j) % 1000000007)::DOUBLE / 1e5 *
    pow(2, (hash(j + i) % 1800)::INTEGER - 900)) AS d FROM range(40) t(i)`;
const texts = `SELECT s, [s, NULL, s] AS l, {'a b': s, 'c': [s]} AS st, MAP {s: s} AS m FROM (VALUES ('plain'), (''), ('a,b'), ('say "hi"'),
  ('it''s'), ('[1, 2]'), ('{x: y}'), ('NULL'), (' blank '), ('back\\slash'), ('ümläut 🐞'), ('a=b'), ('two;parts'), ('tab' || chr(9))) t(s)`;

describe('CSV', () => {
  test('every type, without and with nulls', async () => {
    const names = Object.keys(COLUMNS);
    await expectCsv(`SELECT ${list(names, (x) => x)} FROM range(500) t(i)`);
    await expectCsv(`SELECT ${list(names, withNulls)} FROM range(500) t(i)`, { header: false, separator: ';' });
  });

  test.each(['list', 'struct', 'lists'])('nested: %s', async (form) => {
    const names = Object.keys(COLUMNS).filter((name) => name !== 'bl');
    await expectCsv(`SELECT ${list(names, NESTED[form] as (x: string) => string)} FROM range(60) t(i)`);
  });

  test('wide vectors, to the last bit', () => expectCsv(vector(1536)));

  test('text that needs quotes, nested too', () => expectCsv(texts));
});

describe('JSON', () => {
  /** NaN and infinities are null in JSON. */
  const names = Object.keys(COLUMNS).filter((name) => name !== 'f32');

  test('every type, without and with nulls', async () => {
    await expectJson(`SELECT ${list(names, (x) => x)} FROM range(500) t(i)`);
    await expectJson(`SELECT ${list(names, withNulls)} FROM range(500) t(i)`);
  });

  test.each(['list', 'struct', 'map', 'lists', 'deep'])('nested: %s', async (form) => {
    await expectJson(`SELECT ${list(names, NESTED[form] as (x: string) => string)} FROM range(60) t(i)`);
  });

  test('wide vectors, to the last bit', () => expectJson(vector(1536)));

  test('text that needs escapes, nested too', () => expectJson(texts));
});

describe('INSERT', () => {
  async function expectInsert(select: string): Promise<void> {
    const { source, path } = await write(select, 'insert', { table: 'copy' });
    await duckdb.run(`CREATE OR REPLACE TABLE copy AS FROM '${source}' LIMIT 0`);
    for (const statement of (await readFile(path, 'utf8')).split(/;\n/).filter((text) => text !== '')) {
      await duckdb.run(statement);
    }
    expect(await duckdb.run('FROM copy')).toEqual(await duckdb.run(`FROM '${source}'`));
  }

  test('every type, without and with nulls', async () => {
    const names = Object.keys(COLUMNS);
    await expectInsert(`SELECT ${list(names, (x) => x)} FROM range(60) t(i)`);
    await expectInsert(`SELECT ${list(names, withNulls)} FROM range(60) t(i)`);
  });

  test('nested values', () =>
    expectInsert(`SELECT ${list(['f64', 's', 'd9', 'ts'], NESTED.deep as (x: string) => string)} FROM range(30) t(i)`));

  test('floats to the last bit', () =>
    expectInsert(`SELECT unnest(d) AS d, unnest(v) AS v FROM (${vector(20)}) LIMIT 300`));
});
