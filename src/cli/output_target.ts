/** Where data goes: stdout, or a file that appears complete or not at all. */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { QuernError } from '../common/error.ts';
import { DeviceTarget } from './device_target.ts';
import { alreadyThere, FileTarget } from './file_target.ts';
import type { Interruption } from './interruption.ts';
import { StdoutTarget } from './stdout_target.ts';
import type { OutputTarget } from './target.ts';
import { usageError } from './usage_error.ts';

/** Names of stdout. Opening such a path anew fails where stdout is a socket, and a file there would be replaced. */
const STDOUT_PATHS: ReadonlySet<string> = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

export const isStdout = (path: string): boolean => STDOUT_PATHS.has(path);

/** Opens the target of `-o`; `-` is stdout. Throws before the query runs when it cannot be written. */
export function openTarget(path: string | undefined, force: boolean, interruption: Interruption): OutputTarget {
  if (path === undefined || isStdout(path)) return new StdoutTarget(interruption.signal);
  const stats = checkTarget(path, force);
  if (stats !== undefined && !stats.isFile()) return new DeviceTarget(path, interruption.signal);
  const link = lstatSync(path, { throwIfNoEntry: false });
  const target = link?.isSymbolicLink() && stats !== undefined ? realpathSync(path) : path;
  return new FileTarget(target, force, interruption);
}

/** Refuses a target that is a directory, or a file that may not be replaced; gives what stands there. */
export function checkTarget(path: string, force: boolean): Stats | undefined {
  if (path === 'stdout') throw usageError('-o stdout would make a file of that name', '-o - writes to stdout');
  if (isStdout(path)) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    throw new QuernError({ source: 'io', code: 'io', message: `cannot write: is a directory: ${path}` });
  }
  if (stats?.isFile() === true && !force) throw alreadyThere(path);
  return stats;
}
