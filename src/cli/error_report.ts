/** Errors as text with the faulty place, as JSON, or as a GitHub annotation. */
import { QuernError } from '../common/error.ts';
import { lineAndColumn } from '../common/source_span.ts';
import type { Paint } from '../output/colors.ts';
import { visibleControls } from '../output/control_text.ts';
import { ioError } from './io_error.ts';
import { VERSION } from './version.ts';

export type ErrorFormat = 'text' | 'json' | 'github';

/** The SQL text that an error's span points into. */
export interface ErrorPlace {
  readonly text: string;
  readonly label: string | undefined;
}

export interface ReportOptions {
  readonly format: ErrorFormat;
  readonly paint: Paint;
  /** show the stack of internal errors */
  readonly verbose: boolean;
  /** width of characters on the terminal; loaded only when needed */
  readonly widthOf: (text: string) => number;
}

/** Anything thrown as a QuernError: what is not one is a bug of quern. */
export function asQuernError(error: unknown): QuernError {
  if (error instanceof QuernError) return error;
  const refused = refusedBySystem(error);
  if (refused !== undefined) return refused;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new QuernError({ source: 'internal', code: 'internal', message, cause: error });
}

/** A failed system call on a path is no bug: `cannot mkdir: permission denied: out`. */
function refusedBySystem(error: unknown): QuernError | undefined {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || path === undefined) return undefined;
  const known = ioError(error, `cannot ${syscall}`, path);
  return known instanceof QuernError ? known : undefined;
}

/** The report, ending in a line feed. */
export function errorText(error: QuernError, place: ErrorPlace | undefined, options: ReportOptions): string {
  if (options.format === 'json') return `${jsonReport(error, place)}\n`;
  if (options.format === 'github') return `${githubReport(error, place)}\n`;
  return textReport(error, place, options);
}

/** Context on each side of the fault in a long line. */
const CONTEXT = 60;

interface Excerpt {
  readonly line: number;
  readonly column: number;
  /** one line of the SQL, cut round the fault */
  readonly text: string;
  /** code units before and inside the fault in `text` */
  readonly before: number;
  readonly length: number;
}

function excerptOf(error: QuernError, place: ErrorPlace | undefined): Excerpt | undefined {
  if (error.span === undefined || place === undefined) return undefined;
  const start = Math.min(error.span.start, place.text.length);
  const { line, column } = lineAndColumn(place.text, start);
  const lineStart = place.text.lastIndexOf('\n', start - 1) + 1;
  const lineBreak = place.text.indexOf('\n', start);
  const lineEnd = lineBreak < 0 ? place.text.length : lineBreak;
  const end = Math.max(start, Math.min(error.span.end, lineEnd));
  const from = Math.max(lineStart, start - CONTEXT);
  const to = Math.min(lineEnd, Math.max(end, start + 1) + CONTEXT);
  const lead = from > lineStart ? '…' : '';
  const text = lead + place.text.slice(from, to).replace(/\r$/, '') + (to < lineEnd ? '…' : '');
  return { line, column, text, before: lead.length + start - from, length: end - start };
}

function caretLine(excerpt: Excerpt, widthOf: (text: string) => number): string {
  // Tabs stay tabs so that the caret stands below its word whatever their width is.
  const lead = excerpt.text.slice(0, excerpt.before);
  const blank = lead.replace(/[^\t]+/g, (run) => ' '.repeat(widthOf(run)));
  const fault = excerpt.text.slice(excerpt.before, excerpt.before + excerpt.length);
  return blank + '^'.repeat(Math.max(1, widthOf(fault)));
}

function textReport(error: QuernError, place: ErrorPlace | undefined, options: ReportOptions): string {
  const { paint } = options;
  let text = `${paint.red(paint.bold(`error[${error.code}]`))}: ${safe(error.message)}\n`;
  const excerpt = excerptOf(error, place);
  if (excerpt !== undefined) {
    if (place?.label !== undefined) {
      text += `  ${paint.cyan('-->')} ${place.label}:${excerpt.line}:${excerpt.column}\n`;
    }
    const number = String(excerpt.line);
    const bar = paint.cyan('|');
    text += `${paint.cyan(number)} ${bar} ${excerpt.text}\n`;
    text += `${' '.repeat(number.length)} ${bar} ${paint.red(caretLine(excerpt, options.widthOf))}\n`;
  } else if (place?.label !== undefined) {
    text += `  ${paint.cyan('-->')} ${place.label}\n`;
  }
  if (error.hint !== undefined) text += `${paint.cyan('hint')}: ${safe(error.hint)}\n`;
  if (error.code === 'internal') {
    text += `This is a bug in quern ${VERSION} (Node ${process.version}); please report it with the query.\n`;
    if (options.verbose) text += `${stackOf(error)}\n`;
    else text += `${paint.cyan('hint')}: -v shows where it happened\n`;
  }
  return text;
}

/** Messages carry values and paths: nothing in them may steer the terminal, but they may have several lines. */
function safe(text: string): string {
  return text.split('\n').map(visibleControls).join('\n');
}

function stackOf(error: QuernError): string {
  const cause = error.cause;
  return (cause instanceof Error ? cause.stack : undefined) ?? error.stack ?? error.message;
}

function jsonReport(error: QuernError, place: ErrorPlace | undefined): string {
  const excerpt = excerptOf(error, place);
  return JSON.stringify({
    kind: error.code,
    message: error.message,
    file: place?.label ?? null,
    line: excerpt?.line ?? null,
    column: excerpt?.column ?? null,
    length: excerpt?.length ?? null,
    hint: error.hint ?? null,
    sql: place?.text ?? null,
  });
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function githubReport(error: QuernError, place: ErrorPlace | undefined): string {
  const excerpt = excerptOf(error, place);
  const properties = [`title=${escapeProperty(`quern ${error.code} error`)}`];
  if (place?.label !== undefined && excerpt !== undefined) {
    properties.push(`file=${escapeProperty(place.label)}`, `line=${excerpt.line}`, `col=${excerpt.column}`);
  }
  const message = error.hint === undefined ? error.message : `${error.message}\nhint: ${error.hint}`;
  return `::error ${properties.join(',')}::${escapeData(message)}`;
}

/** When several apply: 130 > 70 > 6 > 5 > 3 > 1 > 4; usage stands alone. */
const PRECEDENCE: readonly number[] = [143, 130, 129, 141, 70, 6, 5, 3, 2, 1, 4, 0];

/** The exit code that wins. */
export function worstExitCode(codes: Iterable<number>): number {
  const found = new Set(codes);
  return PRECEDENCE.find((code) => found.has(code)) ?? 0;
}
