import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runQuern } from './run_quern.ts';
import { probeStatements, tableStatements } from './statements.ts';

/** 2.2 · 10^9 elements, more than 2^31. */
const ROWS = 2_200_000;
const WIDTH = 1000;
/** The greatest number of elements that 32-bit offsets can count. */
const CAP = 2 ** 31 - 1;
const PROBE_WIDTH = 1024;
const OPTIONS = [`--memory-limit=${process.env.QUERN_SLOW_MEMORY ?? '6GiB'}`];

const folder = mkdtempSync(join(process.env.QUERN_SLOW_DIR ?? tmpdir(), 'quern-large-lists-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('one column of 2.2e9 elements', () => {
  test.each(tableStatements({ folder, rows: ROWS, width: WIDTH, oneListToParquet: false }))(
    '$name',
    ({ sql, rows }) => {
      expect(runQuern(sql, OPTIONS)).toEqual(rows);
    },
  );
});

// One column in memory takes 2 GiB of TINYINT; of the wider types as much as 16 GiB, so that they pass through.
describe.each(['TINYINT', 'FLOAT', 'DOUBLE', 'FLOAT16'] as const)('a column of %s lists', (type) => {
  const probe = { folder, cap: CAP, width: PROBE_WIDTH, type, inMemory: type === 'TINYINT' };
  test.each(probeStatements(probe))('$name', ({ sql, rows }) => {
    expect(runQuern(sql, OPTIONS)).toEqual(rows);
  });
});
