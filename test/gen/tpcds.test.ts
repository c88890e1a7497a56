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

  test.each([
    ['customer', 'true'],
    ['customer_address', 'true'],
    ['customer_demographics', 'cd_demo_sk % 499 = 1'],
    ['household_demographics', 'hd_demo_sk % 7 = 1'],
    ['time_dim', 't_time_sk % 97 = 1'],
    ['promotion', 'true'],
    ['store_returns', 'true'],
    ['web_sales', 'true'],
    ['web_returns', 'true'],
    ['catalog_sales', 'true'],
    ['catalog_returns', 'true'],
    ['inventory', 'inv_date_sk < 2450850'],
    ['catalog_page', 'true'],
    ['web_page', 'true'],
    ['basket', 'true'],
  ])('%s is the same in every run, on any number of threads and any batch size', async (table, condition) => {
    const sql = `SELECT * FROM tpcds('${table}', scale := 0.02, seed := 7) WHERE ${condition}`;
    const expected = await rowsOf(session, sql);
    expect(expected.length).toBeGreaterThan(9);
    expect(await rowsOf(session, sql)).toEqual(expected);
    const other = await openSession({ threads: 1, settings: { 'batch.rows': '333' } });
    try {
      expect(await rowsOf(other, sql)).toEqual(expected);
    } finally {
      await other.close();
    }
  });

  test('has the rows of the description at scale 1', async () => {
    const counts: Record<string, number> = {
      customer: 100_000,
      customer_address: 50_000,
      customer_demographics: 1_920_800,
      household_demographics: 7_200,
      time_dim: 86_400,
      promotion: 300,
      store_returns: 287_514,
      web_sales: 720_000,
      web_returns: 71_763,
      catalog_sales: 1_440_000,
      catalog_returns: 144_067,
      inventory: 11_745_000,
      warehouse: 5,
      income_band: 20,
      reason: 35,
      ship_mode: 20,
      web_site: 30,
      web_page: 60,
      call_center: 6,
      catalog_page: 11_718,
      basket: 240_000,
    };
    for (const [table, rows] of Object.entries(counts)) {
      expect(await rowsOf(session, `SELECT count(*) FROM tpcds('${table}', scale := 1)`)).toEqual([String(rows)]);
    }
  });

  test('returns bring back lines of sales, each at most once', async () => {
    const matched = `SELECT count(*), count(*) FILTER (WHERE sold = 1 AND returned = 1 AND bought >= back)
      FROM (SELECT sum(sold) sold, sum(returned) returned, coalesce(max(bought), 100) bought, coalesce(max(back), 0) back
        FROM (SELECT ss_item_sk item, ss_ticket_number ticket, 1 sold, 0 returned, ss_quantity bought, NULL back
                FROM tpcds('store_sales', scale := 0.02)
              UNION ALL
              SELECT sr_item_sk, sr_ticket_number, 0, 1, NULL, sr_return_quantity FROM tpcds('store_returns', scale := 0.02))
        GROUP BY item, ticket) WHERE returned > 0`;
    expect(await rowsOf(session, matched)).toEqual(['5750|5750']);
    const shares = `SELECT avg((sr_customer_sk IS NULL)::INT) BETWEEN 0.025 AND 0.045, count(sr_ticket_number) = count(*),
        count(*) FILTER (WHERE sr_return_amt_inc_tax <> sr_return_amt + sr_return_tax),
        count(*) FILTER (WHERE sr_refunded_cash + sr_reversed_charge + sr_store_credit <> sr_return_amt)
      FROM tpcds('store_returns', scale := 0.02)`;
    expect(await rowsOf(session, shares)).toEqual(['true|true|0|0']);
  });

  test.each([
    ['web_sales', 'ws', 'web_returns', 'wr', 'wr_account_credit', 'wr_return_amt', 1435],
    ['catalog_sales', 'cs', 'catalog_returns', 'cr', 'cr_store_credit', 'cr_return_amount', 2881],
  ])(
    '%s keep the rules of the schema, their returns each bring back a line',
    async (sold, s, back, r, credit, amount, rows) => {
      const sales = `tpcds('${sold}', scale := 0.02)`;
      const returns = `tpcds('${back}', scale := 0.02)`;
      const rules = `SELECT count(*) FILTER (WHERE ${s}_ext_sales_price <> ${s}_sales_price * ${s}_quantity),
        count(*) FILTER (WHERE ${s}_net_paid_inc_ship_tax <> ${s}_net_paid + ${s}_ext_ship_cost + ${s}_ext_tax),
        count(*) FILTER (WHERE ${s}_ext_discount_amt <> ${s}_ext_list_price - ${s}_ext_sales_price),
        count(*) FILTER (WHERE ${s}_ship_date_sk <= ${s}_sold_date_sk), count(*) - count(DISTINCT (${s}_order_number, ${s}_item_sk))
      FROM ${sales}`;
      expect(await rowsOf(session, rules)).toEqual(['0|0|0|0|0']);
      const matched = `SELECT count(*), count(*) FILTER (WHERE ${r}_return_quantity > ${s}_quantity), count(DISTINCT (${r}_order_number, ${r}_item_sk)),
        count(*) FILTER (WHERE ${r}_refunded_cash + ${r}_reversed_charge + ${credit} <> ${amount}),
        count(*) FILTER (WHERE ${r}_returned_date_sk <= ${s}_ship_date_sk)
      FROM ${returns} JOIN ${sales} ON ${r}_order_number = ${s}_order_number AND ${r}_item_sk = ${s}_item_sk`;
      expect(await rowsOf(session, matched)).toEqual([`${rows}|0|${rows}|0|0`]);
    },
  );

  test('some orders follow an order of the same buyer within days, some go elsewhere', async () => {
    const shares = `WITH orders AS (SELECT ws_order_number number, max(ws_bill_customer_sk) buyer, max(ws_sold_date_sk) day,
          max(ws_bill_addr_sk) <> max(ws_ship_addr_sk) elsewhere FROM tpcds('web_sales', scale := 0.1) GROUP BY 1)
      SELECT (SELECT count(*) / 6000 BETWEEN 0.1 AND 0.4 FROM orders a, orders b
               WHERE a.buyer = b.buyer AND a.number < b.number AND b.day - a.day BETWEEN 0 AND 10),
             (SELECT avg(elsewhere::INT) BETWEEN 0.2 AND 0.35 FROM orders)`;
    expect(await rowsOf(session, shares)).toEqual(['true|true']);
  });

  test('inventory is taken every Thursday of five years, of every second item in every warehouse', async () => {
    const sql = `SELECT count(*), count(DISTINCT inv_date_sk), count(DISTINCT inv_item_sk), count(DISTINCT inv_warehouse_sk),
        count(*) FILTER (WHERE dayname(DATE '1970-01-01' + (inv_date_sk - 2440588)) <> 'Thursday' OR inv_item_sk % 2 = 0),
        avg((inv_quantity_on_hand IS NULL)::INT) BETWEEN 0.04 AND 0.06 FROM tpcds('inventory', scale := 0.01)`;
    expect(await rowsOf(session, sql)).toEqual(['117450|261|90|5|0|true']);
  });

  test('income bands leave no gap', async () => {
    const sql = `SELECT min(ib_lower_bound), max(ib_upper_bound), count(*) FROM tpcds('income_band', scale := 1)
      WHERE ib_lower_bound IN (0, (ib_income_band_sk - 1) * 10000 + 1) AND ib_upper_bound = ib_income_band_sk * 10000`;
    expect(await rowsOf(session, sql)).toEqual(['0|200000|20']);
  });

  test('demographics are all combinations, seconds those of a day', async () => {
    const people = `SELECT count(*) FROM (SELECT DISTINCT cd_gender, cd_marital_status, cd_education_status,
      cd_purchase_estimate, cd_credit_rating, cd_dep_count, cd_dep_employed_count, cd_dep_college_count
      FROM tpcds('customer_demographics', scale := 1))`;
    expect(await rowsOf(session, people)).toEqual(['1920800']);
    const households = `SELECT count(*) FROM (SELECT DISTINCT hd_income_band_sk, hd_buy_potential, hd_dep_count,
      hd_vehicle_count FROM tpcds('household_demographics', scale := 1))`;
    expect(await rowsOf(session, households)).toEqual(['7200']);
    const seconds = `SELECT count(*) FILTER (WHERE t_hour * 3600 + t_minute * 60 + t_second <> t_time OR t_time <> t_time_sk
      OR (t_am_pm = 'AM') <> (t_hour < 12)), count(DISTINCT t_time_id) FROM tpcds('time_dim', scale := 1)`;
    expect(await rowsOf(session, seconds)).toEqual(['0|86400']);
  });

  test('names and states are skewed', async () => {
    const names = `SELECT max(n) > 8 * min(n), count(*) FROM
      (SELECT count(*) n FROM tpcds('customer', scale := 1) WHERE c_last_name IS NOT NULL GROUP BY c_last_name)`;
    expect(await rowsOf(session, names)).toEqual(['true|64']);
    const states = `SELECT ca_state FROM tpcds('customer_address', scale := 1) WHERE ca_state IS NOT NULL
      GROUP BY ca_state ORDER BY count(*) DESC LIMIT 2`;
    expect(await rowsOf(session, states)).toEqual(['TX', 'GA']);
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

/** table, column, the table and key that every value of the column names */
const FOREIGN_KEYS = [
  ['store_sales', 'ss_sold_date_sk', 'date_dim', 'd_date_sk'],
  ['store_sales', 'ss_sold_time_sk', 'time_dim', 't_time_sk'],
  ['store_sales', 'ss_item_sk', 'item', 'i_item_sk'],
  ['store_sales', 'ss_customer_sk', 'customer', 'c_customer_sk'],
  ['store_sales', 'ss_cdemo_sk', 'customer_demographics', 'cd_demo_sk'],
  ['store_sales', 'ss_hdemo_sk', 'household_demographics', 'hd_demo_sk'],
  ['store_sales', 'ss_addr_sk', 'customer_address', 'ca_address_sk'],
  ['store_sales', 'ss_store_sk', 'store', 's_store_sk'],
  ['store_sales', 'ss_promo_sk', 'promotion', 'p_promo_sk'],
  ['store_returns', 'sr_returned_date_sk', 'date_dim', 'd_date_sk'],
  ['store_returns', 'sr_return_time_sk', 'time_dim', 't_time_sk'],
  ['store_returns', '(sr_item_sk, sr_ticket_number)', 'store_sales', '(ss_item_sk, ss_ticket_number)'],
  ['store_returns', 'sr_customer_sk', 'customer', 'c_customer_sk'],
  ['store_returns', 'sr_cdemo_sk', 'customer_demographics', 'cd_demo_sk'],
  ['store_returns', 'sr_hdemo_sk', 'household_demographics', 'hd_demo_sk'],
  ['store_returns', 'sr_addr_sk', 'customer_address', 'ca_address_sk'],
  ['store_returns', 'sr_store_sk', 'store', 's_store_sk'],
  ['customer', 'c_current_cdemo_sk', 'customer_demographics', 'cd_demo_sk'],
  ['customer', 'c_current_hdemo_sk', 'household_demographics', 'hd_demo_sk'],
  ['customer', 'c_current_addr_sk', 'customer_address', 'ca_address_sk'],
  ['customer', 'c_first_sales_date_sk', 'date_dim', 'd_date_sk'],
  ['customer', 'c_first_shipto_date_sk', 'date_dim', 'd_date_sk'],
  ['customer', 'c_last_review_date_sk', 'date_dim', 'd_date_sk'],
  ['promotion', 'p_item_sk', 'item', 'i_item_sk'],
  ['promotion', 'p_start_date_sk', 'date_dim', 'd_date_sk'],
  ['promotion', 'p_end_date_sk', 'date_dim', 'd_date_sk'],
  ['basket', 'ticket', 'store_sales', 'ss_ticket_number'],
  ['store_returns', 'sr_reason_sk', 'reason', 'r_reason_sk'],
  ['household_demographics', 'hd_income_band_sk', 'income_band', 'ib_income_band_sk'],
  ['web_sales', 'ws_sold_date_sk', 'date_dim', 'd_date_sk'],
  ['web_sales', 'ws_sold_time_sk', 'time_dim', 't_time_sk'],
  ['web_sales', 'ws_ship_date_sk', 'date_dim', 'd_date_sk'],
  ['web_sales', 'ws_item_sk', 'item', 'i_item_sk'],
  ['web_sales', 'ws_bill_customer_sk', 'customer', 'c_customer_sk'],
  ['web_sales', 'ws_bill_cdemo_sk', 'customer_demographics', 'cd_demo_sk'],
  ['web_sales', 'ws_ship_hdemo_sk', 'household_demographics', 'hd_demo_sk'],
  ['web_sales', 'ws_ship_addr_sk', 'customer_address', 'ca_address_sk'],
  ['web_sales', 'ws_web_page_sk', 'web_page', 'wp_web_page_sk'],
  ['web_sales', 'ws_web_site_sk', 'web_site', 'web_site_sk'],
  ['web_sales', 'ws_ship_mode_sk', 'ship_mode', 'sm_ship_mode_sk'],
  ['web_sales', 'ws_warehouse_sk', 'warehouse', 'w_warehouse_sk'],
  ['web_sales', 'ws_promo_sk', 'promotion', 'p_promo_sk'],
  ['web_returns', '(wr_item_sk, wr_order_number)', 'web_sales', '(ws_item_sk, ws_order_number)'],
  ['web_returns', 'wr_reason_sk', 'reason', 'r_reason_sk'],
  ['catalog_sales', 'cs_call_center_sk', 'call_center', 'cc_call_center_sk'],
  ['catalog_sales', 'cs_catalog_page_sk', 'catalog_page', 'cp_catalog_page_sk'],
  ['catalog_returns', '(cr_item_sk, cr_order_number)', 'catalog_sales', '(cs_item_sk, cs_order_number)'],
  ['catalog_returns', 'cr_ship_mode_sk', 'ship_mode', 'sm_ship_mode_sk'],
  ['inventory', 'inv_date_sk', 'date_dim', 'd_date_sk'],
  ['inventory', 'inv_item_sk', 'item', 'i_item_sk'],
  ['inventory', 'inv_warehouse_sk', 'warehouse', 'w_warehouse_sk'],
] as const;

describe('gen tpcds', () => {
  test('writes files that DuckDB reads as the same rows', async () => {
    const out = join(folder, 'all');
    const written = await generateTpcds(options(out));
    expect(written.map((file) => [file.table, file.rows])).toEqual([
      ['date_dim', 73049],
      ['item', 100],
      ['store', 4],
      ['store_sales', 2400],
      ['customer', 100],
      ['customer_address', 50],
      ['customer_demographics', 1920800],
      ['household_demographics', 7200],
      ['time_dim', 86400],
      ['promotion', 10],
      ['store_returns', 288],
      ['web_sales', 1200],
      ['web_returns', 72],
      ['catalog_sales', 1800],
      ['catalog_returns', 144],
      ['inventory', 65250],
      ['warehouse', 5],
      ['income_band', 20],
      ['reason', 35],
      ['ship_mode', 20],
      ['web_site', 2],
      ['web_page', 10],
      ['call_center', 2],
      ['catalog_page', 100],
      ['basket', 200],
      ['item_vec', 100],
      ['item_vec', 1],
      ['store_sales_by_month', 2400],
      ['web_sales_by_month', 1200],
      ['catalog_sales_by_month', 1800],
    ]);
    const duckdb = await openDuckDbEngine();
    try {
      const compared = ['item', 'store', 'store_sales', 'customer', 'customer_address', 'household_demographics'];
      for (const table of [
        ...compared,
        'promotion',
        'store_returns',
        'web_sales',
        'catalog_returns',
        'web_site',
        'basket',
      ]) {
        const sql = `SELECT * FROM '${join(out, table)}.parquet'`;
        const theirs = await duckdb.run(sql);
        const ours = await rowsOf(session, `SELECT * FROM tpcds('${table}', scale := 0.001, seed := 1)`);
        expect(theirs?.rows.map((row) => row.map((value) => value ?? 'NULL').join('|'))).toEqual(ours);
        expect(await rowsOf(session, sql)).toEqual(ours);
      }
      for (const [fact, column, dimension, key] of FOREIGN_KEYS) {
        const missing = `SELECT count(*) FROM '${join(out, fact)}.parquet'
          ANTI JOIN '${join(out, dimension)}.parquet' ON ${column} = ${key} WHERE ${column} IS NOT NULL`;
        expect([column, (await duckdb.run(missing))?.rows]).toEqual([column, [['0']]]);
      }
    } finally {
      await duckdb.close();
    }
  });

  test.each([
    ['store_sales', 'ss'],
    ['web_sales', 'ws'],
    ['catalog_sales', 'cs'],
  ])('%s by month has the same rows, each in the partition of its date', async (table, prefix) => {
    const out = join(folder, `${table}-monthly`);
    await generateTpcds(
      options(out, { tables: ['date_dim', table, `${table}_by_month`], overwrite: true, scale: 0.01 }),
    );
    expect((await readdir(out)).sort()).toEqual(['date_dim.parquet', `${table}.parquet`, `${table}_by_month`].sort());
    const [date, year, month] = ['date_sk', 'year', 'month'].map((name) => `${prefix}_sold_${name}`);
    const parts = `'${join(out, `${table}_by_month`)}/**/*.parquet'`;
    const duckdb = await openDuckDbEngine();
    try {
      for (const engine of [session, duckdb]) {
        const one = async (sql: string): Promise<unknown> =>
          engine === duckdb ? (await duckdb.run(sql))?.rows.map((row) => row.join('|')) : rowsOf(session, sql);
        const whole = `SELECT * FROM '${join(out, table)}.parquet'`;
        expect(
          await one(`SELECT (SELECT count(*) FROM (${whole} EXCEPT ALL SELECT * EXCLUDE (${year}, ${month}) FROM ${parts})),
            (SELECT count(*) FROM ${parts}) - (SELECT count(*) FROM (${whole}))`),
        ).toEqual(['0|0']);
        expect(
          await one(`SELECT count(*), count(DISTINCT (${year}, ${month})) >= 60, count(*) FILTER (WHERE d_year IS DISTINCT FROM ${year} OR d_moy IS DISTINCT FROM ${month})
            FROM ${parts} LEFT JOIN '${join(out, 'date_dim.parquet')}' ON ${date} = d_date_sk`),
        ).toEqual([expect.stringMatching(/^\d+\|true\|0$/)]);
      }
    } finally {
      await duckdb.close();
    }
  });

  test('a table by month wants the table that it repeats', async () => {
    const error = await failure(generateTpcds(options(join(folder, 'alone'), { tables: ['web_sales_by_month'] })));
    expect([error.code, error.hint]).toEqual(['usage', '--tables web_sales,web_sales_by_month']);
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
