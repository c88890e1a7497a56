/** A half-open range of UTF-16 code units `[start, end)` in one SQL text. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/** The smallest span that holds both. */
export function joinSpans(a: SourceSpan, b: SourceSpan): SourceSpan {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** 1-based line and column (code points, not code units) of an offset. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  const line = before.split('\n').length;
  const column = [...before.slice(lastBreak + 1)].length + 1;
  return { line, column };
}
