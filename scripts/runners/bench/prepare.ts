import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDuckDb } from '../../../src/reference/duckdb_module.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';

/** Rows at scale 1. */
const GROUP_ROWS = 20_000_000;
const SCAN_ROWS = 10_000_000;
const LIST_ROWS = 1_000_000;
const LIST_LENGTH = 64;
const VECTOR_ROWS = 500_000;
const VECTOR_LENGTH = 128;
const JOIN_ROWS = 3_000_000;
/** Keys of the large dimension, as many as TPC-DS has customer demographics. */
const JOIN_KEYS = 1_920_800;
/** Between keys that lie far apart. */
const SPARSE_STEP = 1_000_003;
/** Changes when the data do. */
const VERSION = 1;

/** Values follow from the row number through DuckDB's hash, so that every machine gets the same rows. */
const TABLES: Readonly<Record<string, (scale: number) => string>> = {
  groups: (scale) => `
    SELECT 1::INTEGER AS k1, (hash(i) % 100)::INTEGER AS k100, (hash(i + 1) % 10000)::INTEGER AS k10k,
      (hash(i + 2) % 1000000)::INTEGER AS k1m, (hash(i + 3) % 1000)::INTEGER AS x,
      ((hash(i + 4) % 1000000)::BIGINT - 500000)::DECIMAL(9, 2) AS m, (hash(i + 5) % 1000000)::DOUBLE / 8 AS d,
      'group-' || (hash(i) % 100) AS s100, 'a longer group name ' || (hash(i + 1) % 10000) AS s10k
    FROM range(${Math.round(GROUP_ROWS * scale)}) t(i)`,
  scan: (scale) => `
    SELECT (hash(i) % 1000000)::INTEGER AS i32, (hash(i + 1) % 1000000000000)::BIGINT AS i64,
      ((hash(i + 2) % 2000000)::BIGINT - 1000000)::DECIMAL(9, 2) AS m9,
      ((hash(i + 3) % 2000000000)::BIGINT - 1000000000)::DECIMAL(18, 3) AS m18,
      (hash(i + 4) % 1000000000000)::DECIMAL(30, 4) * 1000003 AS m30,
      (hash(i + 5) % 100000000)::DOUBLE / 8 AS d,
      'word-' || (hash(i + 6) % 1000) AS s_low, 'value ' || hash(i + 7) AS s_high
    FROM range(${Math.round(SCAN_ROWS * scale)}) t(i)`,
  scan_list: (scale) => `
    SELECT i::INTEGER AS id, list_transform(range(${LIST_LENGTH}), lambda j: ((hash(i * ${LIST_LENGTH} + j) % 2000001)::BIGINT - 1000000)::FLOAT / 1000000) AS v
    FROM range(${Math.round(LIST_ROWS * scale)}) t(i)`,
  join_fact: (scale) => `
    SELECT i::INTEGER AS id, (hash(i) % 1000)::INTEGER AS small, (hash(i + 1) % ${JOIN_KEYS})::INTEGER AS dense,
      (hash(i + 1) % ${JOIN_KEYS})::BIGINT * ${SPARSE_STEP} AS sparse,
      'a key of text ' || (hash(i + 2) % 100000) AS s, (hash(i + 3) % 1000)::INTEGER AS a,
      (hash(i + 4) % 500)::BIGINT AS b,
      floor(exp((hash(i + 5) % 1000000)::DOUBLE / 1000000 * ln(${JOIN_KEYS})))::INTEGER - 1 AS zipf,
      (hash(i + 6) % 1000)::INTEGER AS x, (hash(i + 7) % 1000000)::INTEGER AS t
    FROM range(${Math.round(JOIN_ROWS * scale)}) t(i)`,
  join_small: () => `
    SELECT i::INTEGER AS k, 'name ' || i AS name, (i % 7)::INTEGER AS w FROM range(1000) t(i)`,
  join_large: () => `
    SELECT i::INTEGER AS k, i::BIGINT * ${SPARSE_STEP} AS sparse, (hash(i) % 1000)::INTEGER AS v
    FROM range(${JOIN_KEYS}) t(i)`,
  join_text: () => `
    SELECT 'a key of text ' || i AS s, (hash(i) % 1000)::INTEGER AS v FROM range(100000) t(i)`,
  join_pair: () => `
    SELECT (i % 1000)::INTEGER AS a, (i // 1000)::BIGINT AS b, (hash(i) % 1000)::INTEGER AS v FROM range(500000) t(i)`,
  join_repeated: (scale) => `
    SELECT i::INTEGER AS id, (i // 10)::INTEGER AS m10, (i // 1000)::INTEGER AS m1000, (i // 50000)::INTEGER AS m50000,
      floor(exp((hash(i + 5) % 1000000)::DOUBLE / 1000000 * ln(100000)))::INTEGER - 1 AS zipf,
      (hash(i) % 1000)::INTEGER AS v, (hash(i + 1) % 1000)::INTEGER AS y
    FROM range(${Math.round(1_000_000 * scale)}) t(i)`,
  join_ranges: () => `
    SELECT i::INTEGER AS id, (i * 100)::INTEGER AS lo, (i * 100 + 99)::INTEGER AS hi FROM range(10000) t(i)`,
  vectors_large_pages: (scale) => `
    SELECT i AS id, list_transform(range(${VECTOR_LENGTH}), lambda j: ((hash(i * ${VECTOR_LENGTH} + j) % 2000001)::BIGINT - 1000000)::FLOAT / 1000000) AS vec
    FROM range(${Math.round(VECTOR_ROWS * scale)}) t(i)`,
};

/** Tables that quern copies from others, so that its own writer's pages (1 MiB, with an index) are measured too. */
const COPIES: Readonly<Record<string, string>> = { vectors: 'vectors_large_pages' };

/** Writes the tables that are missing into `folder`; one file each, rewritten when the scale changes. */
export async function prepareData(folder: string, scale: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const stampFile = join(folder, 'stamp.json');
  const stamp = JSON.stringify({ version: VERSION, scale });
  const fresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  const isMissing = (table: string): boolean => !fresh || !existsSync(join(folder, `${table}.parquet`));
  await writeTables(folder, Object.keys(TABLES).filter(isMissing), scale);
  await copyTables(folder, Object.keys(COPIES).filter(isMissing));
  writeFileSync(stampFile, stamp);
}

async function writeTables(folder: string, missing: readonly string[], scale: number): Promise<void> {
  if (missing.length === 0) return;
  const { DuckDBInstance } = await loadDuckDb();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const table of missing) {
    process.stderr.write(`bench: writing ${table}.parquet\n`);
    const path = join(folder, `${table}.parquet`);
    const query = (TABLES[table] as (scale: number) => string)(scale);
    await connection.run(`COPY (${query}) TO '${path}.tmp' (FORMAT parquet, COMPRESSION snappy)`);
    renameSync(`${path}.tmp`, path);
  }
  connection.closeSync();
  instance.closeSync();
}

async function copyTables(folder: string, missing: readonly string[]): Promise<void> {
  if (missing.length === 0) return;
  const engine = await openTextEngine('quern');
  for (const table of missing) {
    process.stderr.write(`bench: writing ${table}.parquet\n`);
    const path = (name: string): string => `'${join(folder, `${name}.parquet`)}'`;
    await engine.run(`COPY (SELECT * FROM ${path(COPIES[table] as string)}) TO ${path(table)}`);
  }
  await engine.close();
}
