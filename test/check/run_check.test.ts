import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCheck } from '../../src/check/index.ts';
import { inShard, parseShard } from '../../src/check/select_files.ts';

let folder: string;
let output: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quern-check-'));
  output = '';
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs DuckDB as the engine, so that these tests see the runner alone. */
const check = (options: object = {}): Promise<number> =>
  runCheck({ paths: [folder], engine: 'duckdb', write: (text) => (output += text), ...options });

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** A variable as a test file writes it. */
const V = (name: string): string => `$\{${name}}`;

describe('runCheck', () => {
  it('passes, fails and skips, and closes with the counts', async () => {
    write(
      'a.slt',
      'query I\nselect 1\n----\n1\n\nquery I\nselect 1\n----\n2\n\nskipif duckdb\nquery I\nselect 3\n----\n3\n',
    );
    expect(await check()).toBe(1);
    expect(output).toContain(`${folder}/a.slt:6: wrong result\n    select 1\n  row 1\n  - 2\n  + 1\n`);
    expect(output.endsWith('1 passed, 1 failed, 1 skipped\n')).toBe(true);
  });

  it('expects errors', async () => {
    write('a.slt', 'statement error\nselect nothing\n\nstatement error\nselect 1\n\nstatement ok\nselect nothing\n');
    expect(await check()).toBe(1);
    expect(output).toContain(':4: an error was expected, but the statement succeeded');
    expect(output).toContain('1 passed, 2 failed, 0 skipped');
  });

  it('gives exit code 3 for a file that is no sqllogictest', async () => {
    write('a.slt', 'what\n');
    expect(await check()).toBe(3);
    expect(output).toContain('a.slt:1: unknown record: what');
  });

  it('unrolls loops, opens includes, replaces variables', async () => {
    write(
      'a.slt',
      `foreach n 1 2 3\n\nquery I\nselect ${V('n')} + 1 - 1\n----\n${V('n')}\n\nendloop\n\ninclude more.inc\n`,
    );
    write('more.inc', `query T\nselect '${V('DIR')}'\n----\n${V('DIR')}\n`);
    expect(await check()).toBe(0);
    expect(output).toContain('4 passed, 0 failed, 0 skipped');
  });

  it('stops at halt and at a feature it lacks, and obeys mode skip', async () => {
    write('a.slt', 'mode skip\n\nquery I\nselect 1\n----\n2\n\nmode unskip\n\nhalt\n\nquery I\nselect 1\n----\n2\n');
    write('b.slt', 'require moon\n\nquery I\nselect 1\n----\n2\n');
    expect(await check()).toBe(0);
    expect(output).toContain('0 passed, 0 failed, 2 skipped');
  });

  it('compares results that share a label', async () => {
    write('a.slt', 'query I nosort x\nselect 1\n----\n1\n\nquery I nosort x\nselect 2\n----\n2\n');
    expect(await check()).toBe(1);
    expect(output).toContain('differs from an earlier one with the label x');
  });

  it('writes results, keeps everything else, and then passes', async () => {
    const path = write(
      'a.slt',
      "# kept\nquery I\nselect 1 union all select 2\n\n\nquery T\nselect 'x', 1.5::double\n----\nold\n# end\n",
    );
    expect(await check({ update: 'all' })).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(
      "# kept\nquery I\nselect 1 union all select 2\n----\n1\n2\n\n\nquery TR\nselect 'x', 1.5::double\n----\nx\t1.5\n",
    );
    expect(await check()).toBe(0);
  });

  it('writes only new results on request', async () => {
    const path = write('a.slt', 'query I\nselect 1\n\nquery I\nselect 1\n----\n2\n');
    expect(await check({ update: 'new' })).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('query I\nselect 1\n----\n1\n\nquery I\nselect 1\n----\n2\n');
  });

  it('writes nothing in a CI run', async () => {
    const path = write('a.slt', 'query I\nselect 1\n');
    await expect(check({ update: 'new', ci: true })).rejects.toThrow('--update does not run in CI');
    expect(readFileSync(path, 'utf8')).toBe('query I\nselect 1\n');
  });

  it('filters queries, lists files, refuses nothing to do', async () => {
    const path = write('a.slt', 'query I\nselect 1\n----\n2\n\nquery I\nselect 22\n----\n22\n');
    expect(await check({ filter: '22' })).toBe(0);
    output = '';
    expect(await check({ list: true })).toBe(0);
    expect(output).toBe(`${path}\n`);
    rmSync(path);
    await expect(check()).rejects.toThrow('no test files');
    expect(await check({ passWithNoTests: true })).toBe(0);
  });

  it('writes JUnit XML with escaped text', async () => {
    write('a.slt', "query T\nselect '<&>'\n----\nx\n");
    const file = join(folder, 'junit.xml');
    await check({ reporters: [`junit=${file}`] });
    const xml = readFileSync(file, 'utf8');
    expect(xml).toContain('<testsuites name="quern check" tests="1" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('+ &lt;&amp;&gt;');
  });

  it('writes JSON', async () => {
    write('a.slt', 'query I\nselect 1\n----\n1\n');
    await check({ reporters: ['json'] });
    expect(JSON.parse(output)).toMatchObject({ schema: 'quern.check/1', passed: 1, failed: 0, skipped: 0 });
  });

  it('compares with a reference engine', async () => {
    write('a.slt', 'query R\nselect 0.1::double + 0.2::double\n----\n0.30000000000000004\n');
    expect(await check({ ref: 'duckdb' })).toBe(0);
  });
});

describe('shards', () => {
  it('split the files without loss', () => {
    const files = Array.from({ length: 50 }, (_, i) => `test/f${i}.slt`);
    const parts = [1, 2, 3].map((index) => files.filter((file) => inShard(file, { index, count: 3 })));
    expect(parts.flat().sort()).toEqual([...files].sort());
    expect(parts.every((part) => part.length > 0)).toBe(true);
  });

  it('need i/n', () => {
    expect(parseShard('2/3')).toEqual({ index: 2, count: 3 });
    expect(() => parseShard('4/3')).toThrow('--shard needs i/n with 1 ≤ i ≤ n: 4/3');
  });
});
