import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { QuernError } from '../common/error.ts';

/** Part `index` (1-based) of `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

const PATTERN = '**/*.{slt,test}';

/** The sqllogictest files under the given paths, sorted; folders are searched. */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const files = new Set<string>();
  for (const path of paths) {
    const info = await stat(path).catch((cause: unknown) => {
      throw new QuernError({ source: 'io', code: 'io', message: `cannot read: ${path}`, cause });
    });
    if (info.isFile()) files.add(path);
    else for (const file of await glob(PATTERN, { cwd: path })) files.add(`${path.replace(/\/+$/, '')}/${file}`);
  }
  return [...files].sort();
}

/** Reads `i/n`. */
export function parseShard(text: string): Shard {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count) {
    throw new QuernError({ source: 'user', code: 'usage', message: `--shard needs i/n with 1 ≤ i ≤ n: ${text}` });
  }
  return { index, count };
}

/** Chooses by a hash of the path, so that a new file does not move the others. */
export function inShard(path: string, shard: Shard): boolean {
  const hash = createHash('sha256').update(path).digest().readUInt32LE(0);
  return hash % shard.count === shard.index - 1;
}
