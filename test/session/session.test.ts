import { afterEach, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/common/error.ts';
import { deviceStatus } from '../../src/engine/index.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { QueryOptions, Session, SessionOptions } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

const FIXTURE = 'test/fixtures/slt/mixed.parquet';
let session: Session;

afterEach(() => session.close());

async function start(options: SessionOptions = {}): Promise<void> {
  session = await openSession({ threads: 2, memoryLimit: 2 ** 29, ...options });
}

/** Rows of the last statement, as text joined by `|`. */
async function rows(sql: string, options: QueryOptions = {}): Promise<string[]> {
  let last: string[] = [];
  for await (const { result } of session.query(sql, options)) {
    const text = await readAsText(result);
    last = (text?.rows ?? []).map((row) => row.map((value) => value ?? 'NULL').join('|'));
  }
  return last;
}

async function failure(sql: string, options: QueryOptions = {}): Promise<QuernError> {
  try {
    await rows(sql, options);
  } catch (error) {
    if (error instanceof QuernError) return error;
    throw error;
  }
  throw new Error(`no error: ${sql}`);
}

describe('statements', () => {
  test('run one by one, with their places', async () => {
    await start();
    const text = 'SELECT 1;\nSELECT 2; SELECT nothing';
    const spans: string[] = [];
    const run = async () => {
      for await (const { span, result } of session.query(text)) {
        await readAsText(result);
        spans.push(text.slice(span.start, span.end));
      }
    };
    await expect(run()).rejects.toMatchObject({ code: 'binder', span: { start: 27, end: 34 } });
    expect(spans).toEqual(['SELECT 1', 'SELECT 2']);
  });

  test('a run-time error points at the text', async () => {
    await start();
    const sql = 'SELECT 1, x + 1 FROM (VALUES (2147483647)) t(x)';
    const { code, span } = await failure(sql);
    expect([code, sql.slice(span?.start, span?.end)]).toEqual(['runtime', 'x + 1']);
  });

  test('a dry run binds and gives the schema', async () => {
    await start();
    for await (const { result } of session.query(`SELECT id FROM '${FIXTURE}'`, { dryRun: true })) {
      expect(result.kind).toBe('none');
      expect(result.schema.map((field) => field.name)).toEqual(['id']);
    }
    expect((await failure('SELECT foo', { dryRun: true })).code).toBe('binder');
    await rows('CREATE VIEW v AS SELECT 1', { dryRun: true });
    expect(await rows('SHOW TABLES')).toEqual([]);
  });

  test('parameters take the type of their place; vectors are lists', async () => {
    await start();
    const params = { n: '3', d: '2024-01-02', v: Float32Array.of(1, 2.5), big: 2n ** 40n, none: null, f: [1, 2] };
    expect(await rows('SELECT range FROM range(10) WHERE range < $n LIMIT $n', { params })).toEqual(['0', '1', '2']);
    expect(await rows("SELECT DATE '2024-01-01' < $d, typeof($v), $v[2], $big + 1, $none, $f[2]", { params })).toEqual([
      'true|FLOAT[]|2.5|1099511627777|NULL|2',
    ]);
    expect((await failure('SELECT $x')).message).toBe('no value for parameter $x');
    expect(await rows('SELECT ? + ?', { params: { 1: 1, 2: 2 } })).toEqual(['3']);
  });

  test('cancelling before the start', async () => {
    await start();
    const controller = new AbortController();
    controller.abort(new QuernError({ source: 'user', code: 'cancelled', message: 'stop' }));
    await expect(rows('SELECT 1', { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('names', () => {
  test('views see through to files, under their own column names', async () => {
    await start();
    session.registerTable('mixed', FIXTURE);
    await rows('CREATE VIEW v(k, n) AS SELECT id, count(*) FROM mixed GROUP BY id');
    expect(await rows('SELECT n FROM V WHERE k = 1')).toEqual(['1']);
    expect(await rows('SHOW TABLES')).toEqual(['mixed', 'v']);
    expect((await failure('CREATE VIEW v AS SELECT 1')).code).toBe('catalog');
    await rows('CREATE VIEW IF NOT EXISTS v AS SELECT 1; CREATE OR REPLACE VIEW v AS SELECT 7 AS seven');
    expect(await rows('FROM v')).toEqual(['7']);
    await rows('DROP VIEW v');
    expect((await failure('FROM v')).message).toBe('table "v" not found');
    expect((await failure('DROP VIEW v')).code).toBe('catalog');
    await rows('DROP VIEW IF EXISTS v');
  });

  test('an error inside a view points at its use', async () => {
    await start();
    await rows("CREATE VIEW v AS SELECT CAST(x AS INTEGER) AS y FROM (VALUES ('a')) t(x)");
    const { span } = await failure('SELECT y      FROM v');
    expect(span).toEqual({ start: 19, end: 20 });
  });

  test('common tables hide views; a view that refers to itself is refused', async () => {
    await start();
    await rows('CREATE VIEW v AS SELECT 1 AS x');
    expect(await rows('WITH v AS (SELECT 2 AS x) FROM v')).toEqual(['2']);
    await rows('CREATE OR REPLACE VIEW v AS FROM v');
    expect((await failure('FROM v')).message).toBe('view "v" refers to itself');
    await rows('CREATE OR REPLACE VIEW v AS SELECT 1 AS x');
    await rows('CREATE VIEW w AS FROM v, v AS other');
    await rows('CREATE OR REPLACE VIEW v AS FROM W, w AS other');
    expect((await failure('FROM v')).message).toBe('view "v" refers to itself');
  });

  test('views may stand on many views', async () => {
    await start();
    await rows('CREATE VIEW v0 AS SELECT 1 AS x');
    for (let i = 1; i <= 40; i++) await rows(`CREATE VIEW v${i} AS FROM v${i - 1}`);
    expect(await rows('FROM v40')).toEqual(['1']);
  });

  test('of several tables that are missing the first one is named', async () => {
    await start();
    expect((await failure("FROM 'none.parquet', nowhere, 'other.parquet'")).message).toBe(
      'file not found: "none.parquet"',
    );
    expect((await failure("FROM nowhere, 'none.parquet'")).message).toBe('table "nowhere" not found');
  });

  test('missing files name pattern and nearest path', async () => {
    await start();
    const error = await failure("FROM 'test/fixtures/none/*.parquet'");
    expect(error.code).toBe('io');
    expect(error.exitCode).toBe(5);
    expect(error.message).toBe('no file matches "test/fixtures/none/*.parquet"');
    expect(error.hint).toContain('test/fixtures');
  });
});

describe('settings', () => {
  test('SET, RESET and SHOW SETTINGS', async () => {
    await start({ settings: { 'batch.rows': '7' } });
    const shown = async (name: string) =>
      (await rows('SHOW SETTINGS')).find((row) => row.startsWith(`${name}|`))?.split('|')[1];
    expect(await shown('batch.rows')).toBe('7');
    await rows("SET memory_limit = '1GiB'; SET threads TO 1; SET default_null_order = 'nulls_first'");
    expect([await shown('memory_limit'), await shown('threads')]).toEqual(['1073741824B', '1']);
    expect(await rows('SELECT x FROM (VALUES (1), (NULL)) t(x) ORDER BY x')).toEqual(['NULL', '1']);
    await rows('RESET default_null_order; RESET batch.rows');
    expect(await shown('batch.rows')).toBe('auto');
    expect(await rows('SELECT x FROM (VALUES (1), (NULL)) t(x) ORDER BY x')).toEqual(['1', 'NULL']);
  });

  test('wrong names and values', async () => {
    await start();
    expect((await failure('SET thread = 2')).hint).toBe('did you mean "threads"?');
    expect((await failure('SET threads = 0')).hint).toBe('it is a whole number from 1 to 1024');
    expect((await failure("SET TimeZone = 'Europe/Berlin'")).code).toBe('binder');
    await rows("SET TimeZone = 'UTC'");
    await expect(openSession({ settings: { nope: '1' } })).rejects.toMatchObject({ code: 'usage' });
  });

  test('a device that is not there is an error', async () => {
    await start({ device: 'gpu' });
    const missing = deviceStatus().reason;
    if (missing === null) return; // this machine has one
    const expected = { code: 'no-device', message: missing, exitCode: 6 };
    expect(await failure('SELECT 1')).toMatchObject(expected);
    expect(await failure('SELECT x + 1 FROM range(9) t(x) WHERE x > 3')).toMatchObject(expected);
    // Planning needs none: EXPLAIN shows the plan and what is missing.
    const lines = await rows('EXPLAIN SELECT x % 3 AS k, sum(x) FROM range(9) t(x) WHERE x > 3 GROUP BY k');
    expect(lines.at(-1)).toBe(missing);
    expect(lines.filter((line) => line.endsWith('on gpu')).length).toBeGreaterThan(2);
  });

  test('a number of a GPU other than the first is unsupported', async () => {
    await start({ device: 3 });
    expect(await failure('SELECT 1')).toMatchObject({ code: 'unsupported', message: 'unsupported: device 3' });
  });

  test('strict names what the GPU cannot run', async () => {
    await start({ device: 'gpu', strict: true });
    expect(await failure('SELECT upper(x::VARCHAR) FROM range(9) t(x)')).toMatchObject({
      code: 'unsupported',
      message: 'unsupported: function upper(VARCHAR) on the GPU',
    });
  });
});

describe('explain', () => {
  test('text, tree, stages and JSON', async () => {
    await start();
    const sql = `SELECT g, count(*) FROM '${FIXTURE}' WHERE id > 3 GROUP BY g`;
    const plain = await rows(`EXPLAIN ${sql}`);
    expect(plain[0]).toMatch(/^hash_group_by keys=\[g\] aggregates=\[count\(\*\)\] \(~\d+ rows\)$/);
    expect(plain[1]).toMatch(/^ {2}scan_parquet 'test.*mixed.parquet' columns=\[g, id\]|columns=\[id, g\]/);
    expect((await rows(`EXPLAIN (FORMAT tree) ${sql}`))[1]).toMatch(/^└─ scan_parquet/);
    expect((await rows(`EXPLAIN (LOGICAL) ${sql}`)).join('\n')).toContain('filter id > 3');
    const document = JSON.parse((await rows(`EXPLAIN (FORMAT json) ${sql}`)).join(''));
    expect(document.nodes.map((node: { kind: string }) => node.kind)).toEqual(['scan_parquet', 'hash_group_by']);
    expect((await failure(`EXPLAIN (FORMAT yaml) ${sql}`)).code).toBe('unsupported');
    expect((await failure(`EXPLAIN (FORMT json) ${sql}`)).hint).toBe('did you mean "format"?');
  });

  test('ANALYZE runs and counts', async () => {
    await start();
    const lines = await rows('EXPLAIN ANALYZE SELECT * FROM range(100) WHERE range % 10 = 0');
    expect(lines[0]).toMatch(/^filter \(range % 10\) = 0 \(~\d+ -> 10 rows\) [\d.]+ ms/);
    expect(lines[1]).toMatch(/range start=0 stop=100 \(~100 -> 100 rows\)/);
    expect(lines.at(-1)).toMatch(/^total [\d.]+ ms · 10 rows/);
  });
});
