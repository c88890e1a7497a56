/**
 * Metadata of Arrow IPC messages as FlatBuffers. Numbers of fields and union members are those of Schema.fbs,
 * Message.fbs and File.fbs of the Arrow columnar format.
 */
import { Builder } from 'flatbuffers';
import type { DataType, TimeUnit } from '../../common/data_type.ts';
import { exhaustive } from '../../common/exhaustive.ts';
import type { ArrowField } from './layout.ts';

const VERSION_5 = 4;

const UNIT: Readonly<Record<TimeUnit, number>> = { s: 0, ms: 1, us: 2, ns: 3 };

/** Members of the Type union. */
const KIND = {
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  fixedBinary: 15,
  map: 17,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
} as const;

interface Type {
  readonly kind: number;
  /** the table of the type's parameters, built without nesting */
  readonly table: number;
}

/** A table whose fields `fill` adds. */
function table(builder: Builder, fields: number, fill: () => void): number {
  builder.startObject(fields);
  fill();
  return builder.endObject();
}

function typeOf(builder: Builder, field: ArrowField): Type {
  const { type, wide } = field;
  const plain = (kind: number): Type => ({ kind, table: table(builder, 0, () => undefined) });
  const int = (bits: number, signed: boolean): Type => ({
    kind: KIND.int,
    table: table(builder, 2, () => {
      builder.addFieldInt32(0, bits, 0);
      builder.addFieldInt8(1, Number(signed), 0);
    }),
  });
  /** `precision` 0 half, 1 single, 2 double; `unit` of an interval 2 = months, days, nanoseconds */
  const short = (kind: number, value: number): Type => ({
    kind,
    table: table(builder, 1, () => builder.addFieldInt16(0, value, -1)),
  });
  const fixedBinary = (bytes: number): Type => ({
    kind: KIND.fixedBinary,
    table: table(builder, 1, () => builder.addFieldInt32(0, bytes, 0)),
  });
  switch (type.kind) {
    case 'null':
      return plain(KIND.null);
    case 'bool':
      return plain(KIND.bool);
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
      return int(Number(type.kind.slice(3)), true);
    case 'uint8':
    case 'uint16':
    case 'uint32':
    case 'uint64':
      return int(Number(type.kind.slice(4)), false);
    case 'float16':
      return short(KIND.float, 0);
    case 'float32':
      return short(KIND.float, 1);
    case 'float64':
      return short(KIND.float, 2);
    case 'bfloat16':
      return fixedBinary(2);
    case 'uuid':
      return fixedBinary(16);
    case 'decimal':
      return {
        kind: KIND.decimal,
        table: table(builder, 3, () => {
          builder.addFieldInt32(0, type.precision, 0);
          builder.addFieldInt32(1, type.scale, 0);
          builder.addFieldInt32(2, 128, 128);
        }),
      };
    case 'date':
      return short(KIND.date, 0); // days
    case 'time':
      return {
        kind: KIND.time,
        table: table(builder, 2, () => {
          builder.addFieldInt16(0, UNIT[type.unit], 1);
          builder.addFieldInt32(1, 64, 32);
        }),
      };
    case 'timestamp': {
      const zone = type.zone ? builder.createString('UTC') : 0;
      return {
        kind: KIND.timestamp,
        table: table(builder, 2, () => {
          builder.addFieldInt16(0, UNIT[type.unit], 0);
          builder.addFieldOffset(1, zone, 0);
        }),
      };
    }
    case 'interval':
      return short(KIND.interval, 2);
    case 'string':
      return plain(wide ? KIND.largeUtf8 : KIND.utf8);
    case 'binary':
      return plain(wide ? KIND.largeBinary : KIND.binary);
    case 'list':
      return plain(wide ? KIND.largeList : KIND.list);
    case 'struct':
      return plain(KIND.struct);
    case 'map':
      return plain(KIND.map);
    default:
      return exhaustive(type);
  }
}

/** The extension type of what Arrow itself has no type for, with its metadata. */
function extensionOf(type: DataType): readonly [string, string] | undefined {
  switch (type.kind) {
    case 'uuid':
      return ['arrow.uuid', ''];
    case 'string':
      if (type.tag === 'json') return ['arrow.json', ''];
      return type.tag === 'variant' ? ['quern.variant', ''] : undefined;
    case 'binary':
      return type.tag === 'geometry' ? ['geoarrow.wkb', '{}'] : undefined;
    case 'bfloat16':
      return ['quern.bfloat16', ''];
    case 'time':
      return type.zone === true ? ['quern.timetz', ''] : undefined;
    default:
      return undefined;
  }
}

function offsets(builder: Builder, items: readonly number[]): number {
  builder.startVector(4, items.length, 4);
  for (const item of items.toReversed()) builder.addOffset(item);
  return builder.endVector();
}

function keyValue(builder: Builder, key: string, value: string): number {
  const keyText = builder.createString(key);
  const valueText = builder.createString(value);
  return table(builder, 2, () => {
    builder.addFieldOffset(0, keyText, 0);
    builder.addFieldOffset(1, valueText, 0);
  });
}

function fieldTable(builder: Builder, field: ArrowField): number {
  const children = offsets(
    builder,
    field.children.map((child) => fieldTable(builder, child)),
  );
  const name = builder.createString(field.name);
  const type = typeOf(builder, field);
  const extension = extensionOf(field.type);
  const metadata =
    extension === undefined
      ? 0
      : offsets(builder, [
          keyValue(builder, 'ARROW:extension:name', extension[0]),
          keyValue(builder, 'ARROW:extension:metadata', extension[1]),
        ]);
  return table(builder, 7, () => {
    builder.addFieldOffset(0, name, 0);
    builder.addFieldInt8(1, Number(field.nullable), 0);
    builder.addFieldInt8(2, type.kind, 0);
    builder.addFieldOffset(3, type.table, 0);
    builder.addFieldOffset(5, children, 0);
    builder.addFieldOffset(6, metadata, 0);
  });
}

function schemaTable(builder: Builder, fields: readonly ArrowField[]): number {
  const list = offsets(
    builder,
    fields.map((field) => fieldTable(builder, field)),
  );
  return table(builder, 4, () => builder.addFieldOffset(1, list, 0)); // little-endian by default
}

function message(builder: Builder, kind: number, header: number, bodyLength: number): Uint8Array {
  builder.finish(
    table(builder, 5, () => {
      builder.addFieldInt16(0, VERSION_5, 0);
      builder.addFieldInt8(1, kind, 0);
      builder.addFieldOffset(2, header, 0);
      builder.addFieldInt64(3, BigInt(bodyLength), 0n);
    }),
  );
  return builder.asUint8Array();
}

/** Structs of `words` given as int64 each, in order. */
function structs(builder: Builder, items: readonly (readonly number[])[], words: number): number {
  builder.startVector(words * 8, items.length, 8);
  for (const item of items.toReversed()) {
    builder.prep(8, words * 8);
    for (const word of item.toReversed()) builder.writeInt64(BigInt(word));
  }
  return builder.endVector();
}

/** The message that begins a stream. */
export function schemaMessage(fields: readonly ArrowField[]): Uint8Array {
  const builder = new Builder(1024);
  return message(builder, 1, schemaTable(builder, fields), 0);
}

/** Where the arrays of a batch lie in its body. */
export interface BatchPlaces {
  readonly rows: number;
  /** length and null count of each array, parents before children */
  readonly nodes: readonly (readonly [number, number])[];
  /** offset and length of each buffer, in bytes of the body */
  readonly buffers: readonly (readonly [number, number])[];
  readonly bodyLength: number;
}

export function batchMessage(places: BatchPlaces): Uint8Array {
  const builder = new Builder(1024);
  const nodes = structs(builder, places.nodes, 2);
  const buffers = structs(builder, places.buffers, 2);
  const header = table(builder, 5, () => {
    builder.addFieldInt64(0, BigInt(places.rows), 0n);
    builder.addFieldOffset(1, nodes, 0);
    builder.addFieldOffset(2, buffers, 0);
  });
  return message(builder, 3, header, places.bodyLength);
}

/** Place of a batch in a file: where its message begins, bytes before its body, bytes of its body. */
export interface BatchBlock {
  readonly offset: number;
  readonly metadataLength: number;
  readonly bodyLength: number;
}

/** What stands at the end of a file. */
export function footer(fields: readonly ArrowField[], batches: readonly BatchBlock[]): Uint8Array {
  const builder = new Builder(1024);
  const schema = schemaTable(builder, fields);
  const dictionaries = structs(builder, [], 3);
  // The second word is an int32 with four bytes of padding after it: little-endian, so an int64 of the same value.
  const blocks = structs(
    builder,
    batches.map((block) => [block.offset, block.metadataLength, block.bodyLength]),
    3,
  );
  builder.finish(
    table(builder, 5, () => {
      builder.addFieldInt16(0, VERSION_5, 0);
      builder.addFieldOffset(1, schema, 0);
      builder.addFieldOffset(2, dictionaries, 0);
      builder.addFieldOffset(3, blocks, 0);
    }),
  );
  return builder.asUint8Array();
}
