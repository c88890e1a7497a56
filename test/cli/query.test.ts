import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { QUERN, runQuern } from './run_quern.ts';

const root = mkdtempSync(join(tmpdir(), 'quern-cli-'));
afterAll(() => rmSync(root, { recursive: true }));

const ok = (stdout: string, stderr = '') => ({ code: 0, signal: null, stdout, stderr });
const failed = (code: number, stderr: string, stdout = '') => ({ code, signal: null, stdout, stderr });

async function outcome(args: readonly string[], start: Parameters<typeof runQuern>[1] = {}) {
  const { code, signal, stdout, stderr } = await runQuern(args, { cwd: root, ...start });
  return { code, signal, stdout, stderr };
}

file('two.sql', 'select 2 as b;');

function file(name: string, text: string): string {
  writeFileSync(join(root, name), text);
  return name;
}

describe('input', () => {
  it('runs SQL from arguments, -c, -f and stdin', async () => {
    expect(await outcome(['select 42 as a'])).toEqual(ok('a\n42\n'));
    expect(await outcome(['-c', 'select 1 as a', '-f', 'two.sql', '-c', 'select 3 as c'])).toEqual(
      ok('a\n1\nb\n2\nc\n3\n'),
    );
    expect(await outcome([], { input: 'select 4 as d; select 5 as e' })).toEqual(ok('d\n4\ne\n5\n'));
    expect(await outcome(['-f', '-'], { input: 'select 6 as f' })).toEqual(ok('f\n6\n'));
  });

  it('binds parameters', async () => {
    file('v.json', '[1, 2, 3]');
    expect(await outcome(['-c', 'select $n::INTEGER + 1 as a, len($v) as b', '-p', 'n=41', '-p', 'v=@v.json'])).toEqual(
      ok('a,b\n42,3\n'),
    );
  });

  it('refuses arguments that are not UTF-8', () => {
    const run = (bytes: string) =>
      spawnSync('sh', ['-c', `exec "$0" "$(printf "select '${bytes}'")" --no-header`, QUERN], { encoding: 'utf8' });
    expect(run('\\377')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: "error[usage]: an argument is not UTF-8 text: select '\uFFFD'\n",
    });
    expect(run('\\357\\277\\275')).toMatchObject({ status: 0, stdout: '\uFFFD\n' });
  });

  it('says how to run a file', async () => {
    expect(await outcome(['two.sql'])).toEqual(
      failed(2, 'error[usage]: a file in place of SQL: two.sql\nhint: quern -f two.sql\n'),
    );
    expect(await outcome(['-'], { input: 'select 6 as f' })).toEqual(ok('f\n6\n'));
  });

  it('reads nothing for an empty text', async () => {
    expect(await outcome([], { input: '-- nothing\n' })).toEqual(ok(''));
  });
});

describe('output', () => {
  const sql = "select 1 as id, 'x' as name union all select 2, null";

  it.each([
    ['csv', 'id,name\n1,x\n2,\n'],
    ['json', '[{"id":1,"name":"x"},\n{"id":2,"name":null}]\n'],
    ['jsonl', '{"id":1,"name":"x"}\n{"id":2,"name":null}\n'],
    ['markdown', '| id | name |\n|--:|---|\n| 1 | x |\n| 2 | NULL |\n'],
    ['line', '  id = 1\nname = x\n\n  id = 2\nname = NULL\n'],
    [
      'duckbox',
      '┌───────┬─────────┐\n│  id   │  name   │\n│ int32 │ varchar │\n├───────┼─────────┤\n│     1 │ x       │\n│     2 │ NULL    │\n└───────┴─────────┘\n',
    ],
    ['none', ''],
  ])('%s', async (mode, expected) => {
    expect(await outcome(['-c', sql, '-m', mode])).toEqual(ok(expected));
  });

  it('takes DuckDB spellings in any place', async () => {
    expect(await outcome(['-csv', '-c', sql, '-noheader', '-nullvalue', 'none'])).toEqual(ok('1,x\n2,none\n'));
  });

  it('writes a file, complete or not at all', async () => {
    expect(await outcome(['-c', sql, '-o', 'out.json'])).toEqual(ok(''));
    expect(readFileSync(join(root, 'out.json'), 'utf8')).toBe('[{"id":1,"name":"x"},\n{"id":2,"name":null}]\n');
    expect(await outcome(['-c', sql, '-o', 'out.json'])).toEqual(
      failed(2, 'error[usage]: output file exists: out.json\nhint: --force replaces it\n'),
    );
    symlinkSync('out.json', join(root, 'link.json'));
    expect(await outcome(['-c', 'select 3 as z', '-o', 'link.json', '--force'])).toEqual(ok(''));
    expect(readFileSync(join(root, 'out.json'), 'utf8')).toBe('[{"z":3}]\n');
    const broken = await outcome(['-c', 'select 1 as a; select nope', '-o', 'broken.csv']);
    expect(broken.code).toBe(1);
    expect(existsSync(join(root, 'broken.csv'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('takes away what a killed process left', async () => {
    writeFileSync(join(root, '.stale.csv.999999999.tmp'), 'x');
    expect(await outcome(['-c', 'select 1 as a', '-o', 'stale.csv'])).toEqual(ok(''));
    expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('says where it cannot write', async () => {
    expect(await outcome(['-c', sql, '-o', '/nonexistent/dir/x.csv'])).toEqual(
      failed(
        5,
        'error[io]: cannot write: no such file or directory: /nonexistent/dir/x.csv\nhint: nearest existing directory: /\n',
      ),
    );
    expect(await outcome(['-c', sql, '-o', '.'])).toEqual(failed(5, 'error[io]: cannot write: is a directory: .\n'));
    expect(await outcome(['-c', sql, '-o', '/dev/full'])).toEqual(
      failed(6, 'error[disk-full]: cannot write: no space left on device: /dev/full\n'),
    );
    expect(await outcome(['gen', 'tpcds', '--scale', '0.001', '--out', '/dev/null/x'])).toEqual(
      failed(5, 'error[io]: cannot stat: a part of the path is not a directory: /dev/null/x/date_dim.parquet\n'),
    );
  });

  it('reports time and statistics on stderr', async () => {
    const timed = await outcome(['-c', sql, '--timer', '--none']);
    expect(timed.stdout).toBe('');
    expect(timed.stderr).toMatch(/^2 rows in \d+\.\d{3} s\n$/);
    const stats = await outcome(['-c', sql, '--stats', '--none']);
    expect(stats.stderr).toMatch(
      /^2 rows in \d+\.\d{3} s, read 0 B \(0 bytes\), peak memory [\d.]+ \w+\npages: 0 read, 0 skipped; row groups: 0 read, 0 skipped\n$/,
    );
  });

  it('echoes statements', async () => {
    expect(await outcome(['-c', 'select 1 as a ;  select 2 as b', '--echo', '--none'])).toEqual(
      ok('', 'select 1 as a;\nselect 2 as b;\n'),
    );
  });
});

describe('errors', () => {
  it('points into a file', async () => {
    file('bad.sql', 'select 1 as a;\nselect\n  nope from range(3) t(i)');
    const result = await outcome(['-f', 'bad.sql']);
    expect(result.code).toBe(1);
    expect(result.stdout).toBe('a\n1\n');
    const lines = result.stderr.split('\n');
    expect(lines[0]).toMatch(/^error\[binder\]: /);
    expect(lines.slice(1, 4)).toEqual(['  --> bad.sql:3:3', '3 |   nope from range(3) t(i)', '  |   ^^^^']);
  });

  it('stops at the first error, or goes on', async () => {
    const texts = ['-c', 'select 1 as a; select nope; select 2 as b'];
    expect(await outcome([...texts, '--error-format', 'json'])).toMatchObject({ code: 1, stdout: 'a\n1\n' });
    const partly = await outcome([...texts, '--no-bail']);
    expect(partly).toMatchObject({ code: 3, stdout: 'a\n1\nb\n2\n' });
    expect(partly.stderr).toContain('1 | select 1 as a; select nope; select 2 as b\n  |                       ^^^^\n');
  });

  it('is JSON on demand', async () => {
    const { stderr, code } = await outcome(['select nope', '--error-format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      kind: 'binder',
      file: null,
      line: 1,
      column: 8,
      length: 4,
      sql: 'select nope',
    });
  });

  it.each([
    [['benhc'], 2, 'error[usage]: unknown command: benhc\nhint: did you mean "bench"?\n'],
    [['--jsno', 'x'], 2, "error[usage]: unknown option '--jsno'\nhint: did you mean --json or --jsonl?\n"],
    [['--max-row', '3', 'x'], 2, "error[usage]: unknown option '--max-row'\nhint: did you mean --max-rows?\n"],
    [['--frobnicate', 'x'], 2, "error[usage]: unknown option '--frobnicate'\nhint: quern --help\n"],
    [
      ['--separator', '', 'x'],
      2,
      "error[usage]: --separator: empty: csv cannot be read back\nhint: one character, such as ';' or '\\t'\n",
    ],
    [
      ['--separator', '"', 'x'],
      2,
      "error[usage]: --separator: has a quote or a line break: csv cannot be read back\nhint: one character, such as ';' or '\\t'\n",
    ],
    [['-m', 'jsn', 'x'], 2, 'error[usage]: --mode: unknown format: jsn\nhint: did you mean "json"?\n'],
    [['-f', 'two.sq'], 5, 'error[io]: cannot read: no such file or directory: two.sq\nhint: did you mean "two.sql"?\n'],
    [['--parquet', 'select 1'], 2, 'error[usage]: Parquet goes to a file\nhint: -o FILE.parquet\n'],
    [
      ['-o', 'stdout', 'select 1'],
      2,
      'error[usage]: -o stdout would make a file of that name\nhint: -o - writes to stdout\n',
    ],
    [
      ['--timeout', 'soon', 'select 1'],
      2,
      'error[usage]: --timeout: not a duration: soon\nhint: a number with a unit, such as 500ms, 10s, 5m or 1h\n',
    ],
    [
      ['-c', 'select 1', '--row-limit', '0', '--none'],
      1,
      'error[runtime]: the result has more than 0 rows (--row-limit)\n',
    ],
    [
      ['-c', 'select 1 as a; select 2 as b', '--single-result', '--none'],
      2,
      'error[usage]: more than one result (--single-result)\n',
    ],
  ])('%j', async (args, code, stderr) => {
    expect(await outcome(args)).toEqual(failed(code, stderr));
  });

  it('checks without running', async () => {
    expect(await outcome(['--dry-run', "select 1 / 0; select 'x'::INTEGER from range(5)"])).toMatchObject({
      stdout: '',
    });
    expect(await outcome(['--dry-run', 'select nope'])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('several results', () => {
  const sql = 'select 1 as a; select 2 as b';

  it.each([
    ['csv', 'a\n1\nb\n2\n'],
    ['json', '[{"a":1}]\n[{"b":2}]\n'],
    ['line', 'a = 1\n\nb = 2\n'],
    ['markdown', '| a |\n|--:|\n| 1 |\n\n| b |\n|--:|\n| 2 |\n'],
  ])('%s keeps them apart', async (mode, expected) => {
    expect(await outcome([sql, '-m', mode])).toEqual(ok(expected));
  });

  it.each(['parquet', 'arrow'])('a file of .%s holds one, or is not written', async (ending) => {
    const name = `several.${ending}`;
    const here = (): string[] => readdirSync(root).filter((entry) => entry.includes('several'));
    expect(await outcome([sql, '-o', name])).toMatchObject({ code: 2, stdout: '' });
    expect(await outcome(['select 1 as a; set nope = 1', '-o', name])).toMatchObject({ code: 1, stdout: '' });
    expect(here()).toEqual([]);
    expect(await outcome(['select 1 as a', '-o', name])).toEqual(ok(''));
    const before = readFileSync(join(root, name));
    expect(await outcome(['select 2 as a; set nope = 1', '-o', name, '--force'])).toMatchObject({ code: 1 });
    expect(readFileSync(join(root, name))).toEqual(before);
    expect(await outcome(['select 2 as a', '-o', name])).toMatchObject({ code: 2 });
    expect(await outcome(['select 2 as a', '-o', name, '--force'])).toEqual(ok(''));
    expect(readFileSync(join(root, name))).not.toEqual(before);
    expect(here()).toEqual([name]);
    rmSync(join(root, name));
  });
});

describe('configuration', () => {
  it('is read from the nearest quern.toml, and flags win', async () => {
    const cwd = mkdtempSync(join(root, 'project-'));
    writeFileSync(join(cwd, 'quern.toml'), '[format]\nmode = "jsonl"\n');
    expect(await outcome(['select 1 as a'], { cwd })).toEqual(ok('{"a":1}\n'));
    expect(await outcome(['select 1 as a', '--csv'], { cwd })).toEqual(ok('a\n1\n'));
    expect(await outcome(['select 1 as a', '--no-config'], { cwd })).toEqual(ok('a\n1\n'));
  });
});

describe('signals and pipes', () => {
  /** Until then a query runs, also on a busy machine. */
  const KILL_AFTER_MS = 2000;
  /** More rows than any test waits for. */
  const endless = 'select i from range(1000000000000) t(i)';

  it.each([
    ...['csv', 'tsv', 'json', 'jsonl', 'table', 'markdown', 'html', 'line', 'list', 'insert', 'arrow'].map((mode) => [
      ['-c', endless, '--mode', mode],
    ]),
    [['-c', endless, '-o', '/dev/stdout']],
    [['-c', endless, '-o', '/dev/stdout', '--mode', 'arrow']],
    [['-c', endless, '-o', '/dev/stdout', '--mode', 'parquet']],
    [['-c', `copy (${endless}) to '/dev/stdout' (format arrow)`]],
    [['-c', `copy (${endless}) to '/dev/stdout' (format parquet)`]],
    [['--no-bail', '-c', `copy (${endless}) to '/dev/fd/1' (format parquet); select 1`]],
  ])('ends silently when the reader goes: %j', async (args) => {
    expect(await runQuern(args, { readBytes: 100 })).toMatchObject({ code: 141, stderr: '' });
  });

  it.each(['arrow', 'parquet'])('ends silently when the reader of a named pipe goes: %s', async (format) => {
    const pipe = join(root, `reader-${format}`);
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('head', ['-c', '10', pipe], { stdio: 'ignore' });
    const closed = once(reader, 'close');
    const sql = `copy (${endless}) to '${pipe}' (format ${format})`;
    expect(await runQuern(['-c', sql])).toMatchObject({ code: 141, stdout: '', stderr: '' });
    await closed;
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the query and leaves no file', async (signal, code) => {
    const result = await runQuern(['-c', endless, '-o', `${signal}.csv`], {
      cwd: root,
      kill: { signal, afterMs: KILL_AFTER_MS },
    });
    expect(result).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
    expect(result.ms).toBeLessThan(KILL_AFTER_MS + 500);
    expect(readdirSync(root).filter((name) => name.includes(signal))).toEqual([]);
  });

  it('ends a query that computes without output', async () => {
    const sql = 'select sum(i * i % 7) from range(1000000000000) t(i)';
    const result = await runQuern(['-c', sql], { kill: { signal: 'SIGINT', afterMs: KILL_AFTER_MS } });
    expect(result).toMatchObject({ code: 130, stdout: '', stderr: '' });
    expect(result.ms).toBeLessThan(KILL_AFTER_MS + 500);
  });

  it('times out', async () => {
    const result = await runQuern(['-c', endless, '--none', '--timeout', '300ms']);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: 'error[timeout]: timed out after 300ms\n' });
  });
});

describe('other commands', () => {
  it('explain shows a plan as text', async () => {
    const { code, stdout, stderr } = await outcome(['explain', 'select sum(i) from range(10) t(i) where i > 3']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/range/);
    expect(stdout).not.toMatch(/[│┌]/);
  });

  it('explain points into the statement', async () => {
    const { code, stderr } = await outcome(['explain', 'select 1; select nope']);
    expect(code).toBe(1);
    expect(stderr).toContain('1 | select 1; select nope\n  |                  ^^^^\n');
  });

  it('doctor finds quern usable', async () => {
    const { code, stdout } = await outcome(['doctor', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ usable: true });
  });

  it('version and help', async () => {
    expect(await outcome(['--version'])).toEqual(ok('quern 0.1.0\n'));
    expect((await outcome(['help', 'explain'])).stdout).toMatch(/^Usage: quern explain \[options\] \[sql\.\.\.\]\n/);
  });
});
