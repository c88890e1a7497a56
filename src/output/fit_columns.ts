/** A column is cut to no less than this before columns in the middle are left out. */
const LEAST_WIDTH = 16;

/** Frame of a table: what its lines cost beside the cells. */
export interface FrameWidth {
  /** between two columns, and what a column costs in all, e.g. 3 for ` │ ` */
  readonly perColumn: number;
  /** once, e.g. 1 for the last `│` */
  readonly once: number;
}

export interface FittedColumns {
  /** indexes of the columns shown, in order */
  readonly shown: readonly number[];
  /** width of each shown column */
  readonly widths: readonly number[];
  /** number of shown columns before the `…` column; undefined when none is left out */
  readonly gap: number | undefined;
}

function total(widths: readonly number[], cap: number): number {
  return widths.reduce((sum, width) => sum + Math.min(width, cap), 0);
}

/** The largest width to which every column may be cut so that all fit into `room`. */
function capFor(widths: readonly number[], room: number): number {
  let cap = Math.max(1, ...widths);
  while (cap > 1 && total(widths, cap) > room) cap--;
  return cap;
}

/** Cuts wide columns first, then leaves out columns from the middle, until the table fits. `maxWidth` 0 = no limit. */
export function fitColumns(natural: readonly number[], maxWidth: number, frame: FrameWidth): FittedColumns {
  const all = natural.map((_, i) => i);
  if (maxWidth <= 0) return { shown: all, widths: natural, gap: undefined };
  // A column takes one character and its part of the frame, so no more than these can ever fit.
  const most = Math.max(1, Math.floor(maxWidth / (frame.perColumn + 1)));
  for (let count = Math.min(natural.length, most); count >= 1; count--) {
    const hidden = count < natural.length;
    const left = hidden ? Math.ceil(count / 2) : count;
    const shown = hidden ? [...all.slice(0, left), ...all.slice(natural.length - (count - left))] : all;
    const widths = shown.map((i) => natural[i] as number);
    const frameWidth = frame.perColumn * count + frame.once + (hidden ? frame.perColumn + 1 : 0);
    const room = maxWidth - frameWidth;
    const cap = capFor(widths, room);
    const widest = Math.max(1, ...widths);
    if (total(widths, cap) <= room && cap >= Math.min(LEAST_WIDTH, widest)) {
      return { shown, widths: widths.map((w) => Math.min(w, cap)), gap: hidden ? left : undefined };
    }
    if (count === 1) return { shown, widths: [Math.max(1, Math.min(widest, room))], gap: hidden ? left : undefined };
  }
  return { shown: [], widths: [], gap: undefined };
}
