import { alignsRight } from './alignment.ts';
import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
}

/** One `<table>`; put it into a page of your own. */
export const html: Format = {
  name: 'html',
  create(sink, options) {
    const nullCell = options.nullText ?? 'NULL';
    return rowWriter(sink, (schema) => {
      const opens = schema.map((field) => (alignsRight(field.type) ? '<td style="text-align:right">' : '<td>'));
      const join: CellJoin = {
        reader: textReader,
        before: (index) => `${index === 0 ? '<tr>' : '</td>'}${opens[index]}`,
        nullText: () => escapeHtml(nullCell),
        cell: escapeHtml,
        frame: () => ({ open: '', escape: escapeHtml, close: '' }),
        after: '</td></tr>\n',
      };
      const names = schema.map((field) => `<th>${escapeHtml(field.name)}</th>`).join('');
      return {
        head: () => `<table>\n${options.header === false ? '' : `<thead>\n<tr>${names}</tr>\n</thead>\n`}<tbody>\n`,
        rows: (batch) => cellRows(batch, join),
        tail: () => '</tbody>\n</table>\n',
      };
    });
  },
};
