import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSuite } from '../../src/bench/suite.ts';
import { findTables, registerTables } from '../../src/bench/tables.ts';
import { validate } from '../../src/bench/validate.ts';
import { generateTpcds } from '../../src/gen/index.ts';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine } from '../../src/reference/text_engine.ts';
import { openSession } from '../../src/session/index.ts';

const suite = await readSuite(resolve(import.meta.dirname, '../../queries'));
let folder: string;
let quern: TextEngine;
let duckdb: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-queries-'));
  const session = await openSession({ threads: 2 });
  try {
    await generateTpcds({
      session,
      scale: 0.01,
      seed: 1n,
      out: folder,
      overwrite: false,
      compression: 'zstd',
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  } finally {
    await session.close();
  }
  quern = await openQuernEngine({ threads: 2 });
  duckdb = await openDuckDbEngine({ threads: 2 });
  const tables = await findTables(folder, suite.tables);
  await registerTables(quern, tables);
  await registerTables(duckdb, tables);
}, 60_000);

afterAll(async () => {
  await quern.close();
  await duckdb.close();
  await rm(folder, { recursive: true });
});

describe('queries at scale 0.01', () => {
  test.each(suite.queries)('$id gives the answer of DuckDB', async ({ sql }) => {
    const { mismatches, status } = await validate(quern, duckdb, sql, { rtol: 1e-9, atol: 1e-9 });
    expect(mismatches).toEqual([]);
    expect(status).toBe('passed');
    expect((await quern.run(sql))?.rows.length).toBeGreaterThan(0);
  });

  test.each(suite.queries)('$id says what it is for', ({ sql }) => {
    expect(sql).toMatch(/^-- [A-Z][^;]*\.\n-- tags: \w+/);
  });
});
