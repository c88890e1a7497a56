import type { Format } from './format.ts';
import { BOX_FRAME } from './table_frame.ts';
import { tableWriter } from './table_writer.ts';

/** Box-drawing lines, every row. */
export const box: Format = {
  name: 'box',
  create: (sink, options) => tableWriter(sink, options, { frame: BOX_FRAME, typeLabels: undefined, footer: false }),
};
