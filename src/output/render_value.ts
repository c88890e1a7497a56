/** DuckDB's VARCHAR text of every value, read from the raw words of a result column. */
import type { ResultColumn } from '../common/batch.ts';
import type { DataType, StructField } from '../common/data_type.ts';
import { blobText, uuidText } from './binary_text.ts';
import { bytesOf, halvesOf, isNull, offsetAt } from './column_access.ts';
import { float32Text } from './float32_text.ts';
import { geometryText } from './geometry_text.ts';
import { bfloat16Value, decimalText, float16Value, float64Text, int64Text, int64Value } from './number_text.ts';
import { dateText, intervalText, timestampText, timeText } from './temporal_text.ts';
import { type Notation, stringReader, type ValueReader, valueReader } from './value_reader.ts';

type TextOf = (row: number) => string;

function int64Reader(column: ResultColumn): TextOf {
  const words = column.values as BigInt64Array;
  const halves = halvesOf(words);
  return (row) => int64Text(words, halves, row);
}

function decimalReader(column: ResultColumn, precision: number, scale: number): TextOf {
  const words = column.values as BigInt64Array;
  const halves = halvesOf(words);
  return (row) => decimalText(words, halves, row, precision, scale);
}

function intervalReader(column: ResultColumn): TextOf {
  const words = column.values as Int32Array;
  return (row) => {
    const low = BigInt((words[4 * row + 2] as number) >>> 0);
    const high = BigInt(words[4 * row + 3] as number);
    return intervalText(words[4 * row] as number, words[4 * row + 1] as number, (high << 32n) | low);
  };
}

/** Plain text of a scalar column: the same as a cast to VARCHAR. */
export function scalarText(column: ResultColumn): TextOf {
  const type = column.type;
  switch (type.kind) {
    case 'null':
      return () => 'NULL';
    case 'bool': {
      const bits = column.values as Uint8Array;
      return (row) => (((bits[row >> 3] as number) >> (row & 7)) & 1 ? 'true' : 'false');
    }
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32': {
      const values = column.values as Int32Array;
      return (row) => String(values[row]);
    }
    case 'int64':
      return int64Reader(column);
    case 'uint64': {
      const values = column.values as BigUint64Array;
      return (row) => String(values[row]);
    }
    case 'float16': {
      const bits = column.values as Uint16Array;
      return (row) => float32Text(float16Value(bits[row] as number));
    }
    case 'bfloat16': {
      const bits = column.values as Uint16Array;
      return (row) => float32Text(bfloat16Value(bits[row] as number));
    }
    case 'float32': {
      const values = column.values as Float32Array;
      return (row) => float32Text(values[row] as number);
    }
    case 'float64': {
      const values = column.values as Float64Array;
      return (row) => float64Text(values[row] as number);
    }
    case 'decimal':
      return decimalReader(column, type.precision, type.scale);
    case 'date': {
      const days = column.values as Int32Array;
      return (row) => dateText(days[row] as number);
    }
    case 'time': {
      const words = column.values as BigInt64Array;
      const halves = halvesOf(words);
      return (row) => timeText(int64Value(words, halves, row), type.unit, type.zone);
    }
    case 'timestamp': {
      const words = column.values as BigInt64Array;
      const halves = halvesOf(words);
      return (row) => timestampText(int64Value(words, halves, row), type.unit, type.zone);
    }
    case 'interval':
      return intervalReader(column);
    case 'string': {
      const bytes = bytesOf(column);
      return (row) => bytes.toString('utf8', offsetAt(column, row), offsetAt(column, row + 1));
    }
    case 'binary': {
      const bytes = bytesOf(column);
      if (type.tag === 'geometry') {
        return (row) => geometryText(bytes.subarray(offsetAt(column, row), offsetAt(column, row + 1)));
      }
      return (row) => blobText(bytes, offsetAt(column, row), offsetAt(column, row + 1));
    }
    case 'uuid': {
      const bytes = column.values as Uint8Array;
      return (row) => uuidText(bytes, 16 * row);
    }
    default:
      throw new TypeError(`not a scalar column: ${type.kind}`);
  }
}

/** White space at an end, or a character that has a meaning inside nested text. */
const NEEDS_QUOTES = /^[ \t\n\v\f\r]|[(){}[\],:='"]|[ \t\n\v\f\r]$/;

function escapeQuoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}

/** A scalar inside a list, struct or map: quoted only where it would read as something else. */
export function nestedText(text: string): string {
  if (text === '' || NEEDS_QUOTES.test(text) || (text.length === 4 && text.toUpperCase() === 'NULL')) {
    return `'${escapeQuoted(text)}'`;
  }
  return text;
}

/** Texts of these kinds never hold a character that needs quotes. */
const PLAIN_KINDS: ReadonlySet<string> = new Set([
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'decimal',
  'uuid',
]);

function nestedScalar(column: ResultColumn): TextOf {
  const text = scalarText(column);
  return PLAIN_KINDS.has(column.type.kind) ? text : (row) => nestedText(text(row));
}

/** `{'a': …, 'b': …}`; a struct without field names is a tuple `(…, …)`. */
function structFrame(fields: readonly StructField[]): { open: string; labels: readonly string[]; close: string } {
  if (fields.length > 0 && fields.every((field) => field.name === '')) {
    return { open: '(', labels: fields.map((_, i) => (i === 0 ? '' : ', ')), close: ')' };
  }
  const labels = fields.map((field, i) => `${i === 0 ? '' : ', '}'${escapeQuoted(field.name)}': `);
  return { open: '{', labels, close: '}' };
}

/** The text of a variant inside another value is a part of it. As DuckDB has it, JSON is bare in lists only. */
function standsBare(type: DataType, inList: boolean): boolean {
  if (type.kind !== 'string') return false;
  return type.tag === 'variant' || (type.tag === 'json' && inList);
}

const TEXT_NOTATION: Notation = {
  nullText: 'NULL',
  separator: ', ',
  mapArrow: '=',
  structFrame,
  scalar: nestedScalar,
  standsBare,
  mapKey(column) {
    const reader = valueReader(column, TEXT_NOTATION);
    return (row) => reader.text(row);
  },
  // A string too long to look through first is quoted: that always reads back.
  stringFrame: { open: "'", escape: escapeQuoted, close: "'" },
};

/** Reader of DuckDB's text of a column; NULL is the caller's matter. */
export function textReader(column: ResultColumn): ValueReader {
  switch (column.type.kind) {
    case 'list':
    case 'struct':
    case 'map':
      return valueReader(column, TEXT_NOTATION);
    case 'string':
      return stringReader(column, scalarText(column), { open: '', escape: (piece) => piece, close: '' });
    default: {
      const text = scalarText(column);
      return { ...valueReader(column, TEXT_NOTATION), text, pieces: (row) => [text(row)] };
    }
  }
}

const readers = new WeakMap<ResultColumn, ValueReader>();

/** DuckDB's VARCHAR text of one value; null for NULL. */
export function renderValue(column: ResultColumn, row: number): string | null {
  if (isNull(column, row)) return null;
  let reader = readers.get(column);
  if (reader === undefined) {
    reader = textReader(column);
    readers.set(column, reader);
  }
  return reader.text(row);
}
