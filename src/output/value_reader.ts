/**
 * Walks the values of a result column for any notation (DuckDB's text, JSON): how scalars, lists, structs and maps
 * are put together is told by a Notation; how deep and how large they are is handled here.
 */
import type { ResultColumn } from '../common/batch.ts';
import type { DataType, StructField } from '../common/data_type.ts';
import { bytesOf, childOf, isNull, offsetAt } from './column_access.ts';

/** Text of the values of one column of one batch. */
export interface ValueReader {
  /** The text of a value that is not NULL. */
  text(row: number): string;
  /** Cost of the rows `[start, end)` in leaf values; a string counts one for each 64 bytes. */
  weight(start: number, end: number): number;
  /** The same text in pieces of bounded size, for a value above LARGE_VALUE. */
  pieces(row: number): Iterable<string>;
}

/** How one notation writes values inside lists, structs and maps. */
export interface Notation {
  readonly nullText: string;
  /** between list elements, struct fields and map entries */
  readonly separator: string;
  readonly mapArrow: string;
  /** what stands before the value of each struct field, and the brackets */
  structFrame(fields: readonly StructField[]): { open: string; labels: readonly string[]; close: string };
  /** text of a scalar element (not a list, struct or map) */
  scalar(column: ResultColumn): (row: number) => string;
  /** whether text of this type stands as it is inside other values, without quotes */
  standsBare(type: DataType, inList: boolean): boolean;
  /** text of a map key */
  mapKey(column: ResultColumn): (row: number) => string;
  /** quotes a string that is written in pieces */
  stringFrame: { open: string; escape(piece: string): string; close: string };
}

/** Weight above which a value is written in pieces: a long list must neither block the event loop nor overflow a string. */
export const LARGE_VALUE = 20_000;

/** Length in code units at which a piece is handed on. */
const PIECE_LENGTH = 16_384;
/** Bytes of a long string decoded at a time. */
const STRING_SLICE = 65_536;
const BYTES_PER_WEIGHT = 64;

const PLAIN_FRAME: Notation['stringFrame'] = { open: '', escape: (piece) => piece, close: '' };

/** Text of a string column as it is. */
function plainText(column: ResultColumn): (row: number) => string {
  const bytes = bytesOf(column);
  return (row) => bytes.toString('utf8', offsetAt(column, row), offsetAt(column, row + 1));
}

/** Reader of any column in `notation`; `inList`: its values are elements of lists. */
export function valueReader(column: ResultColumn, notation: Notation, inList = false): ValueReader {
  switch (column.type.kind) {
    case 'list':
      return listReader(column, notation);
    case 'map':
      return mapReader(column, notation);
    case 'struct':
      return structReader(column, column.type.fields, notation);
    case 'string':
      if (notation.standsBare(column.type, inList)) return stringReader(column, plainText(column), PLAIN_FRAME);
      return stringReader(column, notation.scalar(column), notation.stringFrame);
    default:
      return scalarReader(column, notation.scalar(column));
  }
}

/** Reader of a column whose values are written whole. */
export function scalarReader(column: ResultColumn, text: (row: number) => string): ValueReader {
  const wide = column.type.kind === 'binary';
  return {
    text,
    weight: (start, end) => (wide ? byteWeight(column, start, end) : 0) + (end - start),
    *pieces(row) {
      yield text(row);
    },
  };
}

function byteWeight(column: ResultColumn, start: number, end: number): number {
  return Math.ceil((offsetAt(column, end) - offsetAt(column, start)) / BYTES_PER_WEIGHT);
}

/** Reader of a string column; pieces are cut between code points. */
export function stringReader(
  column: ResultColumn,
  text: (row: number) => string,
  frame: Notation['stringFrame'],
): ValueReader {
  return {
    text,
    weight: (start, end) => byteWeight(column, start, end) + (end - start),
    *pieces(row) {
      const bytes = bytesOf(column);
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const end = offsetAt(column, row + 1);
      yield frame.open;
      for (let at = offsetAt(column, row); at < end; at += STRING_SLICE) {
        const stop = Math.min(end, at + STRING_SLICE);
        yield frame.escape(decoder.decode(bytes.subarray(at, stop), { stream: stop < end }));
      }
      yield frame.close;
    },
  };
}

/** Items written one after another with a prefix each: the common shape of lists, structs and maps. */
interface Sequence {
  count(row: number): number;
  /** what precedes item `index` */
  prefix(row: number, index: number): string;
  /** column and row of item `index` */
  item(row: number, index: number): { reader: ValueReader; column: ResultColumn; at: number };
}

function* sequencePieces(
  sequence: Sequence,
  row: number,
  open: string,
  close: string,
  nullText: string,
): Iterable<string> {
  let text = open;
  const count = sequence.count(row);
  for (let i = 0; i < count; i++) {
    text += sequence.prefix(row, i);
    const { reader, column, at } = sequence.item(row, i);
    if (isNull(column, at)) {
      text += nullText;
    } else if (reader.weight(at, at + 1) > LARGE_VALUE) {
      yield text;
      text = '';
      yield* reader.pieces(at);
    } else {
      text += reader.text(at);
    }
    if (text.length > PIECE_LENGTH) {
      yield text;
      text = '';
    }
  }
  yield text + close;
}

function listReader(column: ResultColumn, notation: Notation): ValueReader {
  const child = childOf(column, 0);
  const element = valueReader(child, notation, true);
  const { separator, nullText } = notation;
  const mayBeNull = child.nullCount > 0 || child.type.kind === 'null';
  const sequence: Sequence = {
    count: (row) => offsetAt(column, row + 1) - offsetAt(column, row),
    prefix: (_, index) => (index === 0 ? '' : separator),
    item: (row, index) => ({ reader: element, column: child, at: offsetAt(column, row) + index }),
  };
  return {
    text(row) {
      const start = offsetAt(column, row);
      const end = offsetAt(column, row + 1);
      let text = '[';
      for (let i = start; i < end; i++) {
        if (i > start) text += separator;
        text += mayBeNull && isNull(child, i) ? nullText : element.text(i);
      }
      return `${text}]`;
    },
    weight: (start, end) => element.weight(offsetAt(column, start), offsetAt(column, end)) + (end - start),
    pieces: (row) => sequencePieces(sequence, row, '[', ']', nullText),
  };
}

function structReader(column: ResultColumn, fields: readonly StructField[], notation: Notation): ValueReader {
  const children = fields.map((_, i) => childOf(column, i));
  const readers = children.map((child) => valueReader(child, notation));
  const { nullText } = notation;
  const { open, labels, close } = notation.structFrame(fields);
  const sequence: Sequence = {
    count: () => fields.length,
    prefix: (_, index) => labels[index] as string,
    item: (row, index) => ({ reader: readers[index] as ValueReader, column: children[index] as ResultColumn, at: row }),
  };
  return {
    text(row) {
      let text = open;
      for (let i = 0; i < readers.length; i++) {
        text += labels[i];
        text += isNull(children[i] as ResultColumn, row) ? nullText : (readers[i] as ValueReader).text(row);
      }
      return text + close;
    },
    weight: (start, end) => readers.reduce((sum, reader) => sum + reader.weight(start, end), end - start),
    pieces: (row) => sequencePieces(sequence, row, open, close, nullText),
  };
}

function mapReader(column: ResultColumn, notation: Notation): ValueReader {
  const entries = childOf(column, 0);
  const keys = childOf(entries, 0);
  const values = childOf(entries, 1);
  const keyText = notation.mapKey(keys);
  const keyReader = valueReader(keys, notation);
  const value = valueReader(values, notation);
  const { separator, mapArrow, nullText } = notation;
  const entryText = (at: number): string => (isNull(keys, at) ? nullText : keyText(at)) + mapArrow;
  const sequence: Sequence = {
    count: (row) => offsetAt(column, row + 1) - offsetAt(column, row),
    prefix: (row, index) => (index === 0 ? '' : separator) + entryText(offsetAt(column, row) + index),
    item: (row, index) => ({ reader: value, column: values, at: offsetAt(column, row) + index }),
  };
  return {
    text(row) {
      const start = offsetAt(column, row);
      const end = offsetAt(column, row + 1);
      let text = '{';
      for (let i = start; i < end; i++) {
        if (i > start) text += separator;
        text += entryText(i) + (isNull(values, i) ? nullText : value.text(i));
      }
      return `${text}}`;
    },
    weight(start, end) {
      const first = offsetAt(column, start);
      const last = offsetAt(column, end);
      return keyReader.weight(first, last) + value.weight(first, last) + (end - start);
    },
    pieces: (row) => sequencePieces(sequence, row, '{', '}', nullText),
  };
}
