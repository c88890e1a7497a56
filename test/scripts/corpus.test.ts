import { describe, expect, it } from 'vitest';
import { checkTask } from '../../scripts/runners/corpus/check_task.ts';
import { checksum } from '../../scripts/runners/corpus/checksum.ts';
import type { ExpectedFile } from '../../scripts/runners/corpus/corpus_files.ts';
import { QuernError } from '../../src/common/error.ts';
import type { TextEngine, TextRow } from '../../src/reference/text_engine.ts';

/** An engine that answers every query but SELECT 1 in one way. */
function engineOf(answer: readonly TextRow[] | Error, alive = true): TextEngine {
  return {
    name: 'quern',
    run: async (sql) => {
      if (sql === 'SELECT 1') return { columns: [], rows: [[alive ? '1' : '2']] };
      if (answer instanceof Error) throw answer;
      return { columns: (answer[0] ?? []).map((_, i) => ({ name: `c${i}`, type: 'VARCHAR' })), rows: answer };
    },
    drain: async () => 0,
    registerTable: async () => {},
    version: async () => '',
    close: async () => {},
  };
}

const corrupt = (message: string): QuernError => new QuernError({ source: 'io', code: 'corrupt-file', message });
const file = (engine: TextEngine, entry: Partial<ExpectedFile>) =>
  checkTask(engine, { kind: 'file', root: '/c', entry: { file: 'x.parquet', expect: 'match', ...entry } });

describe('checksum', () => {
  it('sorts rows as bytes and tells NULL from text', () => {
    expect(
      checksum([
        ['b', null],
        ['a', 'x'],
      ]),
    ).toBe(
      checksum([
        ['a', 'x'],
        ['b', null],
      ]),
    );
    expect(checksum([[null]])).toBe(checksum([['\\N']]));
    expect(checksum([['a', 'b']])).not.toBe(checksum([['ab', '']]));
    // printf '1\n' | md5sum
    expect(checksum([['1']])).toBe('b026324c6904b2a9cb4b88d6d61c81d1');
    expect(checksum([])).toBe('d41d8cd98f00b204e9800998ecf8427e');
  });
});

describe('expectations', () => {
  const rows = [['1'], ['2']];
  const md5 = checksum(rows);

  it('match wants rows and checksum, or an accepted one', async () => {
    expect(await file(engineOf(rows), { rows: 2, md5 })).toBeUndefined();
    expect(await file(engineOf(rows), { rows: 2, md5: 'x', accept_md5: [md5] })).toBeUndefined();
    expect(await file(engineOf(rows), { rows: 3, md5 })).toBe('2 rows, expected 3');
    expect(await file(engineOf([['1'], ['3']]), { rows: 2, md5 })).toContain('wrong values');
    expect(await file(engineOf(corrupt('x.parquet is bad')), { rows: 2, md5 })).toContain('x.parquet is bad');
  });

  it('error wants a clear one that names the file, and a session that lives on', async () => {
    expect(await file(engineOf(corrupt('bad page: x.parquet')), { expect: 'error' })).toBeUndefined();
    expect(await file(engineOf(corrupt('bad page')), { expect: 'error' })).toContain('does not name the file');
    expect(await file(engineOf(rows), { expect: 'error' })).toBe('2 rows where an error is due');
    expect(await file(engineOf(corrupt('x.parquet'), false), { expect: 'error' })).toContain('next query');
    const bug = new QuernError({ source: 'internal', code: 'internal', message: 'x.parquet' });
    expect(await file(engineOf(bug), { expect: 'no_crash' })).toContain('internal');
  });

  it('error_or_match and no_crash allow both', async () => {
    expect(await file(engineOf(rows), { expect: 'error_or_match', rows: 2, md5 })).toBeUndefined();
    expect(await file(engineOf(corrupt('x.parquet')), { expect: 'error_or_match', rows: 2, md5 })).toBeUndefined();
    expect(await file(engineOf([['9']]), { expect: 'error_or_match', rows: 2, md5 })).toBe('1 rows, expected 2');
    expect(await file(engineOf([['9']]), { expect: 'no_crash' })).toBeUndefined();
  });

  it('queries compare values in order, without it under GROUP BY alone', async () => {
    const query = (sql: string, expect: string[][]) =>
      checkTask(engineOf(rows), { kind: 'query', root: '/c', entry: { file: 'x', sql, expect } });
    expect(await query('SELECT 1', [['1']])).toBeUndefined();
    expect(await query('SELECT a', [['1'], ['2']])).toBeUndefined();
    expect(await query('SELECT a', [['2'], ['1']])).toBe('row 1: ["1"], expected ["2"]');
    expect(await query('SELECT a GROUP BY a', [['2'], ['1']])).toBeUndefined();
    expect(await query('SELECT a', [['1']])).toBe('row 2: ["2"], expected no row');
  });

  it('bombs may end in the memory error', async () => {
    const bomb = (engine: TextEngine) =>
      checkTask(engine, {
        kind: 'bomb',
        root: '/c',
        entry: { file: 'x', expect: 'bomb', checks: { 'count(*)': 7 } },
        check: 'count(*)',
      });
    expect(await bomb(engineOf([['7']]))).toBeUndefined();
    expect(await bomb(engineOf([['8']]))).toBe('count(*) = 8, expected 7');
    expect(await bomb(engineOf(new QuernError({ source: 'resource', code: 'oom', message: 'x' })))).toBeUndefined();
    expect(await bomb(engineOf(corrupt('x')))).toContain('corrupt-file');
  });
});
