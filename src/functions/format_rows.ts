import type { DataType } from '../common/data_type.ts';
import { BOOL, FLOAT64, INT64, STRING, UINT64 } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import { HUGEINT, isFloat, isHugeint, isInteger, isIntegerLiteral } from './argument.ts';
import type { FunctionRow } from './function_row.ts';
import { directCall, scalars } from './function_row.ts';

/** What the engine formats: truth values, whole numbers, floating-point numbers, and everything else as text. */
function formattedType(arg: ArgumentType): DataType {
  if (arg.type.kind === 'bool') return BOOL;
  if (isHugeint(arg.type)) return HUGEINT;
  if (arg.type.kind === 'uint64') return UINT64;
  if (isInteger(arg.type) || isIntegerLiteral(arg)) return INT64;
  return arg.type.kind === 'decimal' || isFloat(arg.type) ? FLOAT64 : STRING;
}

const formatted =
  (target: string): FunctionRow['resolve'] =>
  (args) => {
    const [format, ...values] = args;
    if (format === undefined || (format.type.kind !== 'string' && format.type.kind !== 'null')) return 'no_match';
    return directCall(target, [STRING, ...values.map(formattedType)], STRING, true);
  };

export const FORMAT_ROWS: readonly FunctionRow[] = scalars('text', [
  {
    names: ['format'],
    resolve: formatted('format'),
    doc: 'Arguments in the braces of a text: `{}`, `{0}`, `{:>8.2f}`, `{:,}`.',
    example: "format('{} costs {:.2f}', 'tea', 1.5)",
  },
  {
    names: ['printf'],
    resolve: formatted('printf'),
    doc: 'Arguments in a text by the formats of C: `%d`, `%5.2f`, `%s`.',
    example: "printf('%s: %05.1f', 'x', 2.25)",
  },
  {
    names: ['to_base'],
    doc: 'Digits of a number to a base from 2 to 36, filled with zeros to a least width.',
    example: 'to_base(255, 16)',
  },
  {
    names: ['bar'],
    doc: 'Bar of blocks for a number between two others, `width` characters long (default 80).',
    example: 'bar(5, 0, 10, 8)',
  },
  {
    names: ['format_bytes', 'formatreadablesize', 'pg_size_pretty'],
    targets: ['format_bytes'],
    doc: 'Number of bytes in KiB, MiB, … with one digit after the point.',
    example: 'format_bytes(16384)',
  },
  {
    names: ['formatreadabledecimalsize'],
    targets: ['format_bytes_decimal'],
    doc: 'Number of bytes in kB, MB, … with one digit after the point.',
    example: 'formatReadableDecimalSize(16384)',
  },
  {
    names: ['parse_formatted_bytes'],
    doc: 'Bytes of a text with a unit: kB to TB count thousands, KiB to TiB 1,024.',
    example: "parse_formatted_bytes('1.5 KiB')",
  },
]);
