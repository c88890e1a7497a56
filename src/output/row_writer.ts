/** Writers of the formats that write rows one after another and keep none: all but the boxes. */
import type { ResultBatch, ResultColumn, Schema } from '../common/batch.ts';
import { isNull } from './column_access.ts';
import type { ResultWriter } from './format.ts';
import { Pace } from './pace.ts';
import { ChunkedSink, type TextSink } from './text_sink.ts';
import { LARGE_VALUE, type ValueReader } from './value_reader.ts';

/** Text of the rows of one batch. */
export interface RowReader {
  text(row: number): string;
  weight(start: number, end: number): number;
  pieces(row: number): Iterable<string>;
}

/** A format seen row by row. */
export interface RowLayout {
  /** before the first row */
  head(): string;
  /** rows of a batch; `first` is the number of rows written before it */
  rows(batch: ResultBatch, first: number): RowReader;
  /** after the last row */
  tail(rows: number): string;
}

/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 16;

/** Writer of a format that `layout` describes for a schema. */
export function rowWriter(sink: TextSink, layout: (schema: Schema) => RowLayout): ResultWriter {
  const out = new ChunkedSink(sink);
  const pace = new Pace();
  let format: RowLayout | undefined;
  let rows = 0;

  async function rest(): Promise<void> {
    if (out.full()) await out.flush();
    if (pace.due()) await pace.turn();
  }

  async function writeLarge(reader: RowReader, row: number): Promise<void> {
    for (const piece of reader.pieces(row)) {
      out.add(piece);
      await rest();
    }
  }

  return {
    async begin(schema) {
      format = layout(schema);
      out.add(format.head());
    },
    async batch(batch) {
      const reader = (format as RowLayout).rows(batch, rows);
      const light = reader.weight(0, batch.rows) <= LARGE_VALUE;
      for (let row = 0; row < batch.rows; row++) {
        if (!light && reader.weight(row, row + 1) > LARGE_VALUE) {
          await writeLarge(reader, row);
        } else {
          out.add(reader.text(row));
        }
        if (out.full() || (row % ROWS_PER_LOOK === 0 && pace.due())) await rest();
      }
      rows += batch.rows;
    },
    async end() {
      out.add((format as RowLayout).tail(rows));
      await out.flush();
    },
  };
}

/** How a format joins the cells of a row. */
export interface CellJoin {
  reader(column: ResultColumn, index: number): ValueReader;
  /** what precedes the cell of column `index` */
  before(index: number): string;
  /** text of NULL in column `index` */
  nullText(index: number): string;
  /** a whole cell as it is written */
  cell(text: string, index: number): string;
  /** a cell written in pieces */
  frame(index: number): { open: string; escape(piece: string): string; close: string };
  /** after the last cell */
  readonly after: string;
}

/** Rows made of cells; `lead(row)` goes in front of each. */
export function cellRows(batch: ResultBatch, join: CellJoin, lead?: (row: number) => string): RowReader {
  const columns = batch.columns;
  const readers = columns.map((column, i) => join.reader(column, i));
  const befores = columns.map((_, i) => join.before(i));
  const nulls = columns.map((_, i) => join.nullText(i));

  function cellText(row: number, i: number): string {
    const column = columns[i] as ResultColumn;
    return isNull(column, row) ? (nulls[i] as string) : join.cell((readers[i] as ValueReader).text(row), i);
  }

  return {
    text(row) {
      let text = lead === undefined ? '' : lead(row);
      for (let i = 0; i < columns.length; i++) text += (befores[i] as string) + cellText(row, i);
      return text + join.after;
    },
    weight: (start, end) => readers.reduce((sum, reader) => sum + reader.weight(start, end), 0),
    *pieces(row) {
      if (lead !== undefined) yield lead(row);
      for (let i = 0; i < columns.length; i++) {
        yield befores[i] as string;
        const reader = readers[i] as ValueReader;
        if (!isNull(columns[i] as ResultColumn, row) && reader.weight(row, row + 1) > LARGE_VALUE) {
          const frame = join.frame(i);
          yield frame.open;
          for (const piece of reader.pieces(row)) yield frame.escape(piece);
          yield frame.close;
        } else {
          yield cellText(row, i);
        }
      }
      yield join.after;
    },
  };
}
