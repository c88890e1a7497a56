import { QuernError } from '../common/error.ts';

/** An error as `statement error` compares it: `error[code]: message`, then the hint on its own line. */
export function errorText(error: unknown): string {
  if (error instanceof QuernError) {
    const hint = error.hint === undefined ? '' : `\nhint: ${error.hint}`;
    return `error[${error.code}]: ${error.message}${hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error is the fault of the engine itself, which no test may expect. */
export function isInternal(error: unknown): boolean {
  return error instanceof QuernError ? error.code === 'internal' : /INTERNAL Error|FATAL Error/.test(String(error));
}

const REGEX_MARK = '<REGEX>:';

/** Compares an error text with the lines of a file: the whole text, or a pattern after `<REGEX>:`. */
export function matchesError(expected: readonly string[], actual: string): boolean {
  const text = expected.join('\n');
  if (text.startsWith(REGEX_MARK)) return new RegExp(text.slice(REGEX_MARK.length), 's').test(actual);
  return text === actual.trimEnd();
}
