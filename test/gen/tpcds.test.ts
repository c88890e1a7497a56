import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/common/error.ts';
import { type GenOptions, generateTpcds } from '../../src/gen/index.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { Session, SessionOptions } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

let folder: string;
let session: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-gen-'));
  session = await openSession({ threads: 2 });
});

afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true });
});

async function rowsOf(from: Session, sql: string): Promise<string[]> {
  for await (const { result } of from.query(sql)) {
    return ((await readAsText(result))?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
  }
  return [];
}

function options(out: string, more: Partial<GenOptions> = {}): GenOptions {
  return {
    session,
    scale: 0.001,
    seed: 1n,
    out,
    overwrite: false,
    compression: 'zstd',
    signal: new AbortController().signal,
    onProgress: () => {},
    ...more,
  };
}

async function failure(work: Promise<unknown>): Promise<QuernError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof QuernError) return error;
  throw new Error(`no error of ours: ${String(error)}`);
}

describe('tpcds()', () => {
  const everything = "SELECT * FROM tpcds('store_sales', scale := 0.002, seed := 7)";

  test('gives the same rows on any number of threads and any batch size', async () => {
    const settings: readonly SessionOptions[] = [{ threads: 1 }, { threads: 4, settings: { 'batch.rows': '7' } }];
    const expected = await rowsOf(session, everything);
    expect(expected).toHaveLength(6000);
    for (const setting of settings) {
      const other = await openSession(setting);
      try {
        expect(await rowsOf(other, everything)).toEqual(expected);
      } finally {
        await other.close();
      }
    }
  });

  test('gives other rows for another seed', async () => {
    const one = await rowsOf(session, "SELECT sum(ss_quantity) FROM tpcds('store_sales', scale := 0.002, seed := 7)");
    const two = await rowsOf(session, "SELECT sum(ss_quantity) FROM tpcds('store_sales', scale := 0.002, seed := 8)");
    expect(one).not.toEqual(two);
  });

  test('keeps the rules of the schema', async () => {
    const sales = `(${everything})`;
    const checks = `
      SELECT count(*) FILTER (WHERE ss_ext_sales_price <> ss_sales_price * ss_quantity),
             count(*) FILTER (WHERE ss_net_paid_inc_tax <> ss_net_paid + ss_ext_tax),
             count(*) FILTER (WHERE ss_net_profit <> ss_net_paid - ss_ext_wholesale_cost),
             count(*) FILTER (WHERE ss_item_sk NOT BETWEEN 1 AND 100),
             count(*) FILTER (WHERE ss_sold_date_sk NOT BETWEEN 2450816 AND 2452642),
             count(DISTINCT ss_ticket_number), min(ss_ticket_number), max(ss_ticket_number) FROM ${sales}`;
    expect(await rowsOf(session, checks)).toEqual(['0|0|0|0|0|500|1|500']);
    const repeated = `SELECT count(*) FROM (SELECT 1 FROM ${sales} GROUP BY ss_ticket_number, ss_item_sk HAVING count(*) > 1)`;
    expect(await rowsOf(session, repeated)).toEqual(['0']);
    const missing = await rowsOf(
      session,
      `SELECT avg((ss_customer_sk IS NULL)::INT) BETWEEN 0.03 AND 0.06 FROM ${sales}`,
    );
    expect(missing).toEqual(['true']);
  });

  test('date_dim is a calendar', async () => {
    const wrong = `SELECT count(*), min(d_date), max(d_date),
        count(*) FILTER (WHERE d_year <> year(d_date) OR d_moy <> month(d_date) OR d_dom <> day(d_date)
          OR d_dow <> dayofweek(d_date) OR d_day_name <> dayname(d_date) OR d_qoy <> quarter(d_date)
          OR d_date_sk - d_first_dom <> day(d_date) - 1 OR d_last_dom - d_date_sk <> date_diff('day', d_date, last_day(d_date))),
        count(*) FILTER (WHERE d_current_day = 'Y') FROM tpcds('date_dim', scale := 1, seed := 1)`;
    expect(await rowsOf(session, wrong)).toEqual(['73049|1900-01-02|2100-01-01|0|1']);
  });

  test('item vectors: some NULL, some zero, all of one length but in the second part', async () => {
    const sql = `SELECT count(*), count(*) - count(vec) BETWEEN 100 AND 260, min(len(vec)), max(len(vec)),
        count(*) FILTER (WHERE list_max(vec) = 0 AND list_min(vec) = 0) BETWEEN 5 AND 60
      FROM tpcds('item_vec', scale := 1, seed := 1)`;
    expect(await rowsOf(session, sql)).toEqual(['18000|true|64|64|true']);
    expect(
      await rowsOf(session, "SELECT item_sk, len(vec) FROM tpcds('item_vec_short', scale := 1, seed := 1)"),
    ).toEqual(['18001|48']);
  });
});

describe('gen tpcds', () => {
  test('writes files that DuckDB reads as the same rows', async () => {
    const out = join(folder, 'all');
    const written = await generateTpcds(options(out));
    expect(written.map((file) => [file.table, file.rows])).toEqual([
      ['date_dim', 73049],
      ['item', 100],
      ['store', 4],
      ['store_sales', 2400],
      ['item_vec', 100],
      ['item_vec', 1],
    ]);
    const duckdb = await openDuckDbEngine();
    try {
      for (const table of ['item', 'store', 'store_sales']) {
        const sql = `SELECT * FROM '${join(out, table)}.parquet'`;
        const theirs = await duckdb.run(sql);
        const ours = await rowsOf(session, `SELECT * FROM tpcds('${table}', scale := 0.001, seed := 1)`);
        expect(theirs?.rows.map((row) => row.map((value) => value ?? 'NULL').join('|'))).toEqual(ours);
        expect(await rowsOf(session, sql)).toEqual(ours);
      }
    } finally {
      await duckdb.close();
    }
  });

  test('leaves a file that is there alone, unless told', async () => {
    const out = join(folder, 'twice');
    await generateTpcds(options(out, { tables: ['store'] }));
    const error = await failure(generateTpcds(options(out, { tables: ['store'] })));
    expect([error.code, error.message, error.hint]).toEqual([
      'usage',
      `file exists: ${join(out, 'store.parquet')}`,
      '--overwrite replaces it',
    ]);
    await generateTpcds(options(out, { tables: ['store'], overwrite: true }));
    expect(await readdir(out)).toEqual(['store.parquet']);
  });

  test('refuses unknown tables and scales', async () => {
    const table = await failure(generateTpcds(options(folder, { tables: ['stores'] })));
    expect([table.message, table.hint]).toEqual(['no generator for table stores', 'did you mean "store"?']);
    const scale = await failure(generateTpcds(options(folder, { scale: 0 })));
    expect(scale.message).toBe('--scale: not a scale factor: 0');
  });

  test('leaves nothing when it is stopped', async () => {
    const out = join(folder, 'stopped');
    const error = await failure(
      generateTpcds(options(out, { tables: ['store_sales'], scale: 1, signal: AbortSignal.timeout(50) })),
    );
    expect(error.code).toBe('cancelled');
    expect(await readdir(out)).toEqual([]);
  });
});
