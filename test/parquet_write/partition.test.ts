import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';

let folder: string;
let quern: TextEngine;
/** whose writer has some 6 MiB for all folders together */
let small: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-partition-'));
  quern = await openQuernEngine({ threads: 2 });
  small = await openQuernEngine({ threads: 2, memoryLimit: 96 * 2 ** 20 });
  duckdb = await openDuckDbEngine({ threads: 1 });
});

afterAll(async () => {
  await Promise.all([quern.close(), small.close(), duckdb.close()]);
  await rm(folder, { recursive: true });
});

/** Paths of all files below `path`, sorted. */
function filesOf(path: string, prefix = ''): string[] {
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const name = prefix + entry.name;
      return entry.isDirectory() ? filesOf(join(path, entry.name), `${name}/`) : [name];
    })
    .sort();
}

const rowsOf = async (engine: TextEngine, sql: string) => (await engine.run(sql))?.rows;

describe('PARTITION_BY', () => {
  const VALUES = `(VALUES ('a b/c=%é', 1, 'v1'), (NULL, NULL, 'v2'), ('', 2, 'v3'), ('x:y*?"<>|.-_~+''', -3, 'v4'), ('a b/c=%é', 1, 'v5'))
    t(s, i, v)`;

  test('folders are named as DuckDB names them', async () => {
    const paths = [];
    for (const engine of [quern, duckdb]) {
      const path = join(folder, `names_${engine.name}`);
      await engine.run(`COPY (SELECT * FROM ${VALUES}) TO '${path}' (FORMAT parquet, PARTITION_BY (s, i))`);
      paths.push(filesOf(path));
    }
    expect(paths[0]).toEqual(paths[1]);
    expect(paths[0]).toContain('s=a%20b%2Fc%3D%25%C3%A9/i=1/data_0.parquet');
    expect(paths[0]).toContain('s=__HIVE_DEFAULT_PARTITION__/i=__HIVE_DEFAULT_PARTITION__/data_0.parquet');
  });

  test('both engines read the rows back', async () => {
    const path = join(folder, 'back');
    await quern.run(`COPY (SELECT * FROM ${VALUES}) TO '${path}' (FORMAT parquet, PARTITION_BY (s, i))`);
    const wanted = await rowsOf(quern, `SELECT v, s, i FROM ${VALUES} ORDER BY v`);
    for (const engine of [quern, duckdb])
      expect(await rowsOf(engine, `SELECT v, s, i FROM '${path}/**/*.parquet' ORDER BY v`)).toEqual(wanted);
  });

  test.each(['DATE', 'TIMESTAMP', 'DOUBLE', 'BOOLEAN', 'UUID', 'DECIMAL(9, 2)'])('values of %s', async (type) => {
    const text: Readonly<Record<string, string>> = {
      DATE: '2024-02-29',
      TIMESTAMP: '2024-02-29 12:30:00.25',
      DOUBLE: '-1.5e300',
      BOOLEAN: 'true',
      UUID: '01a22f8e-887e-76df-96f0-b5dc8fae7ae4',
      'DECIMAL(9, 2)': '-7.25',
    };
    const path = join(folder, `type_${type.replace(/\W/g, '_')}`);
    const source = `SELECT 1 AS v, CAST('${text[type]}' AS ${type}) AS k UNION ALL SELECT 2, NULL`;
    await quern.run(`COPY (${source}) TO '${path}' (FORMAT parquet, PARTITION_BY k)`);
    const twin = `${path}_duckdb`;
    await duckdb.run(`COPY (${source}) TO '${twin}' (FORMAT parquet, PARTITION_BY k)`);
    expect(filesOf(path)).toEqual(filesOf(twin));
    const back = `SELECT v, CAST(k AS ${type}) FROM read_parquet('${path}/**/*.parquet', hive_partitioning = true) ORDER BY 1`;
    const wanted = await rowsOf(quern, `SELECT * FROM (${source}) ORDER BY 1`);
    for (const engine of [quern, duckdb]) expect(await rowsOf(engine, back)).toEqual(wanted);
  });

  test('rows of a folder keep their order; a filter on the keys opens that folder alone', async () => {
    const path = join(folder, 'ordered');
    await quern.run(`COPY (SELECT i, i % 5 AS part, i * 7 % 3 AS inner_part FROM range(1000000) t(i)) TO '${path}'
      (FORMAT parquet, PARTITION_BY (part, inner_part), ROW_GROUP_SIZE 20000)`);
    expect(filesOf(path)).toHaveLength(15);
    const ordered = `SELECT count(*), count_if(i <= before) FROM
      (SELECT i, lag(i) OVER (PARTITION BY part, inner_part ORDER BY filename, file_row_number) AS before
       FROM read_parquet('${path}/**/*.parquet', filename = true, file_row_number = true))`;
    expect(await rowsOf(duckdb, ordered)).toEqual([['1000000', '0']]);
    const filtered = `FROM '${path}/**/*.parquet' WHERE part = 3 AND inner_part = 1`;
    expect(await rowsOf(quern, `SELECT count(*), sum(i) ${filtered}`)).toEqual(
      await rowsOf(duckdb, `SELECT count(*), sum(i) ${filtered}`),
    );
    const analyzed = await rowsOf(quern, `EXPLAIN ANALYZE SELECT sum(i) ${filtered}`);
    const [, read, skipped] = /row groups (\d+) read, (\d+) skipped/.exec(JSON.stringify(analyzed)) ?? [];
    // 66,667 rows of each of the 15 folders.
    expect(Number(read)).toBeLessThanOrEqual(5);
    expect(Number(skipped)).toBeGreaterThanOrEqual(14 * Number(read));
  });

  test('WRITE_PARTITION_COLUMNS keeps them in the files', async () => {
    const path = join(folder, 'kept');
    await quern.run(`COPY (SELECT i % 2 AS Part, i FROM range(10) t(i)) TO '${path}'
      (FORMAT parquet, PARTITION_BY (PART), WRITE_PARTITION_COLUMNS true)`);
    expect(filesOf(path)).toEqual(['Part=0/data_0.parquet', 'Part=1/data_0.parquet']);
    const file = `read_parquet('${path}/Part=1/data_0.parquet', hive_partitioning = false)`;
    for (const engine of [quern, duckdb])
      expect(await rowsOf(engine, `SELECT Part, i FROM ${file} ORDER BY i LIMIT 2`)).toEqual([
        ['1', '1'],
        ['1', '3'],
      ]);
  });

  test('more folders than may be open, within the memory limit', async () => {
    const path = join(folder, 'many');
    const source = "SELECT i, i * 2654435761 % 4294967291 % 600 AS part, 'text of ' || i AS s FROM range(150000) t(i)";
    await small.run(`COPY (${source}) TO '${path}' (FORMAT parquet, PARTITION_BY (part))`);
    const sums = 'SELECT count(*), sum(i), sum(part), sum(length(s)), count(DISTINCT part)';
    const wanted = await rowsOf(duckdb, `${sums} FROM (${source})`);
    for (const engine of [quern, duckdb])
      expect(await rowsOf(engine, `${sums} FROM '${path}/**/*.parquet'`)).toEqual(wanted);
    expect(readdirSync(path)).toHaveLength(600);
  }, 120_000);

  test('FILE_SIZE_BYTES cuts each folder', async () => {
    const path = join(folder, 'sized');
    await quern.run(`COPY (SELECT i * 2654435761 % 4294967291 AS h, i % 2 AS part FROM range(400000) t(i)) TO '${path}'
      (FORMAT parquet, PARTITION_BY (part), FILE_SIZE_BYTES 400000)`);
    const files = filesOf(path);
    expect(files.length).toBeGreaterThan(7);
    const whole = files.filter((name) =>
      files.includes(name.replace(/\d+(?=\.parquet)/, (n) => String(Number(n) + 1))),
    );
    for (const name of whole) expect(Math.abs(statSync(join(path, name)).size - 400_000)).toBeLessThan(40_000);
  });

  test('no rows make an empty folder', async () => {
    const path = join(folder, 'nothing');
    await quern.run(`COPY (SELECT 1 AS a, 2 AS b WHERE false) TO '${path}' (FORMAT parquet, PARTITION_BY (a))`);
    expect(filesOf(path)).toEqual([]);
  });

  test.each([
    ['PARTITION_BY (nope)', 'PARTITION_BY: no column nope'],
    ['PARTITION_BY (a, A)', 'PARTITION_BY names a column twice: a'],
    ['PARTITION_BY (a, b)', 'PARTITION_BY leaves no column for the files'],
    ['PARTITION_BY (1)', 'PARTITION_BY takes columns'],
    ['PARTITION_BY (a), PER_THREAD_OUTPUT', 'unsupported: COPY with PER_THREAD_OUTPUT and PARTITION_BY'],
    ['PARTITION_BY (a), OVERWRITE, OVERWRITE_OR_IGNORE', 'OVERWRITE and OVERWRITE_OR_IGNORE exclude each other'],
    ["PARTITION_BY (a), FILENAME_PATTERN 'x/{i}'", 'FILENAME_PATTERN is not a name of a file: x/{i}'],
  ])('%s: %s', async (options, message) => {
    const path = join(folder, 'refused');
    const copy = `COPY (SELECT 1 AS a, 2 AS b) TO '${path}' (FORMAT parquet, ${options})`;
    await expect(quern.run(copy)).rejects.toThrow(message);
    await expect(quern.run(`EXPLAIN ${copy}`)).rejects.toThrow(message);
    expect(existsSync(path)).toBe(false);
  });

  test('an error leaves nothing', async () => {
    const path = join(folder, 'failed');
    const query =
      "SELECT i % 9 AS part, CAST(CASE WHEN i > 900000 THEN 'x' ELSE '1' END AS INTEGER) AS a FROM range(1000000) t(i)";
    await expect(quern.run(`COPY (${query}) TO '${path}' (FORMAT parquet, PARTITION_BY (part))`)).rejects.toThrow('x');
    expect(readdirSync(folder).filter((name) => name.includes('failed'))).toEqual([]);
  });
});

describe('a folder that is there', () => {
  const write = (path: string, value: number, options: string) =>
    quern.run(
      `COPY (SELECT ${value} AS v, ${value} % 2 AS part) TO '${path}' (FORMAT parquet, PARTITION_BY (part), ${options})`,
    );

  test('is refused, replaced by OVERWRITE, or kept by OVERWRITE_OR_IGNORE', async () => {
    const path = join(folder, 'there');
    await write(path, 1, 'OVERWRITE false');
    await expect(write(path, 2, 'OVERWRITE_OR_IGNORE false')).rejects.toThrow('the directory is not empty');
    mkdirSync(join(path, 'deep', 'er'), { recursive: true });
    writeFileSync(join(path, 'deep', 'er', 'other'), 'kept');
    await write(path, 2, 'OVERWRITE_OR_IGNORE');
    await write(path, 3, 'OVERWRITE_OR_IGNORE true');
    await write(path, 5, "OVERWRITE_OR_IGNORE, FILENAME_PATTERN 'more'");
    expect(filesOf(path)).toEqual([
      'deep/er/other',
      'part=0/data_0.parquet',
      'part=1/data_0.parquet',
      'part=1/more0.parquet',
    ]);
    const all = `SELECT v FROM '${path}/part*/*.parquet' ORDER BY 1`;
    for (const engine of [quern, duckdb]) expect(await rowsOf(engine, all)).toEqual([['2'], ['3'], ['5']]);
    await write(path, 7, 'OVERWRITE');
    expect(filesOf(path)).toEqual(['part=1/data_0.parquet']);
    expect(await rowsOf(duckdb, all)).toEqual([['7']]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.there'))).toEqual([]);
  });

  test('an error leaves it as it was, OVERWRITE or not', async () => {
    const path = join(folder, 'stays');
    await write(path, 1, 'OVERWRITE');
    const failing =
      "SELECT CAST(CASE WHEN i > 90000 THEN 'x' ELSE '1' END AS INTEGER) AS v, 1 AS part FROM range(100000) t(i)";
    await expect(
      quern.run(`COPY (${failing}) TO '${path}' (FORMAT parquet, PARTITION_BY (part), OVERWRITE)`),
    ).rejects.toThrow('x');
    expect(filesOf(path)).toEqual(['part=1/data_0.parquet']);
    expect(await rowsOf(duckdb, `SELECT v FROM '${path}/*/*.parquet'`)).toEqual([['1']]);
  });

  test('its own rows may be read while it is replaced', async () => {
    const path = join(folder, 'itself');
    await write(path, 1, 'OVERWRITE');
    await quern.run(
      `COPY (SELECT v + 1 AS v, part FROM '${path}/*/*.parquet') TO '${path}' (FORMAT parquet, PARTITION_BY (part), OVERWRITE)`,
    );
    expect(await rowsOf(duckdb, `SELECT v FROM '${path}/*/*.parquet'`)).toEqual([['2']]);
  });

  test('a file is replaced whatever is said', async () => {
    const path = join(folder, 'file.parquet');
    for (const option of ['OVERWRITE', 'OVERWRITE_OR_IGNORE', "FILENAME_PATTERN 'x_{i}'"])
      await quern.run(`COPY (SELECT 1 AS a) TO '${path}' (${option})`);
    expect(statSync(path).isFile()).toBe(true);
  });
});

describe('FILENAME_PATTERN and FILE_EXTENSION', () => {
  const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
  test.each([
    ["FILENAME_PATTERN 'file'", /^file0\.parquet$/],
    ["FILENAME_PATTERN 'a_{i}_b'", /^a_0_b\.parquet$/],
    ["FILENAME_PATTERN 'u_{uuid}'", new RegExp(`^u_${UUID}\\.parquet$`)],
    ["FILENAME_PATTERN '{i}_{uuidv4}'", new RegExp(`^0_${UUID}\\.parquet$`)],
    ["FILENAME_PATTERN '{uuidv7}', FILE_EXTENSION 'pq'", /^0[0-9a-f]{7}-[0-9a-f]{4}-7[0-9a-f]{3}-.*\.pq$/],
  ])('%s', async (options, name) => {
    const path = join(folder, 'named');
    await quern.run(`COPY (SELECT 1 AS a) TO '${path}' (FORMAT parquet, PER_THREAD_OUTPUT, OVERWRITE, ${options})`);
    const [found, ...rest] = readdirSync(path);
    expect(found).toMatch(name);
    expect(rest).toEqual([]);
  });
});
