import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileRequest } from '../../src/catalog/file_request.ts';
import { findFiles } from '../../src/catalog/find_files.ts';
import { hiveKeys, hiveParts } from '../../src/catalog/hive.ts';
import type { FileDescriber } from '../../src/catalog/open_table.ts';
import { filesOf, openTable } from '../../src/catalog/open_table.ts';
import { registeredFiles, TableRegistry } from '../../src/catalog/table_registry.ts';
import { INT32, INT64, STRING, typeName } from '../../src/common/data_type.ts';
import type { DescribedColumn } from '../../src/engine/index.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quern-catalog-'));
  for (const name of [
    'b.parquet',
    'a.parquet',
    'a10.parquet',
    'a2.parquet',
    'deep/x/c.parquet',
    'year=2024/m=1/p.parquet',
    'notes.txt',
  ]) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), 'PAR1');
  }
});

afterAll(() => rm(folder, { recursive: true }));

describe('files', () => {
  test('a path is itself, a glob its matches by bytes, ** goes down, a folder is everything below', async () => {
    expect(await findFiles('b.parquet', folder, undefined)).toEqual(['b.parquet']);
    expect(await findFiles('a*.parquet', folder, undefined)).toEqual(['a.parquet', 'a10.parquet', 'a2.parquet']);
    expect(await findFiles('deep/**/*.parquet', folder, undefined)).toEqual(['deep/x/c.parquet']);
    expect(await findFiles('{a,b}.parquet', folder, undefined)).toEqual(['a.parquet', 'b.parquet']);
    expect(await findFiles('deep', folder, undefined)).toEqual(['deep/x/c.parquet']);
    expect(await findFiles(path.join(folder, 'b*'), '/', undefined)).toEqual([path.join(folder, 'b.parquet')]);
    expect(await findFiles('-', folder, undefined)).toEqual(['/dev/stdin']);
  });

  test('a missing file names pattern, folder and the nearest path that exists', async () => {
    await expect(findFiles('deep/y/z.parquet', folder, undefined)).rejects.toMatchObject({
      code: 'io',
      message: 'file not found: "deep/y/z.parquet"',
      hint: `looked from ${folder}; nearest existing path: ${folder}/deep`,
    });
    await expect(findFiles('deep/*.orc', folder, undefined)).rejects.toMatchObject({
      message: 'no file matches "deep/*.orc"',
      hint: `looked from ${folder}; nearest existing path: ${folder}/deep`,
    });
  });

  // Root may list every folder: it becomes nobody for a moment.
  test.skipIf(process.getuid?.() !== 0)(
    'a folder that may not be listed is an error, nothing is left out',
    async () => {
      await mkdir(path.join(folder, 'shut/in'), { recursive: true });
      await writeFile(path.join(folder, 'shut/a.parquet'), 'PAR1');
      await chmod(folder, 0o755);
      await chmod(path.join(folder, 'shut/in'), 0o700);
      const nobody = 65_534;
      process.seteuid?.(nobody);
      try {
        for (const pattern of ['shut/in', 'shut/in/*.parquet', 'shut/**/*.parquet', 'shut']) {
          await expect(findFiles(pattern, folder, undefined)).rejects.toMatchObject({ code: 'permission' });
        }
        expect(await findFiles('shut/*.parquet', folder, undefined)).toEqual(['shut/a.parquet']);
      } finally {
        process.seteuid?.(0);
      }
    },
  );
});

describe('hive folders', () => {
  const types = (...files: string[]) => hiveKeys(files)?.map((key) => `${key.name} ${typeName(key.type)}`) ?? null;
  test('keys have the type that fits all values', () => {
    expect(types('y=1/d=2024-01-02/x.parquet', 'y=20/d=2024-02-03/x.parquet')).toEqual(['d DATE', 'y BIGINT']);
    expect(types('k=1/x', 'k=a/x')).toEqual(['k VARCHAR']);
    expect(types('k=__HIVE_DEFAULT_PARTITION__/x', 'k=7/x')).toEqual(['k BIGINT']);
  });
  test('paths with other keys are no partitions', () => {
    expect(types('a=1/x', 'b=1/x')).toBeNull();
    expect(types('a=1/x', 'x')).toBeNull();
    expect(types('x')).toBeNull();
  });
  test('values are decoded', () => {
    expect(hiveParts('n=a%20b/x=%zz/f')).toEqual([
      { name: 'n', value: 'a b' },
      { name: 'x', value: '%zz' },
    ]);
  });
});

const column = (name: string, extra: Partial<DescribedColumn> = {}): DescribedColumn => ({
  name,
  type: INT32,
  reason: null,
  bounds: null,
  dictionaries: [],
  ...extra,
});

const describer = (columns: readonly DescribedColumn[]): FileDescriber => ({
  describeFiles: async (paths) => ({
    columns,
    rows: 7,
    files: paths.map((file) => ({ path: file, rows: 7, rowGroups: 1 })),
    skipped: [],
  }),
});

const request = (patterns: readonly string[], extra: Partial<FileRequest> = {}): FileRequest => ({
  ...registeredFiles('t', '').request,
  patterns,
  ...extra,
});

describe('tables of files', () => {
  const open = async (wanted: FileRequest, columns: readonly DescribedColumn[] = [column('x')]) => {
    const options = { cwd: folder, onBadFile: 'error' } as const;
    return openTable(wanted, await filesOf(wanted, options, undefined), describer(columns), options, undefined);
  };

  test('columns of the files, of options and of folders', async () => {
    const table = await open(request(['year=2024/m=1/*.parquet'], { filename: 'filename', fileRowNumber: true }), [
      column('x'),
      column('M'),
    ]);
    expect(table.columns.map((c) => `${c.name} ${typeName(c.type)} ${c.source}`)).toEqual([
      'x INTEGER field',
      'M BIGINT hive',
      'file_row_number BIGINT file_row_number',
      'filename VARCHAR filename',
      'year BIGINT hive',
    ]);
    expect(table.rows).toBe(7);
    expect(table.files).toEqual([path.join(folder, 'year=2024/m=1/p.parquet')]);
    expect(table.options.hive_partitioning).toBe(true);
  });

  test('without hive_partitioning folders are no columns', async () => {
    const table = await open(request(['year=2024/m=1/*.parquet'], { hivePartitioning: false }));
    expect(table.columns.map((c) => c.name)).toEqual(['x']);
    await expect(open(request(['b.parquet'], { hivePartitioning: true }))).rejects.toMatchObject({ code: 'binder' });
  });

  test('fields of one name are told apart', async () => {
    const table = await open(request(['b.parquet']), [
      column('x'),
      column('X', { type: INT64 }),
      column('x', { type: STRING }),
    ]);
    expect(table.columns.map((c) => [c.name, c.field, c.nth])).toEqual([
      ['x', 'x', 0],
      ['X_1', 'X', 0],
      ['x_1_1', 'x', 1],
    ]);
  });

  test('a column that cannot be read says why and in which file', async () => {
    const table = await open(request(['b.parquet']), [column('g', { type: null, reason: 'odd' })]);
    expect(table.columns[0]?.unsupported).toBe(`odd: ${folder}/b.parquet`);
    await expect(open(request(['b.parquet']), [])).rejects.toMatchObject({ code: 'unsupported' });
  });

  test('the format is told by ending, else by the first bytes', async () => {
    expect((await open(request(['b.parquet']))).format).toBe('parquet');
    expect((await open(request(['-']))).format).toBe('arrow');
    await writeFile(path.join(folder, 'plain'), 'PAR1....');
    expect((await open(request(['plain']))).format).toBe('parquet');
    await writeFile(path.join(folder, 'other'), 'hello world');
    await expect(open(request(['other']))).rejects.toMatchObject({ code: 'unsupported' });
  });
});

test('names are found in any case, and near names are offered', () => {
  const tables = new TableRegistry<string>();
  tables.set(registeredFiles('Sales', 'x.parquet'));
  expect(tables.find('sALES')?.name).toBe('Sales');
  expect(tables.notFound('sale', { start: 0, end: 1 }).hint).toBe('did you mean "Sales"?');
  expect(tables.delete('SALES')).toBe(true);
  expect(tables.names()).toEqual([]);
});
