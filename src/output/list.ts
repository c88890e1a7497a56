import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

/** Plain values with `|` between them and no quoting at all. */
export const list: Format = {
  name: 'list',
  create(sink, options) {
    const separator = options.separator ?? '|';
    const join: CellJoin = {
      reader: textReader,
      before: (index) => (index === 0 ? '' : separator),
      nullText: () => options.nullText ?? 'NULL',
      cell: (text) => text,
      frame: () => ({ open: '', escape: (piece) => piece, close: '' }),
      after: '\n',
    };
    return rowWriter(sink, (schema) => ({
      head: () => (options.header === false ? '' : `${schema.map((field) => field.name).join(separator)}\n`),
      rows: (batch) => cellRows(batch, join),
      tail: () => '',
    }));
  },
};
