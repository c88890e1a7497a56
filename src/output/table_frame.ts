import type { FrameWidth } from './fit_columns.ts';

/** One horizontal rule: fill and joints. */
export interface Rule {
  readonly left: string;
  readonly fill: string;
  readonly cross: string;
  readonly right: string;
}

/** The lines of one kind of table. */
export interface TableFrame {
  readonly top: Rule | undefined;
  readonly headerRule: Rule;
  readonly bottom: Rule | undefined;
  readonly left: string;
  readonly between: string;
  readonly right: string;
  readonly width: FrameWidth;
}

/** `┌───┬───┐` */
export const BOX_FRAME: TableFrame = {
  top: { left: '┌─', fill: '─', cross: '─┬─', right: '─┐' },
  headerRule: { left: '├─', fill: '─', cross: '─┼─', right: '─┤' },
  bottom: { left: '└─', fill: '─', cross: '─┴─', right: '─┘' },
  left: '│ ',
  between: ' │ ',
  right: ' │',
  width: { perColumn: 3, once: 1 },
};

/** `+---+---+` */
export const ASCII_FRAME: TableFrame = {
  top: { left: '+-', fill: '-', cross: '-+-', right: '-+' },
  headerRule: { left: '+-', fill: '-', cross: '-+-', right: '-+' },
  bottom: { left: '+-', fill: '-', cross: '-+-', right: '-+' },
  left: '| ',
  between: ' | ',
  right: ' |',
  width: { perColumn: 3, once: 1 },
};

/** Names over dashes, two blanks between columns. */
export const COLUMN_FRAME: TableFrame = {
  top: undefined,
  headerRule: { left: '', fill: '-', cross: '  ', right: '' },
  bottom: undefined,
  left: '',
  between: '  ',
  right: '',
  width: { perColumn: 2, once: -2 },
};
