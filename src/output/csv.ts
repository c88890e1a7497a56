import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

/**
 * RFC 4180 with line feeds: a field is quoted when it holds the separator, a quote or a line break; NULL is an empty
 * field and the empty string is `""`. A string equal to the text of NULL is quoted, so the two never meet.
 */
export const csv: Format = {
  name: 'csv',
  create(sink, options) {
    const separator = options.separator ?? ',';
    const nullText = options.nullText ?? '';
    const double = (text: string): string => text.replaceAll('"', '""');
    const special = new RegExp(`["\\n\\r]|${separator.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
    const needsQuotes = (text: string): boolean => text === nullText || text === '' || special.test(text);
    const field = (text: string): string => (needsQuotes(text) ? `"${double(text)}"` : text);
    const join: CellJoin = {
      reader: textReader,
      before: (index) => (index === 0 ? '' : separator),
      nullText: () => nullText,
      cell: field,
      frame: () => ({ open: '"', escape: double, close: '"' }),
      after: '\n',
    };
    return rowWriter(sink, (schema) => ({
      head: () => (options.header === false ? '' : `${schema.map((f) => field(f.name)).join(separator)}\n`),
      rows: (batch) => cellRows(batch, join),
      tail: () => '',
    }));
  },
};
