/** Values of other readers in one form, so that they can be compared. */
import { type DataType, type Field, type Table, Type } from 'apache-arrow';

export type Plain = null | string | readonly Plain[] | { readonly [name: string]: Plain };

type Words = { readonly [index: number]: number; readonly length: number };

/** Rows of an Arrow table by the position of the column. */
export function plainColumns(table: Table): (readonly Plain[])[] {
  return table.schema.fields.map((field, at) => {
    const vector = table.getChildAt(at);
    return Array.from({ length: table.numRows }, (_, row) => plainValue(vector?.get(row), field));
  });
}

/** A value of apache-arrow or hyparquet, whose type in Arrow is that of `field`. */
export function plainValue(value: unknown, field: Field): Plain {
  if (value === null || value === undefined) return null;
  const type = field.type as DataType;
  switch (type.typeId) {
    case Type.Timestamp:
    case Type.Date:
      return String(Math.floor(value instanceof Date ? value.getTime() : Number(value)));
    case Type.Decimal:
      return decimalText(value, (type as unknown as { scale: number }).scale);
    case Type.Binary:
    case Type.FixedSizeBinary:
      return bytesText(value);
    case Type.List:
      return [...(value as Iterable<unknown>)].map((item) => plainValue(item, childOf(type, 0)));
    case Type.Map:
      return plainMap(value, childOf(type, 0));
    case Type.Struct: {
      const row = value as { [name: string]: unknown };
      return Object.fromEntries(
        type.children.map((child) => [child.name, plainValue(row[child.name], child as Field)] as const),
      );
    }
    default:
      return scalarText(value);
  }
}

const childOf = (type: DataType, at: number): Field => type.children[at] as Field;

/** Entries as pairs; hyparquet gives an object. */
function plainMap(value: unknown, entries: Field): Plain {
  const [key, item] = entries.type.children as [Field, Field];
  const isIterable = Symbol.iterator in (value as object);
  const pairs = isIterable ? [...(value as Iterable<[unknown, unknown]>)] : Object.entries(value as object);
  const texts = pairs.map(([name, of]): [Plain, Plain] => [plainValue(name, key), plainValue(of, item)]);
  return texts.sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function scalarText(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  return String(value);
}

/** Arrow gives the 128-bit number as words, hyparquet a number: the first digits of both. */
function decimalText(value: unknown, scale: number): string {
  if (typeof value === 'number') return digits(value);
  const words = value as Words;
  let whole = 0n;
  for (let i = words.length - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[i] as number);
  const sign = BigInt.asIntN(words.length * 32, whole);
  return digits(Number(sign) / 10 ** scale);
}

/** Digits that every reader's arithmetic keeps. */
const digits = (value: number): string => (value === 0 ? '0' : value.toPrecision(12));

/** Hexadecimal digits of bytes, of the text of a UUID, and of nothing else. */
function bytesText(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('-', '');
  return Buffer.from(value as Uint8Array).toString('hex');
}
