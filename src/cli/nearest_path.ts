import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearestNames } from '../common/did_you_mean.ts';

/** A hint for a path that does not exist: a file of a similar name, else how much of it does exist. */
export function nearestExisting(path: string): string | undefined {
  const full = resolve(path);
  let parent = dirname(full);
  if (existsSync(parent)) {
    const similar = nearestNames(basename(full), safeList(parent), 1)[0];
    if (similar !== undefined) return `did you mean "${path.slice(0, path.length - basename(path).length)}${similar}"?`;
    return `the directory ${parent} exists, the file does not`;
  }
  while (parent !== dirname(parent) && !existsSync(parent)) parent = dirname(parent);
  return `nearest existing directory: ${parent}`;
}

function safeList(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // Only a hint is at stake; the error that asked for it is reported in any case.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
