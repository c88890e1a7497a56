import { displayWidth } from './display_width.ts';
import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

/** `name = value`, one column a line, names aligned at the equals sign, an empty line between rows. */
export const line: Format = {
  name: 'line',
  between: '\n',
  create(sink, options) {
    const nullText = options.nullText ?? 'NULL';
    return rowWriter(sink, (schema) => {
      const widths = schema.map((field) => displayWidth(field.name));
      const widest = Math.max(0, ...widths);
      const labels = schema.map((field, i) => {
        const label = `${' '.repeat(widest - (widths[i] as number))}${field.name} = `;
        return i === 0 ? label : `\n${label}`;
      });
      const join: CellJoin = {
        reader: textReader,
        before: (index) => labels[index] as string,
        nullText: () => nullText,
        cell: (text) => text,
        frame: () => ({ open: '', escape: (piece) => piece, close: '' }),
        after: '\n',
      };
      return {
        head: () => '',
        rows: (batch, first) => cellRows(batch, join, (row) => (first + row === 0 ? '' : '\n')),
        tail: () => '',
      };
    });
  },
};
