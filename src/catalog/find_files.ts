import { type Dirent, readdir } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { QuernError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';

const GLOB = /[*?[\]{}]/;
const FILE_PATTERN = '**/*.{parquet,pq,arrow,arrows,feather,ipc}';

/** `-` and `/dev/stdin`: read once, as a stream. */
export const isStandardInput = (file: string): boolean => file === '-' || file === '/dev/stdin';

/**
 * Files of a pattern, in the order in which their rows come: a path is itself, a folder all Parquet and Arrow files
 * below it, a glob its matches sorted by bytes. Throws with the pattern, the working directory and the nearest path
 * that exists when there is none.
 */
export async function findFiles(pattern: string, cwd: string, span: SourceSpan | undefined): Promise<string[]> {
  const local = pattern.replace(/^file:\/\//, '');
  if (isStandardInput(local)) return [local === '-' ? '/dev/stdin' : local];
  const found = await stat(path.resolve(cwd, local)).catch(noEntry);
  if (found?.isDirectory() === true) return matches(local, FILE_PATTERN, cwd, span);
  if (found !== undefined) return [local];
  if (GLOB.test(local)) {
    const { base, rest } = splitGlob(local);
    return matches(base, rest, cwd, span, pattern);
  }
  throw await missing(pattern, local, cwd, span);
}

function noEntry(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return undefined;
  throw new QuernError({
    source: error.code === 'EACCES' ? 'resource' : 'io',
    code: error.code === 'EACCES' ? 'permission' : 'io',
    message: `cannot look at ${error.path ?? 'a file'}: ${error.message}`,
    cause: error,
  });
}

/** Folder before the first part with a wild card, and the rest. */
function splitGlob(pattern: string): { base: string; rest: string } {
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => GLOB.test(part));
  const base = parts.slice(0, first).join('/');
  return {
    base: pattern.startsWith('/') && base === '' ? '/' : base === '' ? '.' : base,
    rest: parts.slice(first).join('/'),
  };
}

async function matches(
  base: string,
  rest: string,
  cwd: string,
  span: SourceSpan | undefined,
  pattern = base,
): Promise<string[]> {
  const folder = path.resolve(cwd, base);
  const readable = await access(folder, constants.R_OK).then(() => true, noEntry);
  const { glob } = await import('tinyglobby');
  const refusals: NodeJS.ErrnoException[] = [];
  const found = readable
    ? await glob(rest, {
        cwd: folder,
        dot: false,
        onlyFiles: true,
        expandDirectories: false,
        followSymbolicLinks: true,
        fs: { readdir: reportingReaddir(refusals) },
      })
    : [];
  for (const refusal of refusals) noEntry(refusal);
  if (found.length === 0) throw await missing(pattern, path.join(base, rest), cwd, span);
  return found.sort(byBytes).map((file) => (base === '.' ? file : path.join(base, file)));
}

/** The glob passes over a folder that it cannot list; its files would be missing in silence. */
function reportingReaddir(refusals: NodeJS.ErrnoException[]): typeof readdir {
  const report = ((folder: string, options: { withFileTypes: true }, done: ReaddirCallback) =>
    readdir(folder, options, (error, entries) => {
      if (error !== null) refusals.push(error);
      done(error, entries);
    })) as unknown;
  return report as typeof readdir;
}

type ReaddirCallback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function missing(pattern: string, local: string, cwd: string, span: SourceSpan | undefined): Promise<QuernError> {
  const isGlob = GLOB.test(local);
  return new QuernError({
    source: 'io',
    code: 'io',
    message: isGlob ? `no file matches "${pattern}"` : `file not found: "${pattern}"`,
    span,
    hint: `looked from ${cwd}; nearest existing path: ${await nearestExisting(isGlob ? splitGlob(local).base : local, cwd)}`,
  });
}

async function nearestExisting(file: string, cwd: string): Promise<string> {
  let current = path.resolve(cwd, file);
  for (;;) {
    const exists = await stat(current).then(
      () => true,
      () => false,
    );
    if (exists) return current;
    const parent = path.dirname(current);
    if (parent === current) return current;
    current = parent;
  }
}
