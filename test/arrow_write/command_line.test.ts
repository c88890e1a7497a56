import { execSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUERN, runQuern } from '../cli/run_quern.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-arrow-'));
});

afterAll(() => rm(folder, { recursive: true }));

const isFile = (path: string): boolean => readFileSync(path).subarray(0, 6).toString() === 'ARROW1';
const rows = async (path: string): Promise<string> => (await runQuern([`FROM '${path}'`, '--no-header'])).stdout;

describe('quern -o x.arrow', () => {
  test('writes a file, and replaces one only with --force', async () => {
    const path = join(folder, 'out.arrow');
    expect(await runQuern(['-o', path, 'SELECT 1 AS a'])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(isFile(path)).toBe(true);
    expect(await runQuern(['-o', path, 'SELECT 2 AS a'])).toMatchObject({ code: 2 });
    expect(await runQuern(['-o', path, '--force', 'SELECT 3 AS a'])).toMatchObject({ code: 0 });
    expect(await rows(path)).toBe('3\n');
  });

  test('.arrows is a stream', async () => {
    const path = join(folder, 'out.arrows');
    expect(await runQuern(['-o', path, 'SELECT 1 AS a'])).toMatchObject({ code: 0 });
    expect(isFile(path)).toBe(false);
    expect(await rows(path)).toBe('1\n');
  });

  test('an error leaves nothing, and neither does a script without a result', async () => {
    const failed = await runQuern([
      '-o',
      join(folder, 'failed.arrow'),
      "SELECT CAST(CASE WHEN i > 150000 THEN 'x' ELSE '1' END AS INTEGER) FROM range(200000) t(i)",
    ]);
    expect(failed).toMatchObject({ code: 1 });
    expect(await runQuern(['-o', join(folder, 'nothing.arrow'), 'SET threads = 1'])).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => /failed|nothing/.test(name))).toEqual([]);
  });

  test('takes one result', async () => {
    const path = join(folder, 'two.arrow');
    expect(await runQuern(['-o', path, 'SELECT 1; SELECT 2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Arrow output holds one result'),
    });
    expect(existsSync(path)).toBe(false);
  });
});

describe('quern --arrow', () => {
  test('is a stream on stdout that quern reads from stdin', async () => {
    const path = join(folder, 'piped.arrows');
    execSync(`"${QUERN}" --arrow "SELECT i, [i] AS l FROM range(300000) t(i)" > "${path}"`);
    expect(isFile(path)).toBe(false);
    const { stdout } = await runQuern([`SELECT count(*), sum(i), sum(l[1]) FROM '${path}'`, '--no-header']);
    expect(stdout).toBe('300000,44999850000,44999850000\n');
  });
});

describe('COPY … TO x.arrow', () => {
  test('writes a file, replaces it, and counts the rows', async () => {
    const path = join(folder, 'copy.arrow');
    await runQuern([`COPY (SELECT 1 AS a) TO '${path}'`]);
    const outcome = await runQuern(['--timer', `COPY (SELECT i AS a FROM range(3) t(i)) TO '${path}' (FORMAT arrow)`]);
    expect(outcome).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^3 rows in /) });
    expect(isFile(path)).toBe(true);
    expect(await rows(path)).toBe('0\n1\n2\n');
  });

  test('an error leaves the old file', async () => {
    const path = join(folder, 'kept.arrow');
    await runQuern([`COPY (SELECT 5 AS a) TO '${path}'`]);
    expect(
      await runQuern([
        `COPY (SELECT CAST(CASE WHEN i > 150000 THEN 'x' ELSE '1' END AS INTEGER) AS a FROM range(200000) t(i)) TO '${path}'`,
      ]),
    ).toMatchObject({ code: 1 });
    expect(await rows(path)).toBe('5\n');
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('has no options but FORMAT', async () => {
    const { stderr } = await runQuern([`COPY (SELECT 1) TO '${folder}/x.arrow' (COMPRESSION zstd)`]);
    expect(stderr).toContain('unsupported: COPY option COMPRESSION of Arrow');
  });
});
