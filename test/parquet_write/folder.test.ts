import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';

let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-folder-'));
  quern = await openQuernEngine({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 1 });
});

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

const MB = 1e6;
/** Whole numbers below 2^32 that no codec makes smaller by much. */
const noise = (n: string): string => `((${n}) * 2654435761 % 4294967291)`;
const SOURCES = {
  numbers: 'SELECT i, (i * 2654435761) % 1000003 AS h FROM range(600000) t(i)',
  repeats: "SELECT i % 10 AS few, 's' || i % 100 AS s FROM range(6000000) t(i)",
  text: "SELECT 'row ' || i AS s, repeat('x', (i % 50)::INTEGER) AS r FROM range(400000) t(i)",
  lists: 'SELECT i, [i, i * 7 % 1000003, i * 11 % 1000003] AS l FROM range(400000) t(i)',
  longLists: 'SELECT range(i % 3000) AS l FROM range(2000) t(i)',
  floats: `SELECT 'constant' AS c, (${noise('i')} / 4294967291)::DOUBLE AS f FROM range(300000) t(i)`,
  vectors: `SELECT i % 5 AS few, [${noise('i')} / 4294967291, ${noise('i + 1')} / 4294967291, ${noise('i + 2')} / 4294967291]::FLOAT[] AS v FROM range(200000) t(i)`,
  // What repeats at first and is noise later.
  drift: `SELECT CASE WHEN i < 150000 THEN i % 7 ELSE ${noise('i')} END AS h, 'of row ' || i // 50 AS s FROM range(400000) t(i)`,
  mixed: `SELECT 'constant' AS c, 'word' || i % 1000 AS s, ${noise('i')} / 4294967291 AS f, [i, i % 3, NULL] AS l,
    {'a': i // 100, 'b': ['x' || i % 9]} AS n, NULL AS nothing FROM range(200000) t(i)`,
  nested: "SELECT [{'a': i, 'b': ['x' || i, NULL]}, NULL] AS l FROM range(200000) t(i)",
};

describe('FILE_SIZE_BYTES', () => {
  test.each(Object.entries(SOURCES))(
    'files of %s come within 10 %% of their size',
    async (name, query) => {
      for (const codec of ['uncompressed', 'snappy', 'zstd']) {
        const path = join(folder, `${name}_${codec}`);
        await quern.run(`COPY (${query}) TO '${path}' (FORMAT parquet, FILE_SIZE_BYTES '1MB', COMPRESSION ${codec})`);
        const names = readdirSync(path);
        expect(names.sort()).toEqual(names.map((_, i) => `data_${i}.parquet`).sort());
        const sizes = names.map((_, i) => statSync(join(path, `data_${i}.parquet`)).size);
        const last = sizes.pop() as number;
        expect(last).toBeLessThan(1.1 * MB);
        for (const size of sizes) expect(Math.abs(size - MB)).toBeLessThan(0.1 * MB);
      }
    },
    120_000,
  );

  test('rows keep their order over the files', async () => {
    const path = join(folder, 'ordered');
    await quern.run(`COPY (SELECT i FROM range(900000) t(i)) TO '${path}' (FORMAT parquet, FILE_SIZE_BYTES '1MB')`);
    const names = readdirSync(path).map((_, i) => `'${path}/data_${i}.parquet'`);
    expect(names.length).toBeGreaterThan(3);
    const found = await duckdb.run(
      `SELECT count(*), count_if(i <> n) FROM (SELECT i, row_number() OVER () - 1 AS n FROM read_parquet([${names}]))`,
    );
    expect(found?.rows).toEqual([['900000', '0']]);
  });
});

describe('PER_THREAD_OUTPUT', () => {
  test('the files of all threads hold all rows', async () => {
    const path = join(folder, 'threads');
    await quern.run(`COPY (SELECT i FROM range(3000000) t(i)) TO '${path}' (FORMAT parquet, PER_THREAD_OUTPUT)`);
    expect(readdirSync(path).length).toBeLessThanOrEqual(2);
    const found = await duckdb.run(`SELECT count(*), count(DISTINCT i), sum(i) FROM '${path}/*.parquet'`);
    expect(found?.rows).toEqual([['3000000', '3000000', '4499998500000']]);
  });

  test('no rows make one file', async () => {
    const path = join(folder, 'none');
    await quern.run(`COPY (SELECT 1 AS a WHERE false) TO '${path}' (FORMAT parquet, PER_THREAD_OUTPUT true)`);
    expect(readdirSync(path)).toEqual(['data_0.parquet']);
    expect((await duckdb.run(`SELECT count(a) FROM '${path}/*.parquet'`))?.rows).toEqual([['0']]);
  });

  test('false writes one file', async () => {
    const path = join(folder, 'one.parquet');
    await quern.run(`COPY (SELECT 1 AS a) TO '${path}' (PER_THREAD_OUTPUT false)`);
    expect(statSync(path).isFile()).toBe(true);
  });
});

describe('a folder of files', () => {
  const many = (path: string, query = 'SELECT 1 AS a') =>
    quern.run(`COPY (${query}) TO '${path}' (FORMAT parquet, FILE_SIZE_BYTES '100KB')`);

  test('takes the place of an empty folder only', async () => {
    const path = join(folder, 'there');
    mkdirSync(path);
    await many(`${path}/`);
    expect(readdirSync(path)).toEqual(['data_0.parquet']);
    await expect(many(path)).rejects.toThrow(`cannot write: the directory is not empty: ${path}`);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(many(file)).rejects.toThrow(`cannot write: is not a directory: ${file}`);
  });

  test.each(['FILE_SIZE_BYTES 100000', 'PER_THREAD_OUTPUT'])('an error leaves nothing, %s', async (option) => {
    const path = join(folder, 'failed');
    const query = "SELECT i, CAST(CASE WHEN i > 900000 THEN 'x' ELSE '1' END AS INTEGER) AS a FROM range(1000000) t(i)";
    await expect(
      quern.run(`COPY (${query}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 1000, ${option})`),
    ).rejects.toThrow('x');
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('failed'))).toEqual([]);
  });
});

describe('ROW_GROUP_BYTES', () => {
  /** Bytes in the file of every row group but the last: chunks and bloom filters. */
  async function groupSizes(path: string): Promise<number[]> {
    const found = await duckdb.run(
      `SELECT sum(total_compressed_size + coalesce(bloom_filter_length, 0)) FROM parquet_metadata('${path}')
       GROUP BY row_group_id ORDER BY row_group_id`,
    );
    return (found?.rows ?? []).map(([size]) => Number(size)).slice(0, -1);
  }

  describe.each(['uncompressed', 'snappy', 'zstd'])('%s', (codec) => {
    // Rows of longLists are half as large as a group.
    const sources = Object.entries(SOURCES).filter(([name]) => name !== 'longLists');
    test.each(sources)(
      'groups of %s come within 10 %% of their size',
      async (name, query) => {
        const path = join(folder, `groups_${name}_${codec}.parquet`);
        await quern.run(`COPY (${query}) TO '${path}' (ROW_GROUP_SIZE 100000000, ROW_GROUP_BYTES 50000,
        COMPRESSION ${codec})`);
        const sizes = await groupSizes(path);
        expect(sizes.length).toBeGreaterThan(2);
        for (const size of sizes) expect(Math.abs(size - 50_000)).toBeLessThan(5000);
        const [found] = (await duckdb.run(`SELECT count(*) FROM '${path}'`))?.rows ?? [];
        expect(found).toEqual((await quern.run(`SELECT count(*) FROM (${query})`))?.rows[0]);
      },
      120_000,
    );
  });

  test('the bytes of the file do not depend on the number of threads', async () => {
    const files: Buffer[] = [];
    for (const threads of [1, 2, 5]) {
      const engine = await openQuernEngine({ threads });
      const path = join(folder, `threads_${threads}.parquet`);
      await engine.run(`COPY (${SOURCES.mixed}) TO '${path}' (ROW_GROUP_BYTES 200000)`);
      await engine.close();
      files.push(readFileSync(path));
    }
    expect(files[1]?.equals(files[0] as Buffer)).toBe(true);
    expect(files[2]?.equals(files[0] as Buffer)).toBe(true);
  });

  test('a row larger than the size is a group', async () => {
    const path = join(folder, 'large_rows.parquet');
    await quern.run(`COPY (SELECT range(i * 1000, i * 1000 + 50000) AS l FROM range(5) t(i)) TO '${path}'
      (ROW_GROUP_BYTES 100000, COMPRESSION uncompressed)`);
    expect(await groupSizes(path)).toHaveLength(4);
  });
});

describe('a codec that hardly helps', () => {
  // 200,000 hashes: chunks of more than 1 MiB, which is where samples are taken.
  test.each(['snappy', 'zstd', 'lz4', 'gzip', 'brotli'])('%s', async (codec) => {
    const [source, path] = [join(folder, `noise_${codec}.parquet`), join(folder, `hardly_${codec}.parquet`)];
    const columns = "hash(i) AS noise, (i * 0.5)::DOUBLE AS steps, 'word' || i % 7 AS few, 'text of row ' || i AS text";
    const query = `SELECT i, ${columns} FROM range(200000) t(i)`;
    await duckdb.run(`COPY (${query}) TO '${source}' (FORMAT parquet)`);
    await quern.run(`COPY (FROM '${source}') TO '${path}' (COMPRESSION ${codec}, ROW_GROUP_SIZE 200000)`);
    const codecs = await duckdb.run(
      `SELECT path_in_schema, compression = 'UNCOMPRESSED' FROM parquet_metadata('${path}') ORDER BY column_id`,
    );
    const of = (name: string): unknown => codecs?.rows.find(([column]) => column === name)?.[1];
    expect([of('noise'), of('text'), of('few')]).toEqual(['true', 'false', 'false']);
    for (const engine of [quern, duckdb])
      expect(await engine.run(`FROM '${path}'`)).toEqual(await engine.run(`FROM '${source}'`));
  });
});

describe('COMPRESSION_LEVEL', () => {
  test.each([
    ['zstd', -50, 19],
    ['gzip', 1, 9],
    ['brotli', 1, 9],
  ])('%s', async (codec, low, high) => {
    const sizes = [];
    for (const level of [low, high]) {
      const path = join(folder, `${codec}_${level}.parquet`);
      await quern.run(`COPY (SELECT 'row ' || (i * 2654435761) % 1000003 AS s FROM range(20000) t(i)) TO '${path}'
        (COMPRESSION ${codec}, COMPRESSION_LEVEL ${level})`);
      sizes.push(statSync(path).size);
      expect((await duckdb.run(`SELECT count(DISTINCT s) FROM '${path}'`))?.rows).toEqual([['20000']]);
    }
    expect(sizes[1]).toBeLessThan(sizes[0] as number);
  });
});

describe('bloom filters', () => {
  test('stand beside dictionaries and hold every value', async () => {
    const path = join(folder, 'bloom.parquet');
    await quern.run(`COPY (SELECT i % 500 AS n, 's' || i % 300 AS s, (i % 100)::DECIMAL(30, 2) AS d, i AS u, i % 3 / 2 AS f,
      [i % 3] AS l FROM range(100000) t(i)) TO '${path}'`);
    const lengths = await duckdb.run(
      `SELECT path_in_schema, coalesce(bloom_filter_length, 0) > 0 FROM parquet_metadata('${path}') ORDER BY column_id`,
    );
    expect(lengths?.rows.map((row) => row[1])).toEqual(['true', 'true', 'true', 'false', 'false', 'false']);
    const excluded = async (column: string, value: string) =>
      (await duckdb.run(`SELECT bloom_filter_excludes FROM parquet_bloom_probe('${path}', '${column}', ${value})`))
        ?.rows[0]?.[0];
    for (let i = 0; i < 300; i++) expect(await excluded('s', `'s${i}'`)).toBe('false');
    expect(await excluded('s', "'other'")).toBe('true');
    expect(await excluded('n', '77::BIGINT')).toBe('false');
    const counted = await quern.run(`SELECT count(*) FROM '${path}' WHERE d = 77 AND n % 100 = 77`);
    expect(counted?.rows).toEqual([['1000']]);
  });

  test('WRITE_BLOOM_FILTER false leaves them out', async () => {
    const path = join(folder, 'no_bloom.parquet');
    await quern.run(`COPY (SELECT i % 5 AS n FROM range(1000) t(i)) TO '${path}' (WRITE_BLOOM_FILTER false)`);
    const found = await duckdb.run(`SELECT count(bloom_filter_offset) FROM parquet_metadata('${path}')`);
    expect(found?.rows).toEqual([['0']]);
  });
});

describe('EXPLAIN COPY', () => {
  test('shows where the rows go; ANALYZE writes them', async () => {
    const path = join(folder, 'explained');
    const copy = `COPY (SELECT i FROM range(9) t(i)) TO '${path}'
      (FORMAT parquet, FILE_SIZE_BYTES '1MB', COMPRESSION zstd, COMPRESSION_LEVEL 5)`;
    const plan = await quern.run(`EXPLAIN ${copy}`);
    expect(plan?.rows[0]?.[0]).toContain(
      `write_parquet ${path} zstd(5) rows=122880 bytes=134217728 file_bytes=1000000`,
    );
    expect(existsSync(path)).toBe(false);
    await quern.run(`EXPLAIN ANALYZE ${copy}`);
    expect((await duckdb.run(`SELECT count(*) FROM '${path}/*.parquet'`))?.rows).toEqual([['9']]);
  });
});
