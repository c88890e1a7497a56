import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runQuern } from './run_quern.ts';

const fixtures = fileURLToPath(new URL('../fixtures/slt', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'quern-files-'));
afterAll(() => rmSync(root, { recursive: true }));

async function outcome(args: readonly string[], cwd = fixtures) {
  const { code, stdout, stderr } = await runQuern(args, { cwd });
  return { code, stdout, stderr };
}

const ok = (stdout: string, stderr = '') => ({ code: 0, stdout, stderr });

describe('tables', () => {
  it('a lone file or glob stands for all its rows', async () => {
    expect(await outcome(['sizes/n1.parquet'])).toEqual(await outcome(["select * from 'sizes/n1.parquet'"]));
    expect(await outcome(['evolve', '-c'])).toMatchObject({ code: 2 });
    expect(await outcome(['hive'])).toEqual(await outcome(["from 'hive'"]));
    const all = await outcome(['sizes/*.parquet', '--none', '--timer']);
    expect(all).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^12,241 rows in \d+\.\d{3} s\n$/) });
    expect(await outcome(['sizes/n31.parquet', 'sizes/n32.parquet', '--none', '--timer'])).toMatchObject({
      stderr: expect.stringMatching(/^63 rows in /),
    });
  });

  it('-t and -d name files', async () => {
    expect(await outcome(['-t', 'm=mixed.parquet', 'select count(*) as n from m'])).toEqual(ok('n\n3000\n'));
    expect(await outcome(['-d', '.', 'select count(*) as n from mixed union all select count(*) from sizes'])).toEqual(
      ok('n\n3000\n12241\n'),
    );
  });

  it('says what is missing', async () => {
    expect(await outcome(['mixd.parquet'])).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error[io]: no such file: mixd.parquet\nhint: did you mean "mixed.parquet"?\n',
    });
    expect(await outcome(['-d', 'none', 'select 1'])).toMatchObject({ code: 5, stdout: '' });
    expect(await outcome(['-t', 'm', 'select 1'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error[usage]: --table: not NAME=VALUE: m\n',
    });
  });

  it('a bad file stops the query, or is left out with exit code 5', async () => {
    const folder = join(root, 'bad');
    mkdirSync(folder);
    copyFileSync(join(fixtures, 'sizes/n31.parquet'), join(folder, 'a.parquet'));
    writeFileSync(join(folder, 'b.parquet'), 'junk');
    const message = 'b.parquet: not a Parquet file: 4 bytes, at least 12';
    const sql = "select count(*) as n from '*.parquet'";
    expect(await outcome([sql], folder)).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(await outcome([sql, '--on-bad-file', 'skip'], folder)).toEqual({
      code: 5,
      stdout: 'n\n31\n',
      stderr: `skipped ${message}\n`,
    });
    expect(await outcome(["from 'b.parquet'", '--on-bad-file', 'skip'], folder)).toEqual({
      code: 5,
      stdout: '',
      stderr: `error[corrupt-file]: no file is readable: ${message}\n`,
    });
  });
});

describe('parameters', () => {
  it('takes a vector from .json and from one row of Parquet', async () => {
    const one = join(root, 'v.json');
    writeFileSync(one, '[-7.00390625,1.9296875,-3.109375,-6.33984375,6.1171875,-3.41015625,4.70703125,-4.5]');
    const sql = "select id from 'lists.parquet' where v = $q::FLOAT[] order by id limit 1";
    expect(await outcome(['-c', sql, '-p', `q=@${one}`])).toEqual(ok('id\n0\n'));
    expect(await outcome(['-c', 'select len($q) as n', '-p', 'q=@lists.parquet'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error[usage]: --param: 5 columns, not one: lists.parquet\n',
    });
  });
});

describe('inspect', () => {
  it('shows one file', async () => {
    const { code, stdout, stderr } = await outcome(['inspect', 'nested.parquet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('nested.parquet');
    expect(lines[1]).toMatch(/^\d+ rows, \d+ row groups?, [\d.]+ kB \(footer [\d.]+ kB\), format 2$/);
    expect(lines[4]).toMatch(/^column +type +values +nulls +size +ratio +codec +encodings$/);
    expect(stdout).toMatch(/^mp\.key_value\.key +BYTE_ARRAY STRING /m);
  });

  it('counts rows, sums over files and goes on after a bad one', async () => {
    expect(await outcome(['inspect', '--count', 'mixed.parquet'])).toEqual(ok('3000\n'));
    expect(await outcome(['inspect', '--count', 'sizes/n1.parquet', 'sizes/n31.parquet'])).toEqual(
      ok('1\tsizes/n1.parquet\n31\tsizes/n31.parquet\n32\ttotal\n'),
    );
    const junk = join(root, 'junk.parquet');
    writeFileSync(junk, 'junk');
    expect(await outcome(['inspect', '--count', junk, 'sizes/n1.parquet'])).toEqual({
      code: 5,
      stdout: '1\tsizes/n1.parquet\n1\ttotal\n',
      stderr: `error[corrupt-file]: ${junk}: not a Parquet file: 4 bytes, at least 12\n`,
    });
    expect(await outcome(['inspect', '--count', 'no.parquet', 'sizes/n1.parquet'])).toMatchObject({
      code: 5,
      stdout: '1\n',
      stderr: expect.stringMatching(/^error\[io\]: file not found: "no\.parquet"\n/),
    });
  });

  it('is JSON on demand', async () => {
    const { stdout } = await outcome(['inspect', '--json', 'sizes/*.parquet']);
    const document = JSON.parse(stdout) as { files: { rows: number }[]; totals: { rows: number; files: number } };
    expect(document.totals).toMatchObject({ files: 9, rows: 12_241 });
    expect(document.files.reduce((sum, file) => sum + file.rows, 0)).toBe(12_241);
  });

  it('counts list elements exactly, or says that it has a bound', async () => {
    const values = async (...options: string[]) => {
      const { stdout } = await outcome(['inspect', 'lists.parquet', '--json', ...options]);
      const { files } = JSON.parse(stdout) as {
        files: { row_groups: { columns: { leaves: number; leaves_exact: boolean }[] }[] }[];
      };
      const chunks = files[0]?.row_groups.map((group) => group.columns[1]) ?? [];
      return {
        leaves: chunks.reduce((sum, chunk) => sum + (chunk?.leaves ?? 0), 0),
        exact: chunks.every((chunk) => chunk?.leaves_exact === true),
      };
    };
    const { stdout } = await outcome(["select sum(len(l)) as n from 'lists.parquet'", '--no-header']);
    const scanned = await values('--scan-levels');
    expect(scanned).toEqual({ leaves: Number(stdout), exact: true });
    const fromFooter = await values();
    if (fromFooter.exact) expect(fromFooter.leaves).toBe(scanned.leaves);
    else expect(fromFooter.leaves).toBeGreaterThanOrEqual(scanned.leaves);
  });
});

describe('explain', () => {
  it('shows the plan of a query over files, and what it did', async () => {
    const sql = "select g, count(*) from 'mixed.parquet' where id > 5 group by g";
    const plan = await outcome(['explain', sql]);
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(plan.stdout.split('\n')[0]).toMatch(/^hash_group_by /);
    expect(await outcome([`explain ${sql}`])).toEqual(plan);
    const analyzed = await outcome(['explain', '-a', sql]);
    expect(analyzed.stdout).toMatch(/\ntotal [\d.]+ ms · /);
    const json = JSON.parse((await outcome(['explain', '-m', 'json', sql])).stdout) as { format: number };
    expect(json.format).toBeGreaterThan(0);
  });
});
