import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runQuern } from './run_quern.ts';
import { probeStatements, tableStatements } from './statements.ts';

/** Offsets above this many elements are 64-bit, so that the wide paths run over few rows. */
const CAP = 16;
const SETTINGS = [[`--set=list.offset_limit=${CAP}`], [`--set=list.offset_limit=${CAP}`, '--set=batch.rows=3']];

const folder = mkdtempSync(join(tmpdir(), 'quern-large-lists-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(SETTINGS)('lists beyond the offset limit, %s %s', (...options) => {
  const settings = options.filter((option) => option !== undefined);
  test.each(tableStatements({ folder, rows: 40, width: 9, oneListToParquet: true }))('$name', ({ sql, rows }) => {
    expect(runQuern(sql, settings)).toEqual(rows);
  });
});

describe.each(['TINYINT', 'FLOAT', 'DOUBLE', 'FLOAT16'] as const)('a column of %s lists', (type) => {
  test.each(probeStatements({ folder, cap: CAP, width: 8, type, inMemory: true }))('$name', ({ sql, rows }) => {
    expect(runQuern(sql, SETTINGS[0] as string[])).toEqual(rows);
  });
});
