import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCorpus } from '../../scripts/runners/corpus/corpus_files.ts';
import { errorText } from '../../src/check/error_text.ts';
import { openQuernEngine } from '../../src/reference/quern_engine.ts';
import type { TextEngine, TextResult } from '../../src/reference/text_engine.ts';

const root = process.env.QUERN_CORPUS;
let folder: string;
let quern: TextEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-corpus-'));
  quern = await openQuernEngine({ threads: 2 });
});

afterAll(async () => {
  await quern.close();
  await rm(folder, { recursive: true });
});

/** Values that Parquet or the writer cannot hold, and say so. */
const REFUSALS = /intervals|without columns|writing VARIANT/;

/** What writing the file and reading it back gives instead of the same; undefined = the same. */
async function fault(path: string): Promise<string | undefined> {
  const from = `read_parquet('${path.replaceAll("'", "''")}', hive_partitioning = false)`;
  let wanted: TextResult | null;
  try {
    wanted = await quern.run(`SELECT * FROM ${from}`);
  } catch {
    return undefined; // what cannot be read is the corpus runner's matter
  }
  const copy = join(folder, 'copy.parquet');
  try {
    await quern.run(`COPY (SELECT * FROM ${from}) TO '${copy}' (FORMAT parquet, ROW_GROUP_SIZE 3000)`);
    const found = await quern.run(`SELECT * FROM '${copy}'`);
    if (JSON.stringify(found?.rows) !== JSON.stringify(wanted?.rows)) return `${path}: other rows`;
    const types = (result: TextResult | null) => JSON.stringify(result?.columns.map((column) => column.type));
    return types(found) === types(wanted) ? undefined : `${path}: ${types(found)} for ${types(wanted)}`;
  } catch (error) {
    return REFUSALS.test(errorText(error)) ? undefined : `${path}: ${errorText(error)}`;
  }
}

test.skipIf(root === undefined)(
  'every file of the corpus that is right comes back equal (QUERN_CORPUS)',
  async () => {
    const corpus = readCorpus(root as string);
    const files = corpus.files.filter((entry) => entry.expect === 'match');
    const faults: string[] = [];
    for (const entry of files) {
      const found = await fault(join(corpus.root, entry.file));
      if (found !== undefined) faults.push(found);
    }
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
  },
  600_000,
);
