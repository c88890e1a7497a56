import type { SourceSpan } from './source_span.ts';

/** Who can mend it: the author of the SQL, nobody yet, the machine's owner, the file's owner, the authors of quern. */
export type ErrorSource = 'user' | 'unsupported' | 'resource' | 'io' | 'internal';

/** What went wrong. Each code has one exit code (docs/cli.md). */
export type ErrorCode =
  | 'parse'
  | 'binder'
  | 'catalog'
  | 'type'
  | 'runtime'
  | 'usage'
  | 'io'
  | 'corrupt-file'
  | 'permission'
  | 'disk-full'
  | 'oom'
  | 'no-device'
  | 'timeout'
  | 'cancelled'
  | 'unsupported'
  | 'internal';

/** Process exit code of each error code: 1 SQL, 2 usage, 5 input, 6 resource or environment, 70 a quern bug, 130 interrupted. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  parse: 1,
  binder: 1,
  catalog: 1,
  type: 1,
  runtime: 1,
  usage: 2,
  io: 5,
  'corrupt-file': 5,
  permission: 6,
  'disk-full': 6,
  oom: 6,
  'no-device': 6,
  timeout: 1,
  cancelled: 130,
  unsupported: 1,
  internal: 70,
};

export interface QuernErrorInit {
  readonly source: ErrorSource;
  readonly code: ErrorCode;
  /** One sentence, no final stop, values at the end. */
  readonly message: string;
  /** Where in the SQL text. */
  readonly span?: SourceSpan | undefined;
  /** The one thing to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The only error that leaves any layer. Anything else that is thrown is a bug and is shown as `internal`. */
export class QuernError extends Error {
  readonly source: ErrorSource;
  readonly code: ErrorCode;
  readonly span: SourceSpan | undefined;
  readonly hint: string | undefined;

  constructor(init: QuernErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'QuernError';
    this.source = init.source;
    this.code = init.code;
    this.span = init.span;
    this.hint = init.hint;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}

/** A feature that does not exist yet: names it and says what to do instead. */
export function unsupported(feature: string, span?: SourceSpan, hint?: string): QuernError {
  return new QuernError({ source: 'unsupported', code: 'unsupported', message: `unsupported: ${feature}`, span, hint });
}

/** Binder and type errors of a SQL text. */
export function userError(
  code: 'parse' | 'binder' | 'catalog' | 'type' | 'runtime',
  message: string,
  span?: SourceSpan,
  hint?: string,
): QuernError {
  return new QuernError({ source: 'user', code, message, span, hint });
}
