import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeField(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] as string);
}

/** One line a row whatever the values hold: tab, line breaks and backslash are escaped; NULL is `\N`. */
export const tsv: Format = {
  name: 'tsv',
  create(sink, options) {
    const join: CellJoin = {
      reader: textReader,
      before: (index) => (index === 0 ? '' : '\t'),
      nullText: () => options.nullText ?? '\\N',
      cell: escapeField,
      frame: () => ({ open: '', escape: escapeField, close: '' }),
      after: '\n',
    };
    return rowWriter(sink, (schema) => ({
      head: () => (options.header === false ? '' : `${schema.map((f) => escapeField(f.name)).join('\t')}\n`),
      rows: (batch) => cellRows(batch, join),
      tail: () => '',
    }));
  },
};
