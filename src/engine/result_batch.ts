import type { ResultBatch, ResultColumn, Schema } from '../common/batch.ts';
import type { DataType } from '../common/data_type.ts';
import { exhaustive } from '../common/exhaustive.ts';
import type { NativeBlock } from './addon.ts';

/** Numbers a column in a block's layout. */
const NUMBERS = 7;

/** Views over the block's bytes; nothing is copied. */
export function toResultBatch(block: NativeBlock, schema: Schema): ResultBatch {
  const reader = new BlockReader(block);
  return { rows: block.rows, columns: schema.map((field) => reader.column(field.type)) };
}

class BlockReader {
  private readonly block: NativeBlock;
  private at = 0;

  constructor(block: NativeBlock) {
    this.block = block;
  }

  column(type: DataType): ResultColumn {
    const { layout, buffer } = this.block;
    const number = (index: number): number => layout[this.at + index] as number;
    const rows = number(0);
    const nullCount = number(1);
    const validityAt = number(2);
    const valuesAt = number(3);
    const valueBytes = number(4);
    const offsetsAt = number(5);
    const wide = number(6) === 1;
    this.at += NUMBERS;
    const validity = validityAt < 0 ? undefined : new Uint8Array(buffer, validityAt, Math.ceil(rows / 8));
    const values = valuesAt < 0 ? undefined : valuesOf(type, buffer, valuesAt, valueBytes);
    const offsets =
      offsetsAt < 0
        ? undefined
        : wide
          ? new BigInt64Array(buffer, offsetsAt, rows + 1)
          : new Int32Array(buffer, offsetsAt, rows + 1);
    return { type, rows, nullCount, validity, values, offsets, children: this.children(type) };
  }

  private children(type: DataType): readonly ResultColumn[] | undefined {
    switch (type.kind) {
      case 'list':
        return [this.column(type.element)];
      case 'struct':
        return type.fields.map((field) => this.column(field.type));
      case 'map':
        return [this.column(entryType(type.key, type.value))];
      default:
        return undefined;
    }
  }
}

function entryType(key: DataType, value: DataType): DataType {
  return {
    kind: 'struct',
    fields: [
      { name: 'key', type: key },
      { name: 'value', type: value },
    ],
  };
}

function valuesOf(type: DataType, buffer: ArrayBuffer, at: number, bytes: number): ArrayBufferView | undefined {
  switch (type.kind) {
    case 'bool':
    case 'string':
    case 'binary':
    case 'uuid':
      return new Uint8Array(buffer, at, bytes);
    case 'int8':
      return new Int8Array(buffer, at, bytes);
    case 'uint8':
      return new Uint8Array(buffer, at, bytes);
    case 'int16':
      return new Int16Array(buffer, at, bytes / 2);
    case 'uint16':
    case 'float16':
    case 'bfloat16':
      return new Uint16Array(buffer, at, bytes / 2);
    case 'int32':
    case 'date':
    case 'interval':
      return new Int32Array(buffer, at, bytes / 4);
    case 'uint32':
      return new Uint32Array(buffer, at, bytes / 4);
    case 'int64':
    case 'time':
    case 'timestamp':
    case 'decimal':
      return new BigInt64Array(buffer, at, bytes / 8);
    case 'uint64':
      return new BigUint64Array(buffer, at, bytes / 8);
    case 'float32':
      return new Float32Array(buffer, at, bytes / 4);
    case 'float64':
      return new Float64Array(buffer, at, bytes / 8);
    case 'null':
    case 'list':
    case 'struct':
    case 'map':
      return undefined;
    default:
      return exhaustive(type);
  }
}
