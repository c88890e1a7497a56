import { readFile, rename, writeFile } from 'node:fs/promises';
import { splitLines } from './slt_parse.ts';
import type { LineRange } from './slt_record.ts';

/** New text for one record: its header line and its result lines. */
export interface Edit {
  readonly headerLine: number;
  /** undefined = the header stays */
  readonly header?: string | undefined;
  readonly resultLines: LineRange;
  /** `----` and what follows; empty = no result part */
  readonly result: readonly string[];
}

/** Applies edits to the text of a file; comments, blank lines and untouched records stay as they are. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const lines = splitLines(text);
  const order = [...edits].sort((a, b) => b.resultLines.start - a.resultLines.start);
  for (const edit of order) {
    const { start, end } = edit.resultLines;
    lines.splice(start, end - start, ...edit.result);
    if (edit.header !== undefined) lines[edit.headerLine] = edit.header;
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Rewrites a file in one step, so that a kill leaves either the old or the new text. */
export async function updateFile(path: string, edits: readonly Edit[]): Promise<boolean> {
  if (edits.length === 0) return false;
  const before = await readFile(path, 'utf8');
  const after = applyEdits(before, edits);
  if (after === before) return false;
  await writeFile(`${path}.tmp`, after);
  await rename(`${path}.tmp`, path);
  return true;
}
