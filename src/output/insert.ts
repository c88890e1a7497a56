import type { DataType } from '../common/data_type.ts';
import { typeName } from '../common/data_type.ts';
import { identifierText } from '../common/keywords.ts';
import { alignsRight } from './alignment.ts';
import type { Format } from './format.ts';
import { textReader } from './render_value.ts';
import { type CellJoin, cellRows, rowWriter } from './row_writer.ts';

const double = (text: string): string => text.replaceAll("'", "''");

/** A SQL literal of the value: numbers as they are, text quoted, everything else a cast of its text. */
function literal(type: DataType): (text: string) => string {
  if (type.kind === 'bool') return (text) => text;
  if (type.kind === 'string') return (text) => `'${double(text)}'`;
  const cast = `'::${typeName(type)}`;
  if (!alignsRight(type)) return (text) => `'${double(text)}${cast}`;
  if (!type.kind.startsWith('float') && type.kind !== 'bfloat16') return (text) => text;
  return (text) => (isExactLiteral(text) ? text : `'${text}${cast}`);
}

/**
 * Whether SQL reads the digits of a float as they are: with a point they are a DECIMAL, which has no -0.0 and becomes a
 * double in two roundings when it has more than 15 digits; NaN and infinities are no literals.
 */
function isExactLiteral(text: string): boolean {
  return text !== '-0.0' && (/\de/.test(text) || /^-?(?=.{1,16}$)\d+\.\d+$/.test(text));
}

/** One INSERT statement a row. */
export const insert: Format = {
  name: 'insert',
  create(sink, options) {
    return rowWriter(sink, (schema) => {
      const names = schema.map((field) => identifierText(field.name)).join(', ');
      const start = `INSERT INTO ${identifierText(options.table ?? 'table')} (${names}) VALUES (`;
      const literals = schema.map((field) => literal(field.type));
      const closes = schema.map((field) => (field.type.kind === 'string' ? "'" : `'::${typeName(field.type)}`));
      const join: CellJoin = {
        reader: textReader,
        before: (index) => (index === 0 ? start : ', '),
        nullText: () => 'NULL',
        cell: (text, index) => (literals[index] as (text: string) => string)(text),
        frame: (index) => ({ open: "'", escape: double, close: closes[index] as string }),
        after: ');\n',
      };
      return { head: () => '', rows: (batch) => cellRows(batch, join), tail: () => '' };
    });
  },
};
