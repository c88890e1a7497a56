import { type ErrorCode, QuernError } from '../common/error.ts';

const CODES: Readonly<Record<string, { code: ErrorCode; words: string }>> = {
  ENOENT: { code: 'io', words: 'no such file or directory' },
  EISDIR: { code: 'io', words: 'is a directory' },
  ENOTDIR: { code: 'io', words: 'a part of the path is not a directory' },
  EEXIST: { code: 'io', words: 'something else is there' },
  ELOOP: { code: 'io', words: 'too many symbolic links' },
  EIO: { code: 'io', words: 'input/output error' },
  ENAMETOOLONG: { code: 'io', words: 'name too long' },
  EACCES: { code: 'permission', words: 'permission denied' },
  EPERM: { code: 'permission', words: 'operation not permitted' },
  EROFS: { code: 'permission', words: 'read-only file system' },
  ENOSPC: { code: 'disk-full', words: 'no space left on device' },
  EDQUOT: { code: 'disk-full', words: 'disk quota exceeded' },
  EFBIG: { code: 'disk-full', words: 'file too large' },
  EMFILE: { code: 'oom', words: 'too many open files' },
};

/** An operating-system error as ours: `cannot write: no space left on device: out.csv`. Other errors pass through. */
export function ioError(error: unknown, what: string, path: string, hint?: string): unknown {
  const errno = (error as NodeJS.ErrnoException)?.code;
  if (error instanceof QuernError || typeof errno !== 'string') return error;
  const known = CODES[errno];
  if (known === undefined) return error;
  return new QuernError({
    source: known.code === 'io' ? 'io' : 'resource',
    code: known.code,
    message: `${what}: ${known.words}: ${path}`,
    hint: errno === 'ENOENT' ? hint : undefined,
    cause: error,
  });
}
