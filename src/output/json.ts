import type { ResultBatch, Schema } from '../common/batch.ts';
import type { Format, OutputOptions } from './format.ts';
import { jsonReader } from './json_value.ts';
import { type CellJoin, cellRows, type RowReader, rowWriter } from './row_writer.ts';

/** Result columns may share a name, members of an object may not: the second `a` becomes `a_1`. */
export function memberNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const wanted = new Set(names);
  return names.map((name) => {
    let unique = name;
    for (let n = 1; taken.has(unique) || (unique !== name && wanted.has(unique)); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}

function objectRows(
  options: OutputOptions,
  schema: Schema,
): (batch: ResultBatch, lead: (row: number) => string) => RowReader {
  const labels = memberNames(schema.map((field) => field.name)).map(
    (name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  );
  const join: CellJoin = {
    reader: (column) => jsonReader(column, options.bigint ?? 'number'),
    before: (index) => labels[index] as string,
    nullText: () => 'null',
    cell: (text) => text,
    frame: () => ({ open: '', escape: (piece) => piece, close: '' }),
    after: labels.length === 0 ? '{}' : '}',
  };
  return (batch, lead) => cellRows(batch, join, lead);
}

/** One array of objects, one object a line. */
export const json: Format = {
  name: 'json',
  create(sink, options) {
    return rowWriter(sink, (schema) => {
      const rows = objectRows(options, schema);
      return {
        head: () => '[',
        rows: (batch, first) => rows(batch, (row) => (first + row === 0 ? '' : ',\n')),
        tail: () => ']\n',
      };
    });
  },
};

/** One object a line, no array around them. */
export const jsonl: Format = {
  name: 'jsonl',
  create(sink, options) {
    return rowWriter(sink, (schema) => {
      const rows = objectRows(options, schema);
      return {
        head: () => '',
        rows: (batch, first) => rows(batch, (row) => (first + row === 0 ? '' : '\n')),
        tail: (count) => (count === 0 ? '' : '\n'),
      };
    });
  },
};
