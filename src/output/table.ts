import type { Format } from './format.ts';
import { ASCII_FRAME } from './table_frame.ts';
import { tableWriter } from './table_writer.ts';

/** Plain ASCII lines, every row. */
export const table: Format = {
  name: 'table',
  create: (sink, options) => tableWriter(sink, options, { frame: ASCII_FRAME, typeLabels: undefined, footer: false }),
};
