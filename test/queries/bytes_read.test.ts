import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTables } from '../../src/bench/tables.ts';
import type { QueryMetrics } from '../../src/common/batch.ts';
import { generateTpcds } from '../../src/gen/index.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import type { Session } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

const D01 = await readFile(resolve(import.meta.dirname, '../../queries/d01_partition_week.sql'), 'utf8');
let folder: string;
let session: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-bytes-'));
  session = await openSession({ threads: 2 });
  await generateTpcds({
    session,
    // enough for several row groups a month
    scale: 0.25,
    seed: 1n,
    out: folder,
    tables: ['date_dim', 'store', 'store_sales', 'store_sales_by_month'],
    overwrite: false,
    compression: 'zstd',
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  for (const { table, glob } of await findTables(folder, {})) session.registerTable(table, glob);
}, 60_000);

afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true });
});

async function metricsOf(sql: string, from: Session = session): Promise<QueryMetrics> {
  let metrics: QueryMetrics | undefined;
  for await (const { result } of from.query(sql)) {
    for await (const _ of result.batches());
    metrics = result.metrics();
  }
  return metrics as QueryMetrics;
}

/** Bytes of the column chunks of the wanted row groups, by the footers. */
async function chunkBytes(files: string, columns: readonly string[], rowGroups = 'true'): Promise<number> {
  const duckdb = await openDuckDbEngine();
  try {
    const names = columns.map((name) => `'${name}'`).join(', ');
    const answer = await duckdb.run(
      `WITH chunks AS (SELECT * FROM parquet_metadata('${join(folder, files)}'))
       SELECT sum(total_compressed_size) FROM chunks
       WHERE path_in_schema IN (${names}) AND (file_name, row_group_id) IN (SELECT (file_name, row_group_id) FROM chunks WHERE ${rowGroups})`,
    );
    return Number(answer?.rows[0]?.[0]);
  } finally {
    await duckdb.close();
  }
}

test('d01 reads the row groups of its week in the partition of its month, and no others', async () => {
  const columns = ['ss_sold_date_sk', 'ss_store_sk', 'ss_ticket_number', 'ss_quantity', 'ss_ext_sales_price'];
  const month = 'store_sales_by_month/ss_sold_year=2001/ss_sold_month=11/*.parquet';
  // 2452233 is 19 November 2001
  const inWeek = `path_in_schema = 'ss_sold_date_sk' AND stats_max_value::INT >= 2452233 AND stats_min_value::INT <= 2452239`;
  const week = await chunkBytes(month, columns, inWeek);
  expect(week).toBeGreaterThan(0);
  expect(week).toBeLessThan(await chunkBytes(month, columns));
  const days = await chunkBytes('date_dim.parquet', ['d_date_sk', 'd_date']);
  const stores = await chunkBytes('store.parquet', ['s_store_sk', 's_store_name']);
  const { bytesRead } = await metricsOf(D01);
  expect(bytesRead).toBeGreaterThan(week / 2);
  expect(bytesRead).toBeLessThanOrEqual(week + days + stores);
});

test.each([2, 3, 8])('a row group of a few pages is not read twice by %i threads', async (threads) => {
  const sql = `SELECT count(d_date), sum(d_year) FROM '${join(folder, 'date_dim.parquet')}' WHERE d_date >= DATE '1950-01-01'`;
  const bytesOn = async (count: number): Promise<number> => {
    const other = await openSession({ threads: count });
    try {
      return (await metricsOf(sql, other)).bytesRead;
    } finally {
      await other.close();
    }
  };
  const alone = await bytesOn(1);
  expect(alone).toBeGreaterThan(100_000);
  // headers and indexes are read by each thread
  expect(await bytesOn(threads)).toBeLessThan(alone * 1.2);
});
