import { QuernError } from '../../src/common/error.ts';
import { parseExpression, parseStatements, printExpression, printStatement } from '../../src/sql/index.ts';

/** The tree without its spans, for comparison. */
export function withoutSpans(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSpans);
  if (node === null || typeof node !== 'object') return node;
  const entries = Object.entries(node).filter(([key]) => key !== 'span' && !key.endsWith('Span'));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutSpans(value)]));
}

/** Canonical text of an expression: all operators in parentheses, so that it shows how the text was read. */
export function canonical(expression: string): string {
  return printExpression(parseExpression(expression));
}

/** Canonical text of a script. */
export function canonicalScript(text: string): string {
  return parseStatements(text).map(printStatement).join('; ');
}

/** The error that a text raises, as `code: message @start-end (hint)`. */
export function faultOf(text: string): string {
  try {
    parseStatements(text);
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const place = error.span === undefined ? '' : ` @${error.span.start}-${error.span.end}`;
    return `${error.code}: ${error.message}${place}${error.hint === undefined ? '' : ` (${error.hint})`}`;
  }
  throw new Error(`parsed without an error: ${text}`);
}
