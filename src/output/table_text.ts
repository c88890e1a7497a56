/** Pure text of tables with aligned columns. */
import type { Paint } from './colors.ts';
import { displayWidth, fitWidth } from './display_width.ts';
import { type FittedColumns, fitColumns } from './fit_columns.ts';
import type { Rule, TableFrame } from './table_frame.ts';

/** One row of cells; null is NULL. */
export type Cells = readonly (string | null)[];

export interface TableShape {
  readonly frame: TableFrame;
  readonly names: readonly string[];
  /** lower row of the header */
  readonly types: readonly string[] | undefined;
  /** columns whose cells stand on the right */
  readonly right: readonly boolean[];
  readonly nullText: string;
  readonly header: boolean;
  /** 0 = no limit */
  readonly maxWidth: number;
  readonly paint: Paint;
}

/** Widths that hold header and `rows`, fitted into the width limit. */
export function layoutColumns(shape: TableShape, rows: Iterable<Cells>): FittedColumns {
  const widths = shape.names.map((name, i) =>
    Math.max(1, shape.header ? displayWidth(name) : 1, displayWidth(shape.types?.[i] ?? '')),
  );
  for (const cells of rows) {
    for (let i = 0; i < widths.length; i++) {
      const width = displayWidth(cells[i] ?? shape.nullText);
      if (width > (widths[i] as number)) widths[i] = width;
    }
  }
  return fitColumns(widths, shape.maxWidth, shape.frame.width);
}

type Align = 'left' | 'right' | 'centre';

function pad(text: string, width: number, align: Align, painted: (text: string) => string): string {
  const cut = fitWidth(text, width);
  const free = Math.max(0, width - displayWidth(cut));
  const before = align === 'left' ? 0 : align === 'right' ? free : Math.floor(free / 2);
  return ' '.repeat(before) + painted(cut) + ' '.repeat(free - before);
}

const plain = (text: string): string => text;

/** Puts the `…` column where columns are left out. */
function withGap(cells: readonly string[], layout: FittedColumns, gap: string): readonly string[] {
  if (layout.gap === undefined) return cells;
  return [...cells.slice(0, layout.gap), gap, ...cells.slice(layout.gap)];
}

function ruleLine(rule: Rule | undefined, layout: FittedColumns): string {
  if (rule === undefined) return '';
  const fills = withGap(
    layout.widths.map((width) => rule.fill.repeat(width)),
    layout,
    rule.fill,
  );
  return `${rule.left}${fills.join(rule.cross)}${rule.right}\n`;
}

function cellLine(shape: TableShape, layout: FittedColumns, cells: readonly string[], gap: string): string {
  const { left, between, right } = shape.frame;
  return `${`${left}${withGap(cells, layout, gap).join(between)}${right}`.trimEnd()}\n`;
}

/** Top rule, names, types, rule. */
export function tableHead(shape: TableShape, layout: FittedColumns): string {
  const { frame, paint } = shape;
  const row = (texts: readonly string[], gap: string, painted: (text: string) => string): string => {
    const align: Align = frame.top === undefined ? 'left' : 'centre';
    const cells = layout.shown.map((i, at) => pad(texts[i] as string, layout.widths[at] as number, align, painted));
    return cellLine(shape, layout, cells, gap);
  };
  let text = ruleLine(frame.top, layout);
  if (shape.header) text += row(shape.names, '…', paint.bold);
  if (shape.types !== undefined) text += row(shape.types, ' ', paint.dim);
  if (shape.header || shape.types !== undefined) text += ruleLine(frame.headerRule, layout);
  return text;
}

/** One row of values. */
export function tableRow(shape: TableShape, layout: FittedColumns, cells: Cells): string {
  const texts = layout.shown.map((i, at) => {
    const cell = cells[i] ?? null;
    const align: Align = shape.right[i] ? 'right' : 'left';
    return pad(cell ?? shape.nullText, layout.widths[at] as number, align, cell === null ? shape.paint.dim : plain);
  });
  return cellLine(shape, layout, texts, '…');
}

/** Three rows of dots where rows are left out. */
export function tableGap(shape: TableShape, layout: FittedColumns): string {
  const dots = layout.shown.map((i, at) =>
    pad('·', layout.widths[at] as number, shape.right[i] ? 'right' : 'left', plain),
  );
  return cellLine(shape, layout, dots, '·').repeat(3);
}

/** The last rule. */
export function tableFoot(shape: TableShape, layout: FittedColumns): string {
  return ruleLine(shape.frame.bottom, layout);
}

/** `1234567` → `1,234,567`; keeps a sign and leaves other text alone. */
export function groupDigits(text: string): string {
  return /^-?\d+$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : text;
}

function shownOf(shown: number, all: number, word: string): string {
  const part = shown < all ? ` (${groupDigits(String(shown))} shown)` : '';
  return `${groupDigits(String(all))} ${word}${all === 1 ? '' : 's'}${part}`;
}

/** `1,234 rows (40 shown)  5 columns` */
export function footerText(rows: number, rowsShown: number, columns: number, columnsShown: number): string {
  return `${shownOf(rowsShown, rows, 'row')}  ${shownOf(columnsShown, columns, 'column')}`;
}
