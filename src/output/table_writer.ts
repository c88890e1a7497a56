/** Writer of tables with aligned columns: duckbox, box, table, column. */
import type { ResultColumn, Schema } from '../common/batch.ts';
import { unsupported } from '../common/error.ts';
import { alignsRight, isWholeNumber } from './alignment.ts';
import { paint } from './colors.ts';
import { isNull } from './column_access.ts';
import { visibleControls } from './control_text.ts';
import { displayWidth } from './display_width.ts';
import type { FittedColumns } from './fit_columns.ts';
import type { OutputOptions, ResultWriter } from './format.ts';
import { Pace } from './pace.ts';
import { textReader } from './render_value.ts';
import { RowWindow } from './row_window.ts';
import type { TableFrame } from './table_frame.ts';
import {
  type Cells,
  footerText,
  groupDigits,
  layoutColumns,
  type TableShape,
  tableFoot,
  tableGap,
  tableHead,
  tableRow,
} from './table_text.ts';
import { ChunkedSink, type TextSink } from './text_sink.ts';
import { LARGE_VALUE, type ValueReader } from './value_reader.ts';

export interface TableLook {
  readonly frame: TableFrame;
  /** lower row of the header: the type of each column; undefined = none */
  readonly typeLabels: ((schema: Schema) => string[]) | undefined;
  /** counts below the table */
  readonly footer: boolean;
}

/** Without a row limit the widths are settled by the first rows, up to this many or this much text. */
const SETTLE_ROWS = 10_000;
const SETTLE_LENGTH = 8_000_000;

/** A cell of a table without a width limit must fit into one string. */
const LONGEST_CELL = 2 ** 28;

/** From so many rows on their number is worth a line. */
const FOOTER_ROWS = 10;

/** The shown part of a value: all of it without a width limit, else a little more than fits. */
function cellText(reader: ValueReader, row: number, maxWidth: number): string {
  // A code point is at most two code units and may be of width 0 beside its base: twice is enough to see the cut.
  const limit = maxWidth > 0 ? maxWidth * 2 : LONGEST_CELL;
  let text = '';
  if (reader.weight(row, row + 1) <= LARGE_VALUE) {
    text = reader.text(row);
  } else {
    for (const piece of reader.pieces(row)) {
      text += piece;
      if (text.length > limit) break;
    }
  }
  if (text.length <= limit) return visibleControls(text);
  if (maxWidth === 0)
    throw unsupported('a value of more than 256 MiB in a table', undefined, 'use --csv, --json or --jsonl');
  return `${visibleControls(text.slice(0, limit))}…`;
}

/** Creates the writer of a table in `look`. */
export function tableWriter(sink: TextSink, options: OutputOptions, look: TableLook): ResultWriter {
  const maxRows = options.maxRows ?? 0;
  const maxWidth = options.maxWidth ?? 0;
  const out = new ChunkedSink(sink);
  const pace = new Pace();
  const window = new RowWindow<Cells>(maxRows === 0 ? SETTLE_ROWS : maxRows);
  const settling: Cells[] = [];
  let settlingLength = 0;
  let count = 0;
  let shape: TableShape;
  let whole: readonly boolean[] = [];
  let layout: FittedColumns | undefined;

  function cellsOf(columns: readonly ResultColumn[], readers: readonly ValueReader[], row: number): Cells {
    return columns.map((column, i) => {
      if (isNull(column, row)) return null;
      const text = cellText(readers[i] as ValueReader, row, maxWidth);
      return whole[i] ? groupDigits(text) : text;
    });
  }

  async function rest(): Promise<void> {
    if (out.full()) await out.flush();
    if (pace.due()) await pace.turn();
  }

  async function settle(): Promise<FittedColumns> {
    const settled = layoutColumns(shape, settling);
    layout = settled;
    out.add(tableHead(shape, settled));
    for (const cells of settling) {
      out.add(tableRow(shape, settled, cells));
      await rest();
    }
    settling.length = 0;
    return settled;
  }

  /** No row limit: rows go out as soon as the widths are known; a longer cell then sticks out of its own line only. */
  async function addUnlimited(cells: Cells): Promise<void> {
    if (layout !== undefined) {
      out.add(tableRow(shape, maxWidth > 0 ? layout : stretch(layout, cells), cells));
      return;
    }
    settling.push(cells);
    for (const cell of cells) settlingLength += cell?.length ?? 0;
    if (settling.length >= SETTLE_ROWS || settlingLength >= SETTLE_LENGTH) await settle();
  }

  /** The layout with room for every cell: nothing is cut where there is no width limit. */
  function stretch(settled: FittedColumns, cells: Cells): FittedColumns {
    return { ...settled, widths: settled.widths.map((width, i) => Math.max(width, displayWidth(cells[i] ?? ''))) };
  }

  function footer(rowsShown: number, settled: FittedColumns): string {
    const columns = shape.names.length;
    const cut = rowsShown < count || settled.gap !== undefined;
    if (!look.footer || (!cut && count > 0 && count < FOOTER_ROWS)) return '';
    return `${footerText(count, rowsShown, columns, settled.shown.length)}\n`;
  }

  return {
    async begin(schema) {
      shape = {
        frame: look.frame,
        names: schema.map((field) => visibleControls(field.name)),
        types: options.types === false ? undefined : look.typeLabels?.(schema),
        right: schema.map((field) => alignsRight(field.type)),
        nullText: options.nullText ?? 'NULL',
        header: options.header !== false,
        maxWidth,
        paint: paint(options.color === true),
      };
      whole = schema.map((field) => options.thousands === true && isWholeNumber(field.type));
    },
    async batch(batch) {
      const readers = batch.columns.map((column) => textReader(column));
      const build = (row: number): Cells => cellsOf(batch.columns, readers, row);
      if (maxRows > 0) {
        for (const _ of window.take(batch.rows, build)) if (pace.due()) await pace.turn();
      } else {
        for (let row = 0; row < batch.rows; row++) {
          await addUnlimited(build(row));
          await rest();
        }
      }
      count += batch.rows;
    },
    async end() {
      let settled = layout;
      let rowsShown = count;
      if (maxRows > 0) {
        const { head, tail, elided } = window.result();
        settled = layoutColumns(shape, [...head, ...tail]);
        rowsShown = head.length + tail.length;
        out.add(tableHead(shape, settled));
        for (const cells of head) out.add(tableRow(shape, settled, cells));
        if (elided) out.add(tableGap(shape, settled));
        for (const cells of tail) out.add(tableRow(shape, settled, cells));
      } else {
        settled ??= await settle();
      }
      out.add(tableFoot(shape, settled));
      out.add(footer(rowsShown, settled));
      await out.flush();
    },
  };
}
