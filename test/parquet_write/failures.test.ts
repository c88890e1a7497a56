import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/common/error.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { QUERN, runQuern } from '../cli/run_quern.ts';

let folder: string;
let session: Session;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-failures-'));
  session = await openSession({ threads: 2 });
});

afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true });
});

async function run(sql: string): Promise<void> {
  for await (const { result } of session.query(sql)) for await (const _ of result.batches());
}

async function failure(sql: string): Promise<QuernError> {
  try {
    await run(sql);
  } catch (error) {
    if (error instanceof QuernError) return error;
    throw error;
  }
  throw new Error(`no error: ${sql}`);
}

describe('a file that cannot be written', () => {
  test('says why', async () => {
    expect(await failure("COPY (SELECT 1) TO '/dev/full' (FORMAT parquet)")).toMatchObject({
      code: 'disk-full',
      message: 'cannot write: no space left on device: /dev/full',
    });
    expect(await failure("COPY (SELECT 1) TO '/sys/x.parquet'")).toMatchObject({ code: 'permission' });
    expect(await failure(`COPY (SELECT 1) TO '${folder}/no/x.parquet'`)).toMatchObject({
      code: 'io',
      message: `cannot write: no such file or directory: ${folder}/no/x.parquet`,
    });
    expect(await failure(`COPY (SELECT 1) TO '${folder}' (FORMAT parquet)`)).toMatchObject({
      code: 'io',
      message: `cannot write: is a directory: ${folder}`,
    });
  });

  test('an error in the query leaves the old file and nothing else', async () => {
    const path = join(folder, 'kept.parquet');
    await run(`COPY (SELECT 5 AS a) TO '${path}'`);
    const before = statSync(path);
    const error = await failure(
      `COPY (SELECT 1 // (100000 - i), CAST('x' || i AS INTEGER) FROM range(200000) t(i)) TO '${path}'`,
    );
    expect(error.code).toBe('runtime');
    expect(statSync(path).ino).toBe(before.ino);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('a cancelled statement leaves nothing', async () => {
    const other = await openSession({ threads: 2 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const path = join(folder, 'cancelled.parquet');
    const sql = `COPY (SELECT i, i * 3 FROM range(3000000000) t(i)) TO '${path}'`;
    const statements = other.query(sql, { signal: controller.signal })[Symbol.asyncIterator]();
    await expect(statements.next()).rejects.toMatchObject({ code: 'cancelled' });
    await other.close();
    expect(readdirSync(folder).filter((name) => name.includes('cancelled'))).toEqual([]);
  });

  test('a killed process leaves only its dot file, which the next writer removes', async () => {
    const path = join(folder, 'killed.parquet');
    const child = spawn(QUERN, [`COPY (SELECT i, i * 3 FROM range(30000000000) t(i)) TO '${path}'`], {
      stdio: 'ignore',
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const names = () => readdirSync(folder).filter((name) => name.includes('killed'));
    while (names().length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGKILL');
    await gone;
    expect(names()).toEqual([expect.stringMatching(/^\.killed\.parquet\.\d+\.tmp$/)]);
    await run(`COPY (SELECT 1) TO '${path}'`);
    expect(names()).toEqual(['killed.parquet']);
  });
});

describe('COPY', () => {
  test('replaces a file, through a symbolic link too, and may read what it replaces', async () => {
    const path = join(folder, 'a.parquet');
    const link = join(folder, 'link.parquet');
    await run(`COPY (SELECT 1 AS a) TO '${path}'`);
    symlinkSync(path, link);
    await run(`COPY (SELECT a + 1 AS a FROM '${link}') TO '${link}'`);
    const { stdout } = await runQuern([`SELECT a FROM '${path}'`, '--no-header']);
    expect(stdout).toBe('2\n');
  });

  test('gives names of their own to columns that share one', async () => {
    const path = join(folder, 'names.parquet');
    await run(`COPY (SELECT 1 AS a, 2 AS a, 3 AS "A") TO '${path}'`);
    expect((await runQuern([`FROM '${path}'`])).stdout).toBe('a,a_1,A_2\n1,2,3\n');
  });

  test.each([
    ["TO 'x.csv'", 'unsupported: COPY TO in format csv'],
    ["TO 'x.parquet' (FORMAT json)", 'unsupported: COPY TO in format json'],
    ["TO 'x.parquet' (COMPRESSION_LEVEL 3)", 'COMPRESSION_LEVEL is for zstd, gzip and brotli, not snappy'],
    ["TO 'x.parquet' (COMPRESSION zstd, COMPRESSION_LEVEL 23)", 'COMPRESSION_LEVEL of zstd is from -131072 to 22: 23'],
    ["TO 'x.parquet' (FILE_SIZE_BYTES 0)", 'FILE_SIZE_BYTES is not a size: 0'],
    ["TO 'x.parquet' (PER_THREAD_OUTPUT maybe)", 'PER_THREAD_OUTPUT is not true or false: maybe'],
    [
      "TO 'x.parquet' (BLOOM_FILTER_FALSE_POSITIVE_RATIO 2)",
      'BLOOM_FILTER_FALSE_POSITIVE_RATIO is not between 0 and 1: 2',
    ],
    ["TO 'x.parquet' (COMPRESSION lzma)", 'unknown compression: lzma'],
    ["TO 'x.parquet' (ROW_GROUP_SIZE 0)", 'ROW_GROUP_SIZE is not a number of rows: 0'],
    ["TO 'x.parquet' (ROW_GROUP_BYTES 'much')", 'ROW_GROUP_BYTES is not a size: much'],
    ["TO 'x.parquet' (COMPRESION zstd)", 'COPY has no option compresion'],
  ])('refuses %s', async (rest, message) => {
    expect((await failure(`COPY (SELECT 1 AS a) ${rest}`)).message).toBe(message);
  });

  test('refuses what Parquet cannot hold', async () => {
    const path = join(folder, 'refused.parquet');
    const negative = await failure(`COPY (SELECT INTERVAL '-1 day' AS i) TO '${path}'`);
    expect(negative.message).toBe('Parquet holds no negative intervals');
    expect(existsSync(path)).toBe(false);
  });
});

describe('quern -o x.parquet', () => {
  test('writes the result, and replaces a file only with --force', async () => {
    const path = join(folder, 'out.parquet');
    expect(await runQuern(['-o', path, 'SELECT 1 AS a'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await runQuern(['-o', path, 'SELECT 2 AS a'])).toMatchObject({
      code: 2,
      stderr: `error[usage]: output file exists: ${path}\nhint: --force replaces it\n`,
    });
    expect(await runQuern(['-o', path, '--force', 'SELECT 3 AS a'])).toMatchObject({ code: 0 });
    expect((await runQuern([`SELECT a FROM '${path}'`, '--no-header'])).stdout).toBe('3\n');
  });

  test('--mode parquet writes it under any name', async () => {
    const path = join(folder, 'out.dat');
    expect(await runQuern(['-m', 'parquet', '-o', path, 'SELECT 4 AS a'])).toMatchObject({ code: 0 });
    expect((await runQuern([`SELECT a FROM read_parquet('${path}')`, '--no-header'])).stdout).toBe('4\n');
  });

  test('counts the rows for --timer', async () => {
    const outcome = await runQuern(['-o', join(folder, 'timed.parquet'), '--timer', 'SELECT i FROM range(5) t(i)']);
    expect(outcome.stderr).toMatch(/^5 rows in /);
  });

  test('takes one result', async () => {
    const path = join(folder, 'two.parquet');
    expect(await runQuern(['-o', path, 'SELECT 1; SELECT 2'])).toMatchObject({ code: 2 });
    expect(await runQuern(['-o', join(folder, 'x.parquet'), 'EXPLAIN SELECT 1'])).toMatchObject({ code: 2 });
  });

  test('names the disk that is full', async () => {
    writeFileSync(join(folder, 'note'), '');
    expect(await runQuern(['-m', 'parquet', '-o', '/dev/full', 'SELECT 1'])).toMatchObject({
      code: 6,
      stderr: 'error[disk-full]: cannot write: no space left on device: /dev/full\n',
    });
  });
});
