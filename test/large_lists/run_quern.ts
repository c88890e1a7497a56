import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const QUERN = join(import.meta.dirname, '../../bin/quern');

/** Rows of a statement as lines of CSV, from a process of its own. */
export function runQuern(sql: string, options: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(QUERN, ['--csv', '--no-header', ...options, '-c', sql], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`exit code ${status} of ${sql}\n${stderr}`);
  return stdout.split('\n').slice(0, -1);
}
