/** Rows that need 64-bit offsets after rows that do not; 16 elements stand for 2^31 - 1. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrow } from '../../src/output/arrow/index.ts';
import type { ByteSink } from '../../src/output/text_sink.ts';
import { readAsText } from '../../src/reference/quern_engine.ts';
import type { TextResult } from '../../src/reference/text_engine.ts';
import { openSession, type Session } from '../../src/session/index.ts';
import { runQuern } from '../cli/run_quern.ts';

let folder: string;
let session: Session;

const SETTINGS = { 'list.offset_limit': '16', 'batch.rows': '7' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-arrow-widen-'));
  session = await openSession({ threads: 2, settings: SETTINGS });
});

afterAll(async () => {
  await session.close();
  await rm(folder, { recursive: true });
});

/** Bytes in memory that can begin anew. */
class MemorySink implements ByteSink {
  parts: Uint8Array[] = [];
  starts = 0;

  writeBytes(parts: readonly Uint8Array[]): void {
    this.parts.push(...parts);
  }

  startOver() {
    const old = Buffer.concat(this.parts);
    this.parts = [];
    this.starts++;
    return {
      read: async (position: number, length: number) => Uint8Array.from(old.subarray(position, position + length)),
      close: () => undefined,
    };
  }
}

async function textOf(sql: string): Promise<TextResult> {
  for await (const { result } of session.query(sql)) return (await readAsText(result)) as TextResult;
  throw new Error('no result');
}

/** Writes the rows of `sql` one to a batch; gives the file and how often it was begun anew. */
async function written(sql: string, arrowStream: boolean): Promise<{ path: string; starts: number }> {
  const sink = new MemorySink();
  for await (const { result } of session.query(sql)) {
    const writer = arrow.create(sink, { arrowStream });
    await writer.begin(result.schema);
    for await (const batch of result.batches()) await writer.batch(batch);
    await writer.end();
  }
  const path = join(folder, arrowStream ? 'copy.arrows' : 'copy.arrow');
  await writeFile(path, Buffer.concat(sink.parts));
  return { path, starts: sink.starts };
}

/** A query of 100,000 rows, which leave in several batches; row `at` has `long`, the others `short`. */
const late = (at: number, long: string, short: string): string =>
  `SELECT i, CASE WHEN i = ${at} THEN ${long} WHEN i % 11 = 0 THEN NULL ELSE ${short} END AS v FROM range(100000) t(i)`;

const narrow = 'NULL';

describe('a row beyond 32-bit offsets after smaller ones', () => {
  test.each([
    ['a list', late(99_990, 'range(40)', narrow)],
    ['text', late(99_990, "repeat('ä', 20)", narrow)],
    ['binary', late(99_990, "repeat('ab', 20)::BLOB", narrow)],
    ['text in lists', late(99_990, "[repeat('ab', 20), NULL, 'x']", narrow)],
    ['a list in a struct', late(99_990, "{'a': i, 'b': range(40)}", "{'a': i, 'b': NULL}")],
    ['lists in a map', late(99_990, 'MAP {i: range(40)}', narrow)],
    ['a list in each of two columns', `SELECT v, i, v AS w FROM (${late(99_990, 'range(40)', narrow)})`],
  ])('%s', async (_, sql) => {
    const wanted = await textOf(sql);
    for (const isStream of [false, true]) {
      const { path, starts } = await written(sql, isStream);
      expect(starts).toBe(1);
      expect(await textOf(`FROM '${path}'`)).toEqual(wanted);
    }
  });

  test('two columns one after the other', async () => {
    const sql = `SELECT i, CASE WHEN i = 200000 THEN repeat('ab', 20) END AS a, CASE WHEN i = 399990 THEN range(40) END AS b
      FROM range(400000) t(i)`;
    const { path, starts } = await written(sql, false);
    expect(starts).toBe(2);
    expect(await textOf(`FROM '${path}'`)).toEqual(await textOf(sql));
  });

  test.each([
    ['-o', 'out.arrow'],
    ['COPY', 'copied.arrow'],
  ])('%s writes the file anew', async (way, name) => {
    const path = join(folder, name);
    const sql = late(99_990, 'range(40)', narrow);
    const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const args = way === 'COPY' ? [`COPY (${sql}) TO '${path}'`] : ['-o', path, sql];
    expect(await runQuern([...settings, ...args])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await textOf(`FROM '${path}'`)).toEqual(await textOf(sql));
  });
});
