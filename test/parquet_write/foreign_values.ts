/** Values of other readers in one form, so that they can be compared. */
import { type Data, type DataType, type Field, Int32, Int64, type Table, Type, Vector } from 'apache-arrow';
import { exactLeaf, isVariantGroup, plainVariant, type ShowLeaf, type VariantLeaf } from './foreign_variant.ts';

export type Plain = null | string | readonly Plain[] | { readonly [name: string]: Plain };

type Words = { readonly [index: number]: number; readonly length: number };

/** Rows of an Arrow table by the position of the column; `show`: the form of a VARIANT's leaves. */
export function plainColumns(table: Table, show: ShowLeaf = exactLeaf): (readonly Plain[])[] {
  return table.schema.fields.map((field, at) => {
    const vector = new Vector((table.getChildAt(at)?.data ?? []).map(rawMoments));
    return Array.from({ length: table.numRows }, (_, row) => plainValue(vector.get(row), field, show));
  });
}

/** Moments as the numbers that are stored: apache-arrow would give milliseconds. */
function rawMoments(data: Data): Data {
  const { typeId } = data.type as DataType;
  const isMoment = typeId === Type.Timestamp || typeId === Type.Date;
  const buffers = [data.valueOffsets, data.values, data.nullBitmap, data.typeIds] as never;
  const type = isMoment && data.values instanceof BigInt64Array ? new Int64() : isMoment ? new Int32() : data.type;
  return data.clone(type, data.offset, data.length, data.nullCount, buffers, data.children.map(rawMoments));
}

/** Nanoseconds in a unit of Arrow: seconds, milliseconds, … */
const NANOSECONDS = [1_000_000_000n, 1_000_000n, 1000n, 1n] as const;

/** Parsers for hyparquet that lose nothing: moments as `{ nanoseconds }`, text and bytes of every kind as they are stored. */
export const PARSERS = {
  timestampFromMilliseconds: (value: bigint): Moment => ({ nanoseconds: BigInt(value) * 1_000_000n }),
  timestampFromMicroseconds: (value: bigint): Moment => ({ nanoseconds: value * 1000n }),
  timestampFromNanoseconds: (value: bigint): Moment => ({ nanoseconds: value }),
  dateFromDays: (days: number): number => days,
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('utf8'),
  geometryFromBytes: (bytes: Uint8Array | undefined) => bytes,
  geographyFromBytes: (bytes: Uint8Array | undefined) => bytes,
};

interface Moment {
  readonly nanoseconds: bigint;
}

/** Whether quern names the type of a field VARIANT, whose value it then gives as text. */
export const isVariant = ({ metadata }: Field): boolean => metadata.get('ARROW:extension:name') === 'quern.variant';

/** A value of apache-arrow (moments raw) or hyparquet (with PARSERS), whose type in Arrow is that of `field`. */
export function plainValue(value: unknown, field: Field, show: ShowLeaf = exactLeaf): Plain {
  if (value === null || value === undefined) return null;
  if (isVariantGroup(field)) return plainVariant(value as { [name: string]: unknown }, field, show);
  if (isVariant(field)) return looseVariant(value);
  const type = field.type as DataType;
  switch (type.typeId) {
    case Type.Timestamp: {
      if (typeof value === 'object') return String((value as Moment).nanoseconds);
      return String((value as bigint) * (NANOSECONDS[(type as DataType & { unit: number }).unit] as bigint));
    }
    case Type.Decimal:
      return decimalText(value, (type as unknown as { scale: number }).scale);
    case Type.Binary:
    case Type.FixedSizeBinary:
      return bytesText(value);
    case Type.List:
      return [...(value as Iterable<unknown>)].map((item) => plainValue(item, childOf(type, 0), show));
    case Type.Map:
      return plainMap(value, childOf(type, 0), show);
    case Type.Struct: {
      const row = value as { [name: string]: unknown };
      return Object.fromEntries(
        type.children.map((child) => [child.name, plainValue(row[child.name], child as Field, show)] as const),
      );
    }
    default:
      return scalarText(value);
  }
}

const childOf = (type: DataType, at: number): Field => type.children[at] as Field;

/** Entries as pairs; hyparquet gives an object. */
function plainMap(value: unknown, entries: Field, show: ShowLeaf): Plain {
  const [key, item] = entries.type.children as [Field, Field];
  const isIterable = Symbol.iterator in (value as object);
  const pairs = isIterable ? [...(value as Iterable<[unknown, unknown]>)] : Object.entries(value as object);
  const texts = pairs.map(([name, of]): [Plain, Plain] => [plainValue(name, key, show), plainValue(of, item, show)]);
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

/** A leaf as hyparquet gives it, which does not tell numbers of different kinds apart. */
export const looseLeaf: ShowLeaf = ({ kind, value, scale }: VariantLeaf): Plain => {
  if (kind.startsWith('timestamp')) return String((value as bigint) * (kind.includes('_ns') ? 1n : 1000n));
  if (scale !== undefined) return digits(Number(value) / 10 ** scale);
  if (kind === 'uuid') return JSON.stringify(uuidText(value as Uint8Array));
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint') return digits(Number(value));
  return value instanceof Uint8Array ? bytesText(value) : String(value);
};

const uuidText = (bytes: Uint8Array): string => bytesText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** What hyparquet makes of a VARIANT, its leaves as looseLeaf has them. */
export function looseVariant(value: unknown): Plain {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'bigint') return digits(Number(value));
  if (typeof value !== 'object' || value instanceof Uint8Array) return looseLeaf({ kind: '', value: value as boolean });
  if ('nanoseconds' in value) return String(value.nanoseconds);
  if (Array.isArray(value)) return value.map(looseVariant);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, item]) => [name, looseVariant(item)] as const));
}
