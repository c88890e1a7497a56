import { alignsRight } from './alignment.ts';
import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

const COMMANDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '\n': ' ',
  '\r': ' ',
};

/** Characters that mean something to LaTeX; line breaks end no row. */
function escapeLatex(text: string): string {
  return text.replace(/[\\^~\n\r]|[&%$#_{}]/g, (char) => COMMANDS[char] ?? `\\${char}`);
}

/** One `tabular`, as DuckDB's command line writes it. */
export const latex: Format = {
  name: 'latex',
  create(sink, options) {
    const nullText = options.nullText ?? 'NULL';
    const join: CellJoin = {
      reader: textReader,
      before: (index) => (index === 0 ? '' : ' & '),
      nullText: () => escapeLatex(nullText),
      cell: escapeLatex,
      frame: () => ({ open: '', escape: escapeLatex, close: '' }),
      after: ' \\\\\n',
    };
    return rowWriter(sink, (schema) => {
      const alignment = schema.map((field) => (alignsRight(field.type) ? 'r' : 'l')).join('');
      const names = `${schema.map((field) => escapeLatex(field.name)).join(' & ')} \\\\\n\\hline\n`;
      return {
        head: () => `\\begin{tabular}{|${alignment}|}\n\\hline\n${options.header === false ? '' : names}`,
        rows: (batch) => cellRows(batch, join),
        tail: () => '\\hline\n\\end{tabular}\n',
      };
    });
  },
};
