import type { DataType } from '../common/data_type.ts';
import { typeName } from '../common/data_type.ts';
import type { Format } from './format.ts';
import { BOX_FRAME } from './table_frame.ts';
import { tableWriter } from './table_writer.ts';

/** Short type names as DuckDB's tables show them: `int32`, `varchar`, `float[]`. */
export function shortTypeName(type: DataType): string {
  switch (type.kind) {
    case 'null':
      return 'null';
    case 'list':
      return `${shortTypeName(type.element)}[]`;
    case 'bool':
      return 'boolean';
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
    case 'float16':
    case 'bfloat16':
      return type.kind;
    default:
      return typeName(type).toLowerCase();
  }
}

/** Box with names and types; the default on a terminal. */
export const duckbox: Format = {
  name: 'duckbox',
  create: (sink, options) =>
    tableWriter(sink, options, {
      frame: BOX_FRAME,
      typeLabels: (schema) => schema.map((field) => shortTypeName(field.type)),
      footer: true,
    }),
};
