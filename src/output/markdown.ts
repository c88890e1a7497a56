import { alignsRight } from './alignment.ts';
import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

/** A cell stays on its line and in its column. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\r\n|\n|\r/g, '<br>');
}

/** GitHub's table syntax, unpadded: rows are written as they come. */
export const markdown: Format = {
  name: 'markdown',
  // Without a blank line the second table's rows would be rows of the first.
  between: '\n',
  create(sink, options) {
    const nullText = escapeCell(options.nullText ?? 'NULL');
    const join: CellJoin = {
      reader: textReader,
      before: (index) => (index === 0 ? '| ' : ' | '),
      nullText: () => nullText,
      cell: escapeCell,
      frame: () => ({ open: '', escape: escapeCell, close: '' }),
      after: ' |\n',
    };
    return rowWriter(sink, (schema) => ({
      head() {
        const names = options.header === false ? schema.map(() => '') : schema.map((field) => escapeCell(field.name));
        const rule = schema.map((field) => (alignsRight(field.type) ? '--:' : '---'));
        return `| ${names.join(' | ')} |\n|${rule.join('|')}|\n`;
      },
      rows: (batch) => cellRows(batch, join),
      tail: () => '',
    }));
  },
};
