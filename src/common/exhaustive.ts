import { QuernError } from './error.ts';

/** Ends a switch over a closed union: a forgotten member is a compile error, a foreign value an internal error. */
export function exhaustive(value: never): never {
  throw new QuernError({
    source: 'internal',
    code: 'internal',
    message: `unexpected value: ${JSON.stringify(value)}`,
  });
}
