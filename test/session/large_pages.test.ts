import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDuckDbEngine } from '../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { Session } from '../../src/session/index.ts';
import { openSession } from '../../src/session/index.ts';

/** DuckDB writes the lists of a row group as one page: 40,000 lists of 64 doubles whose bits snappy cannot shrink. */
const PAGE_BYTES = 40_000 * 64 * 8;
const folder = mkdtempSync(join(tmpdir(), 'quern-large-pages-'));
const file = join(folder, 'lists.parquet');
let session: Session;

beforeAll(async () => {
  const duckdb = await openDuckDbEngine();
  await duckdb.run(`COPY (
    SELECT i AS id, list_transform(range(64), lambda k: sin(i * 64 + k) * 1000) AS v FROM range(40000) t(i)
  ) TO '${file}' (FORMAT parquet, COMPRESSION snappy)`);
  await duckdb.close();
  session = await openSession({ threads: 2 });
}, 60_000);
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

async function run(sql: string): Promise<{ row: string; peak: number }> {
  for await (const { result } of session.query(sql)) {
    const row = ((await readAsText(result))?.rows[0] ?? []).join('|');
    return { row, peak: result.metrics()?.peakMemory ?? Number.POSITIVE_INFINITY };
  }
  throw new Error('no result');
}

const ofRows = (where: string): string => `
  SELECT count(*), count(*) FILTER (v[1] = sin(id * 64) * 1000 AND v[64] = sin(id * 64 + 63) * 1000), min(id), max(id)
  FROM (SELECT * FROM '${file}' ${where})`;

test('lists of one large page are read without holding it', async () => {
  const { row, peak } = await run(ofRows(''));
  expect(row).toBe('40000|40000|0|39999');
  expect(peak).toBeLessThan(PAGE_BYTES / 2);
});

test('rows of a large page are passed over', async () => {
  expect((await run(ofRows('WHERE id % 1000 = 7'))).row).toBe('40|40|7|39007');
  expect((await run(ofRows('WHERE id >= 39990'))).row).toBe('10|10|39990|39999');
  expect((await run(ofRows('LIMIT 5 OFFSET 20000'))).row).toBe('5|5|20000|20004');
});

test('damage within a large page is named', async () => {
  const bytes = readFileSync(file);
  // a literal's length that goes past the end: 0xFC is the tag of a literal with four bytes of length
  bytes.fill(0xfc, PAGE_BYTES / 2, PAGE_BYTES / 2 + (128 << 10));
  const damaged = join(folder, 'damaged.parquet');
  writeFileSync(damaged, bytes);
  await expect(run(`SELECT sum(list_sum(v)) FROM '${damaged}'`)).rejects.toThrow(
    /damaged\.parquet.*column v.*snappy: damaged data/,
  );
});
