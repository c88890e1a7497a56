import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileDescriber } from '../../src/catalog/open_table.ts';
import { TableCache } from '../../src/catalog/table_cache.ts';
import { registeredFiles } from '../../src/catalog/table_registry.ts';
import { INT32 } from '../../src/common/data_type.ts';

let folder: string;
let cache: TableCache;
/** paths of each description, in turn */
let described: string[][];
let running = 0;
let mostRunning = 0;

const describer: FileDescriber = {
  describeFiles: async (paths) => {
    described.push(paths.map((file) => path.basename(file)));
    mostRunning = Math.max(mostRunning, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    const column = { name: 'x', type: INT32, reason: null, bounds: null, dictionaries: [] };
    return {
      columns: [column],
      rows: described.length,
      files: paths.map((file) => ({ path: file, rows: 1, rowGroups: 1 })),
      skipped: [],
    };
  },
};

const YEAR_2020 = new Date('2020-01-01T00:00:00Z');

/** A file whose time stamps do not say that it has just changed; the change time cannot be set, so the clock is. */
async function file(name: string, text: string, changed = YEAR_2020): Promise<void> {
  await writeFile(path.join(folder, name), text);
  await utimes(path.join(folder, name), changed, changed);
}

const open = (pattern: string, onBadFile: 'error' | 'skip' = 'error') =>
  cache.open(registeredFiles('t', pattern).request, describer, { cwd: folder, onBadFile }, undefined);

describe('tables that were opened before', () => {
  const realNow = Date.now;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quern-cache-'));
    cache = new TableCache();
    described = [];
    mostRunning = 0;
    Date.now = () => realNow() + 3_600_000;
  });
  afterEach(async () => {
    Date.now = realNow;
    await rm(folder, { recursive: true });
  });

  test('files that are the same are described once', async () => {
    await file('a.parquet', 'one');
    const first = await open('a.parquet');
    expect(await open('a.parquet')).toBe(first);
    expect(described).toEqual([['a.parquet']]);
  });

  test('a file that was written anew, of another size or of another time, is described anew', async () => {
    await file('a.parquet', 'one');
    await open('a.parquet');
    await file('a.parquet', 'longer');
    expect((await open('a.parquet')).rows).toBe(2);
    await file('a.parquet', 'longer', new Date('2021-01-01T00:00:00Z'));
    expect((await open('a.parquet')).rows).toBe(3);
    // another inode of the same size and time
    await rm(path.join(folder, 'a.parquet'));
    await file('b.parquet', 'taken');
    await file('a.parquet', 'longer', new Date('2021-01-01T00:00:00Z'));
    expect((await open('a.parquet')).rows).toBe(4);
  });

  test('a file more or less that matches the pattern is seen', async () => {
    await file('a.parquet', 'one');
    await open('*.parquet');
    await file('b.parquet', 'two');
    await open('*.parquet');
    await rm(path.join(folder, 'a.parquet'));
    await open('*.parquet');
    expect(described).toEqual([['a.parquet'], ['a.parquet', 'b.parquet'], ['b.parquet']]);
    await rm(path.join(folder, 'b.parquet'));
    await expect(open('*.parquet')).rejects.toMatchObject({ code: 'io' });
  });

  test('options are told apart', async () => {
    await file('a.parquet', 'one');
    await open('a.parquet');
    await open('a.parquet', 'skip');
    expect(described.length).toBe(2);
  });

  test('a file that has changed just now is not kept: it may change again in the same instant', async () => {
    Date.now = realNow;
    await writeFile(path.join(folder, 'a.parquet'), 'one');
    await open('a.parquet');
    await open('a.parquet');
    expect(described.length).toBe(2);
  });

  test('the tables used last are kept', async () => {
    await file('a.parquet', 'one');
    const [first] = [await open('a.parquet')];
    for (let i = 0; i < 255; i++) {
      await file(`f${i}.parquet`, 'x');
      await open(`f${i}.parquet`);
    }
    expect(await open('a.parquet')).toBe(first);
    await file('more.parquet', 'x');
    await open('more.parquet');
    expect(await open('a.parquet')).toBe(first);
    const before = described.length;
    await open('f0.parquet');
    expect(described.length).toBe(before + 1);
  });

  test('standard input is opened by one reader at a time, and is not kept', async () => {
    await Promise.all([open('-'), open('-'), open('/dev/stdin')]);
    expect(described.length).toBe(3);
    expect(mostRunning).toBe(1);
  });
});
