import { createHash } from 'node:crypto';
import type { TextRow } from '../../../src/reference/text_engine.ts';

const NULL_CELL = Buffer.from('\\N');
const SEPARATOR = Buffer.from([0x1f]);

/** `duckvarchar-md5-v1`: cells joined by 0x1F, rows sorted as bytes, MD5 over each row and a line break. */
export function checksum(rows: readonly TextRow[]): string {
  const lines = rows.map((row) => {
    const parts: Buffer[] = [];
    row.forEach((cell, i) => {
      if (i > 0) parts.push(SEPARATOR);
      parts.push(cell === null ? NULL_CELL : Buffer.from(cell));
    });
    return Buffer.concat(parts);
  });
  lines.sort(Buffer.compare);
  const hash = createHash('md5');
  for (const line of lines) {
    hash.update(line);
    hash.update('\n');
  }
  return hash.digest('hex');
}
