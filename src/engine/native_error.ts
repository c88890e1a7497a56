import type { ErrorCode, ErrorSource } from '../common/error.ts';
import { QuernError } from '../common/error.ts';

interface NativeErrorFields {
  readonly source?: ErrorSource;
  readonly code?: ErrorCode;
  readonly spanStart?: number;
  readonly spanEnd?: number;
  readonly hint?: string;
}

/** What the addon throws, as the one error type. Anything without the addon's fields is a bug. */
export function fromNative(error: unknown): QuernError {
  if (error instanceof QuernError) return error;
  if (!(error instanceof Error))
    return new QuernError({ source: 'internal', code: 'internal', message: String(error) });
  const { source = 'internal', code = 'internal', spanStart, spanEnd, hint } = error as Error & NativeErrorFields;
  const span = spanStart === undefined || spanEnd === undefined ? undefined : { start: spanStart, end: spanEnd };
  return new QuernError({
    source,
    code: isErrorCode(code) ? code : 'internal',
    message: error.message,
    span,
    hint,
    cause: error,
  });
}

/** Codes of Node's own errors (ERR_…) are none of ours. */
function isErrorCode(code: string): boolean {
  return !code.startsWith('ERR_');
}
