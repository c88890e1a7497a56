import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Field, type Table, Type, tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { readParquet } from 'parquet-wasm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCorpus } from '../../scripts/runners/corpus/corpus_files.ts';
import { errorText } from '../../src/check/error_text.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { TextEngine, TextResult } from '../../src/reference/text_engine.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { arrowBytes } from '../arrow_write/arrow_bytes.ts';
import { isVariant, looseLeaf, PARSERS, type Plain, plainColumns, plainValue } from './foreign_values.ts';
import { exactLeaf, type ShowLeaf } from './foreign_variant.ts';

const root = process.env.QUERN_CORPUS;
let folder: string;
let quern: Session;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-corpus-'));
  quern = await openSession({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 2 });
});

afterAll(async () => {
  await Promise.all([quern.close(), duckdb.close()]);
  await rm(folder, { recursive: true });
});

/** Values of a file that the readers in JavaScript are asked for: the first rows. */
const MOST_VALUES = 20_000;

/** Values that Parquet or the writer cannot hold, and say so. */
const REFUSALS = /intervals|without columns/;

async function textOf(sql: string): Promise<TextResult> {
  let last: TextResult | null = null;
  for await (const { result } of quern.query(sql)) last = await readAsText(result);
  return last ?? { columns: [], rows: [] };
}

const typesOf = (result: TextResult): string => result.columns.map(({ type }) => type).join(', ');

/** Faults of one file: what reading its copy gives instead of the same. */
async function faults(path: string): Promise<string[]> {
  const from = `read_parquet('${path.replaceAll("'", "''")}', hive_partitioning = false)`;
  let wanted: TextResult;
  try {
    wanted = await textOf(`SELECT * FROM ${from}`);
  } catch {
    return []; // what cannot be read is the corpus runner's matter
  }
  const copy = join(folder, 'copy.parquet');
  try {
    await textOf(`COPY (SELECT * FROM ${from}) TO '${copy}' (FORMAT parquet, ROW_GROUP_SIZE 3000)`);
  } catch (error) {
    return REFUSALS.test(errorText(error)) ? [] : [errorText(error)];
  }
  const found: string[] = [];
  const check = async (reader: string, differences: () => Promise<readonly string[]>): Promise<void> => {
    try {
      for (const difference of await differences()) found.push(`${reader}: ${difference}`);
    } catch (error) {
      found.push(`${reader}: ${errorText(error)}`);
    }
  };
  await check('quern', () => byQuern(copy, wanted));
  await check('duckdb', () => byDuckDb(copy, from, wanted));
  const table = await firstRows(copy);
  await check('parquet-wasm', () => byParquetWasm(copy, path, table));
  await check('hyparquet', () => byHyparquet(copy, path, table));
  return found;
}

/** What quern reads of a copy, at most MOST_VALUES values or one row. */
async function firstRows(copy: string): Promise<Table> {
  const rowsOf = async (limit: number) =>
    tableFromIPC(await arrowBytes(quern, `SELECT * FROM '${copy}' LIMIT ${limit}`, 'stream'));
  const leaves = (fields: readonly Field[]): number =>
    fields.reduce((sum, { type }) => sum + (type.children?.length > 0 ? leaves(type.children) : 1), 0);
  return rowsOf(Math.ceil(MOST_VALUES / leaves((await rowsOf(0)).schema.fields)));
}

async function byQuern(copy: string, wanted: TextResult): Promise<string[]> {
  const found = await textOf(`SELECT * FROM '${copy}'`);
  return [
    ...(JSON.stringify(found.rows) === JSON.stringify(wanted.rows) ? [] : ['other rows']),
    ...(typesOf(found) === typesOf(wanted) ? [] : [`${typesOf(found)} for ${typesOf(wanted)}`]),
  ];
}

/** DuckDB reads the copy as quern reads the source, or as it reads that itself. */
async function byDuckDb(copy: string, from: string, wanted: TextResult): Promise<string[]> {
  const found = (await duckdb.run(`SELECT * FROM '${copy}'`)) as TextResult;
  const differences = differingColumns(found, wanted);
  if (differences.length === 0)
    return wanted.columns.some(({ type }) => /VARIANT/.test(type)) ? byKind(copy, from) : [];
  try {
    const own = (await duckdb.run(`SELECT * FROM ${from}`)) as TextResult;
    return differingColumns(found, own).length === 0 ? [] : differences;
  } catch {
    return differences;
  }
}

/** Variants are equal to DuckDB when their kinds are as well: 1 is not '1', nor 1 of another width. */
async function byKind(copy: string, from: string): Promise<string[]> {
  // Grouped, since EXCEPT compares some of them by operators, which refuse values of two kinds.
  const both = `SELECT *, 1 AS "which file" FROM ${from} UNION ALL SELECT *, -1 FROM '${copy}'`;
  const rows = `FROM (${both}) SELECT COLUMNS(* EXCLUDE ("which file")) GROUP BY ALL HAVING sum("which file") <> 0`;
  const { rows: differing } = (await duckdb.run(rows)) as TextResult;
  return differing.map((row) => `no equal row for ${row.join('|')}`);
}

function differingColumns(found: TextResult, wanted: TextResult): string[] {
  if (found.rows.length !== wanted.rows.length) return [`${found.rows.length} rows for ${wanted.rows.length}`];
  return wanted.columns.flatMap(({ name, type }, at) => {
    const row = wanted.rows.findIndex((values, i) => values[at] !== found.rows[i]?.[at]);
    return row < 0 ? [] : [`${name} ${type}, row ${row}: ${found.rows[row]?.[at]} for ${wanted.rows[row]?.[at]}`];
  });
}

function firstDifference(found: readonly Plain[], wanted: readonly Plain[]): string | undefined {
  if (found.length !== wanted.length) return `${found.length} rows for ${wanted.length}`;
  const row = wanted.findIndex((value, i) => JSON.stringify(value) !== JSON.stringify(found[i]));
  return row < 0 ? undefined : `row ${row}: ${JSON.stringify(found[row])} for ${JSON.stringify(wanted[row])}`;
}

async function arrowByParquetWasm(path: string, limit: number): Promise<Table> {
  return tableFromIPC(readParquet(await readFile(path), { limit }).intoIPCStream());
}

/** The columns of the copy; variants, which quern gives as text, must have the kinds and values of the source. */
async function byParquetWasm(copy: string, source: string, wanted: Table): Promise<string[]> {
  const found = plainColumns(await arrowByParquetWasm(copy, wanted.numRows));
  const left = (field: Field): boolean => anyPart(field, isInterval);
  return differences(wanted, await variantsOf(source, wanted, exactLeaf), left, (_, at) => found[at] ?? []);
}

async function byHyparquet(copy: string, source: string, wanted: Table): Promise<string[]> {
  const bytes = await readFile(copy);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const left = (field: Field): boolean => anyPart(field, isInterval);
  const columns = wanted.schema.fields.filter((field) => !left(field)).map(({ name }) => name);
  const options = { file, compressors, columns, utf8: false, rowEnd: wanted.numRows, parsers: PARSERS };
  const rows = (await parquetReadObjects(options)) as Record<string, unknown>[];
  return differences(wanted, await variantsOf(source, wanted, looseLeaf), left, (field) =>
    rows.map((row) => plainValue(row[field.name], field)),
  );
}

/** By position, columns that hold variants, as they are stored in the source. */
async function variantsOf(
  source: string,
  wanted: Table,
  show: ShowLeaf,
): Promise<ReadonlyMap<number, readonly Plain[]>> {
  const places = [...wanted.schema.fields.keys()].filter((at) => anyPart(wanted.schema.fields[at] as Field, isVariant));
  if (places.length === 0) return new Map();
  const columns = plainColumns(await arrowByParquetWasm(source, wanted.numRows), show);
  return new Map(places.map((at) => [at, columns[at] ?? []]));
}

/** The first difference of each column from what `wanted`, or `instead` of it, has; but for those `left` out. */
function differences(
  wanted: Table,
  instead: ReadonlyMap<number, readonly Plain[]>,
  left: (field: Field) => boolean,
  found: (field: Field, at: number) => readonly Plain[],
): string[] {
  return plainColumns(wanted).flatMap((values, at) => {
    const field = wanted.schema.fields[at] as Field;
    if (left(field)) return [];
    const difference = firstDifference(found(field, at), instead.get(at) ?? values);
    return difference === undefined ? [] : [`${field.name} ${field.type}, ${difference}`];
  });
}

const anyPart = (field: Field, test: (part: Field) => boolean): boolean =>
  test(field) || (field.type.children ?? []).some((child: Field) => anyPart(child, test));

/** hyparquet refuses intervals; apache-arrow, through which parquet-wasm is asked, has no months, days and nanoseconds. */
const isInterval = ({ type }: Field): boolean => type.typeId === Type.Interval;

test.skipIf(root === undefined)(
  'every file of the corpus that is right comes back equal from each reader (QUERN_CORPUS)',
  async () => {
    const corpus = readCorpus(root as string);
    const files = corpus.files.filter((entry) => entry.expect === 'match');
    const found: string[] = [];
    for (const { file } of files) {
      for (const fault of await faults(join(corpus.root, file))) found.push(`${file}: ${fault}`);
    }
    expect(found).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  },
  1_800_000,
);
