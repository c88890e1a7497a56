/**
 * VARIANT groups as readers give them that know no more than their parts: the values with the kinds they are stored as.
 * Sources: Apache Parquet format, VariantEncoding.md and VariantShredding.md.
 */
import { type DataType, type Field, Type } from 'apache-arrow';
import type { Plain } from './foreign_values.ts';

/** What is neither an object nor an array; `kind`: its name in the specification. */
export interface VariantLeaf {
  readonly kind: string;
  readonly value: bigint | number | boolean | string | Uint8Array;
  /** of a decimal, whose value is the unscaled number */
  readonly scale?: number;
}

export type ShowLeaf = (leaf: VariantLeaf) => Plain;

/** All that is stored of a leaf. */
export const exactLeaf: ShowLeaf = ({ kind, value, scale }) =>
  `${kind} ${scale === undefined ? '' : `scale ${scale} `}${value instanceof Uint8Array ? hex(value) : String(value)}`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type Group = { readonly [name: string]: unknown } | null;

const childNamed = (type: DataType, name: string): Field | undefined =>
  (type.children as Field[] | null)?.find((child) => child.name === name);

/** Whether the field is the group of a VARIANT. */
export function isVariantGroup({ type }: Field): boolean {
  const isBytes = (name: string) => childNamed(type, name)?.type.typeId === Type.Binary;
  return type.typeId === Type.Struct && isBytes('metadata') && isBytes('value');
}

/** Variant null and no value are null. */
export function plainVariant(group: Group, field: Field, show: ShowLeaf): Plain {
  if (group === null) return null;
  return new Decoder(readNames(group.metadata as Uint8Array), show).shredded(group, field.type) ?? null;
}

/** Little-endian number without sign. */
const unsigned = (bytes: Uint8Array, at: number, width: number): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, width).readUIntLE(0, width);

const viewOf = (bytes: Uint8Array, at: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);

function readNames(metadata: Uint8Array): string[] {
  const width = ((metadata[0] as number) >> 6) + 1;
  const count = unsigned(metadata, 1, width);
  const start = 1 + width + (count + 1) * width;
  const offset = (i: number) => start + unsigned(metadata, 1 + width + i * width, width);
  return Array.from({ length: count }, (_, i) => textOf(metadata.subarray(offset(i), offset(i + 1))));
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const INTEGERS = { 3: ['int8', 1], 4: ['int16', 2], 5: ['int32', 4] } as const;
const LONGS: { readonly [type: number]: string } = {
  6: 'int64',
  12: 'timestamp utc',
  13: 'timestamp',
  17: 'time',
  18: 'timestamp_ns utc',
  19: 'timestamp_ns',
};
const DECIMALS = { 8: ['decimal4', 4], 9: ['decimal8', 8], 10: ['decimal16', 16] } as const;

class Decoder {
  private readonly names: readonly string[];
  private readonly show: ShowLeaf;

  constructor(names: readonly string[], show: ShowLeaf) {
    this.names = names;
    this.show = show;
  }

  /** Undefined: there is no value, so that an object has no such field. */
  shredded(group: Group, type: DataType): Plain | undefined {
    const value = group?.value as Uint8Array | null | undefined;
    const typed = group?.typed_value ?? null;
    const left = value === null || value === undefined ? undefined : this.value(value);
    const typedField = childNamed(type, 'typed_value');
    if (typed === null || typedField === undefined) return left;
    if (typedField.type.typeId === Type.Struct) {
      const fields = (typedField.type.children as Field[]).map(
        (child) =>
          [child.name, this.shredded((typed as Record<string, Group>)[child.name] ?? null, child.type)] as const,
      );
      const present = fields.filter((field): field is readonly [string, Plain] => field[1] !== undefined);
      return byName([...present, ...Object.entries((left ?? {}) as Record<string, Plain>)]);
    }
    if (typedField.type.typeId !== Type.List) return this.show(typedLeaf(typed, typedField.type));
    const element = typedField.type.children[0] as Field;
    return [...(typed as Iterable<Group>)].map((item) => this.shredded(item, element.type) ?? null);
  }

  private value(bytes: Uint8Array): Plain {
    const first = bytes[0] as number;
    const header = first >> 2;
    switch (first & 3) {
      case 0:
        return header === 0 ? null : this.show(primitive(header, bytes));
      case 1:
        return this.show({ kind: 'text', value: textOf(bytes.subarray(1, 1 + header)) });
      default:
        return this.nested(bytes, header, (first & 3) === 2);
    }
  }

  private nested(bytes: Uint8Array, header: number, isObject: boolean): Plain {
    const width = (header & 3) + 1;
    const idWidth = isObject ? ((header >> 2) & 3) + 1 : 0;
    const countWidth = (header >> (isObject ? 4 : 2)) & 1 ? 4 : 1;
    const count = unsigned(bytes, 1, countWidth);
    const ids = 1 + countWidth;
    const offsets = ids + count * idWidth;
    const values = offsets + (count + 1) * width;
    const items = Array.from({ length: count }, (_, i) =>
      this.value(bytes.subarray(values + unsigned(bytes, offsets + i * width, width))),
    );
    if (!isObject) return items;
    return byName(items.map((item, i) => [this.names[unsigned(bytes, ids + i * idWidth, idWidth)] as string, item]));
  }
}

const byName = (fields: (readonly [string, Plain])[]): Plain =>
  Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));

function primitive(type: number, bytes: Uint8Array): VariantLeaf {
  const view = viewOf(bytes, 1);
  if (type === 1 || type === 2) return { kind: 'boolean', value: type === 1 };
  if (type in INTEGERS) {
    const [kind, width] = INTEGERS[type as keyof typeof INTEGERS];
    return { kind, value: Buffer.from(bytes.subarray(1, 1 + width)).readIntLE(0, width) };
  }
  if (type in DECIMALS) {
    const [kind, width] = DECIMALS[type as keyof typeof DECIMALS];
    return { kind, scale: view.getUint8(0), value: signedNumber(bytes.subarray(2, 2 + width)) };
  }
  const long = LONGS[type];
  if (long !== undefined) return { kind: long, value: view.getBigInt64(0, true) };
  switch (type) {
    case 7:
      return { kind: 'double', value: view.getFloat64(0, true) };
    case 11:
      return { kind: 'date', value: view.getInt32(0, true) };
    case 14:
      return { kind: 'float', value: view.getFloat32(0, true) };
    case 15:
      return { kind: 'binary', value: bytes.subarray(5, 5 + view.getUint32(0, true)) };
    case 16:
      return { kind: 'text', value: textOf(bytes.subarray(5, 5 + view.getUint32(0, true))) };
    case 20:
      return { kind: 'uuid', value: bytes.subarray(1, 17) };
    default:
      throw new Error(`VARIANT of unknown type ${type}`);
  }
}

/** Of little-endian bytes. */
function signedNumber(bytes: Uint8Array): bigint {
  let whole = 0n;
  for (const byte of bytes.toReversed()) whole = (whole << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, whole);
}

/** A value of a typed_value column, whose moments are raw numbers. */
function typedLeaf(value: unknown, type: DataType): VariantLeaf {
  const bytes = value as Uint8Array;
  switch (type.typeId) {
    case Type.Bool:
      return { kind: 'boolean', value: value as boolean };
    case Type.Int: {
      const { bitWidth } = type as DataType & { bitWidth: number };
      return { kind: `int${bitWidth}`, value: value as number | bigint };
    }
    case Type.Float:
      return {
        kind: (type as DataType & { precision: number }).precision === 2 ? 'double' : 'float',
        value: value as number,
      };
    case Type.Decimal: {
      const { precision, scale } = type as DataType & { precision: number; scale: number };
      const words = value as Uint32Array;
      const width = precision <= 9 ? 4 : precision <= 18 ? 8 : 16;
      const whole = signedNumber(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
      return { kind: `decimal${width}`, scale, value: whole };
    }
    case Type.Date:
      return { kind: 'date', value: value as number };
    case Type.Time:
      return { kind: 'time', value: value as bigint };
    case Type.Timestamp: {
      const { unit, timezone } = type as DataType & { unit: number; timezone: string | null };
      return { kind: `timestamp${unit === 3 ? '_ns' : ''}${timezone ? ' utc' : ''}`, value: value as bigint };
    }
    case Type.Utf8:
      return { kind: 'text', value: value as string };
    case Type.Binary:
      return { kind: 'binary', value: bytes };
    case Type.FixedSizeBinary:
      return { kind: 'uuid', value: bytes };
    default:
      throw new Error(`VARIANT shredded as ${type}`);
  }
}
