import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchSuite } from '../../src/bench/index.ts';
import { measure } from '../../src/bench/measure.ts';
import { textReport } from '../../src/bench/report.ts';
import { selectQueries } from '../../src/bench/select_queries.ts';
import { mad, median, shiftedGeomean } from '../../src/bench/statistics.ts';
import { readSuite } from '../../src/bench/suite.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('readSuite', () => {
  it('reads a folder with settings', async () => {
    writeFileSync(
      join(folder, 'suite.toml'),
      'name = "mine"\nmax_ratio = 2.0\ndata = "d"\n[tables]\nt = "t/*.parquet"\n',
    );
    writeFileSync(join(folder, 'q2.sql'), 'select 2\n');
    writeFileSync(join(folder, 'q1.sql'), '-- tags: fast small\nselect 1\n');
    const suite = await readSuite(folder);
    expect(suite).toMatchObject({ name: 'mine', maxRatio: 2, data: join(folder, 'd'), tables: { t: 't/*.parquet' } });
    expect(suite.queries.map((q) => [q.id, q.tags])).toEqual([
      ['q1', ['fast', 'small']],
      ['q2', []],
    ]);
    expect((await readSuite(join(folder, 'suite.toml'))).hash).toBe(suite.hash);
  });

  it('tells what is missing', async () => {
    await expect(readSuite(join(folder, 'none'))).rejects.toThrow('suite not found');
    await expect(readSuite(folder)).rejects.toThrow('suite without queries');
  });
});

describe('selectQueries', () => {
  const queries = ['q01', 'q02', 'q10', 'q14_part1', 'q14_part2'].map((id) => ({ id, sql: '', hash: '', tags: [] }));
  const ids = (text: string): string[] => selectQueries(queries, { queries: text }).map((q) => q.id);
  it('takes ids, numbers, ranges and globs', () => {
    expect(ids('1')).toEqual(['q01']);
    expect(ids('1-2,q10')).toEqual(['q01', 'q02', 'q10']);
    expect(ids('q14*')).toEqual(['q14_part1', 'q14_part2']);
    expect(selectQueries(queries, { skip: '14' }).map((q) => q.id)).toEqual(['q01', 'q02', 'q10']);
  });
});

describe('measure', () => {
  it('turns the order round after every round and keeps warm-ups out', async () => {
    const calls: string[] = [];
    const competitor = (name: string) => async (): Promise<number> => {
      calls.push(name);
      return 3;
    };
    const [a] = await measure([competitor('a'), competitor('b')], { warmup: 1, runs: 2 });
    expect(calls).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(a?.times.times_ms).toHaveLength(2);
    expect(a?.rows).toBe(3);
  });
});

describe('statistics', () => {
  it('are robust', () => {
    expect(median([3, 1, 100])).toBe(3);
    expect(mad([1, 2, 3, 100])).toBe(1);
    expect(shiftedGeomean([10, 10], 10)).toBeCloseTo(10);
    expect(shiftedGeomean([], 10)).toBe(0);
  });
});

describe('benchSuite', () => {
  it('measures, compares and reports', async () => {
    writeFileSync(join(folder, 'ok.sql'), 'select i, i / 3 as x from range(1000) t(i)');
    writeFileSync(join(folder, 'wrong.sql'), 'select random() from range(3)');
    writeFileSync(join(folder, 'fails.sql'), 'select nothing');
    const result = await benchSuite({ suite: folder, engine: 'duckdb', vs: 'duckdb', runs: 2, threads: 1 });
    expect(result.schema).toBe('quern.bench/1');
    expect(result.queries.map((q) => [q.id, q.status])).toEqual([
      ['fails', 'failed'],
      ['ok', 'ok'],
      ['wrong', 'incorrect'],
    ]);
    const ok = result.queries[1];
    expect(ok).toMatchObject({ rows: 1000, validation: { status: 'passed' }, vs: { engine: 'duckdb' } });
    expect(ok?.times_ms).toHaveLength(2);
    expect(result.summary).toMatchObject({ queries: 3, ok: 1 });
    expect(textReport(result)).toContain('fails                               failed: Binder Error');
    expect(result.summary.max_geomean_ratio).toBeUndefined();
  });

  it('tells which bars are missed', async () => {
    writeFileSync(join(folder, 'suite.toml'), 'max_ratio = 1e-6\nmax_geomean_ratio = 1e-6\n');
    writeFileSync(join(folder, 'q.sql'), 'select sum(i) from range(1000) t(i)');
    const result = await benchSuite({ suite: folder, engine: 'duckdb', vs: 'duckdb', runs: 1, threads: 1 });
    const ratio = result.queries[0]?.vs?.ratio as number;
    expect(result.summary.geomean_ratio).toBeCloseTo(ratio);
    expect(result.summary.max_geomean_ratio).toBe(1e-6);
    expect(result.summary.missed).toEqual([{ id: 'q', ratio, max_ratio: 1e-6 }]);
    expect(textReport(result)).toContain('over the bar: geometric mean');
  });
});
