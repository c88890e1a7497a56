import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateTpcds } from '../../../src/gen/index.ts';
import { openSession } from '../../../src/session/index.ts';

const SEED = 1n;

/** Writes the tables of queries/ into `folder`, unless those of this scale are there. */
export async function prepareTpcds(folder: string, scale: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const stampFile = join(folder, 'stamp.json');
  const stamp = JSON.stringify({ scale, seed: String(SEED) });
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  // a run that is cut off leaves no stamp, and the next one writes all tables again
  rmSync(stampFile, { force: true });
  const session = await openSession({});
  try {
    await generateTpcds({
      session,
      scale,
      seed: SEED,
      out: folder,
      overwrite: true,
      compression: 'zstd',
      signal: new AbortController().signal,
      onProgress: (path, rows) => process.stderr.write(`bench: ${path} ${rows} rows\n`),
    });
  } finally {
    await session.close();
  }
  writeFileSync(stampFile, stamp);
}
