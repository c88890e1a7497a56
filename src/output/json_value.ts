/** JSON text of every value: nested values are JSON, numbers exact, NaN and infinities null. */
import type { ResultColumn } from '../common/batch.ts';
import { float32Text } from './float32_text.ts';
import { bfloat16Value, float16Value, float64Text } from './number_text.ts';
import { scalarText, textReader } from './render_value.ts';
import { type Notation, type ValueReader, valueReader } from './value_reader.ts';

/** 'string' writes BIGINT, UBIGINT and DECIMAL of more than 15 digits in quotes, for readers that keep doubles only. */
export type JsonBigint = 'number' | 'string';

type TextOf = (row: number) => string;

function floatReader(valueAt: (row: number) => number, text: (x: number) => string): TextOf {
  return (row) => {
    const x = valueAt(row);
    return Number.isFinite(x) ? text(x) : 'null';
  };
}

function quoted(text: TextOf): TextOf {
  return (row) => `"${text(row)}"`;
}

/** DECIMAL(p,p) is `.5` in SQL text; JSON wants a digit before the point. */
function withLeadingDigit(text: string): string {
  if (text.startsWith('.')) return `0${text}`;
  return text.startsWith('-.') ? `-0${text.slice(1)}` : text;
}

function jsonScalar(column: ResultColumn, bigint: JsonBigint): TextOf {
  const type = column.type;
  switch (type.kind) {
    case 'null':
      return () => 'null';
    case 'bool':
    case 'int8':
    case 'int16':
    case 'int32':
    case 'uint8':
    case 'uint16':
    case 'uint32':
      return scalarText(column);
    case 'int64':
    case 'uint64':
      return bigint === 'string' ? quoted(scalarText(column)) : scalarText(column);
    case 'decimal': {
      const text = scalarText(column);
      const number: TextOf = type.scale === type.precision ? (row) => withLeadingDigit(text(row)) : text;
      return bigint === 'string' && type.precision > 15 ? quoted(number) : number;
    }
    case 'float16': {
      const bits = column.values as Uint16Array;
      return floatReader((row) => float16Value(bits[row] as number), float32Text);
    }
    case 'bfloat16': {
      const bits = column.values as Uint16Array;
      return floatReader((row) => bfloat16Value(bits[row] as number), float32Text);
    }
    case 'float32': {
      const values = column.values as Float32Array;
      return floatReader((row) => values[row] as number, float32Text);
    }
    case 'float64': {
      const values = column.values as Float64Array;
      return floatReader((row) => values[row] as number, float64Text);
    }
    case 'date':
    case 'time':
    case 'timestamp':
    case 'interval':
    case 'uuid':
      return quoted(scalarText(column));
    default: {
      const text = scalarText(column);
      return (row) => JSON.stringify(text(row));
    }
  }
}

function jsonNotation(bigint: JsonBigint): Notation {
  const notation: Notation = {
    nullText: 'null',
    separator: ',',
    mapArrow: ':',
    structFrame(fields) {
      if (fields.length > 0 && fields.every((field) => field.name === '')) {
        return { open: '[', labels: fields.map((_, i) => (i === 0 ? '' : ',')), close: ']' };
      }
      const labels = fields.map((field, i) => `${i === 0 ? '' : ','}${JSON.stringify(field.name)}:`);
      return { open: '{', labels, close: '}' };
    },
    scalar: (column) => jsonScalar(column, bigint),
    standsBare: () => false,
    mapKey(column) {
      const text = textReader(column);
      return (row) => JSON.stringify(text.text(row));
    },
    stringFrame: { open: '"', escape: (piece) => JSON.stringify(piece).slice(1, -1), close: '"' },
  };
  return notation;
}

/** Reader of the JSON text of a column. */
export function jsonReader(column: ResultColumn, bigint: JsonBigint): ValueReader {
  return valueReader(column, jsonNotation(bigint));
}
