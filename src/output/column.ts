import type { Format } from './format.ts';
import { COLUMN_FRAME } from './table_frame.ts';
import { tableWriter } from './table_writer.ts';

/** Names over dashes, no lines. */
export const column: Format = {
  name: 'column',
  create: (sink, options) => tableWriter(sink, options, { frame: COLUMN_FRAME, typeLabels: undefined, footer: false }),
};
