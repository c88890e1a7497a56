import { QuernError } from '../common/error.ts';

/** A wrong flag, argument or configuration key: exit code 2. */
export function usageError(message: string, hint?: string): QuernError {
  return new QuernError({ source: 'user', code: 'usage', message, hint });
}
