import * as arrow from 'apache-arrow';
import type { ResultBatch, ResultColumn, Schema } from '../common/batch.ts';
import { type DataType, typeName } from '../common/data_type.ts';
import { unsupported } from '../common/error.ts';

const UNITS = {
  s: arrow.TimeUnit.SECOND,
  ms: arrow.TimeUnit.MILLISECOND,
  us: arrow.TimeUnit.MICROSECOND,
  ns: arrow.TimeUnit.NANOSECOND,
} as const;

/** The Arrow type of a column; 64-bit offsets where `wide` says so. Throws `unsupported` for types that Arrow lacks. */
function arrowType(type: DataType, column: ResultColumn | undefined): arrow.DataType {
  const wide = column?.offsets instanceof BigInt64Array;
  switch (type.kind) {
    case 'null':
      return new arrow.Null();
    case 'bool':
      return new arrow.Bool();
    case 'int8':
      return new arrow.Int8();
    case 'int16':
      return new arrow.Int16();
    case 'int32':
      return new arrow.Int32();
    case 'int64':
      return new arrow.Int64();
    case 'uint8':
      return new arrow.Uint8();
    case 'uint16':
      return new arrow.Uint16();
    case 'uint32':
      return new arrow.Uint32();
    case 'uint64':
      return new arrow.Uint64();
    case 'float16':
      return new arrow.Float16();
    case 'float32':
      return new arrow.Float32();
    case 'float64':
      return new arrow.Float64();
    case 'decimal':
      return new arrow.Decimal(type.scale, type.precision, 128);
    case 'date':
      return new arrow.DateDay();
    case 'time':
      return new arrow.Time(UNITS[type.unit], 64);
    case 'timestamp':
      return new arrow.Timestamp(UNITS[type.unit], type.zone ? 'UTC' : null);
    case 'string':
      return wide ? new arrow.LargeUtf8() : new arrow.Utf8();
    case 'binary':
      return wide ? new arrow.LargeBinary() : new arrow.Binary();
    case 'uuid':
      return new arrow.FixedSizeBinary(16);
    case 'list': {
      const item: arrow.Field = new arrow.Field('item', arrowType(type.element, column?.children?.[0]), true);
      return wide ? new arrow.LargeList<arrow.DataType>(item) : new arrow.List<arrow.DataType>(item);
    }
    case 'struct':
      return new arrow.Struct(
        type.fields.map((field, i) => new arrow.Field(field.name, arrowType(field.type, column?.children?.[i]), true)),
      );
    case 'map': {
      const entries = column?.children?.[0];
      const key: arrow.Field = new arrow.Field('key', arrowType(type.key, entries?.children?.[0]), false);
      const value: arrow.Field = new arrow.Field('value', arrowType(type.value, entries?.children?.[1]), true);
      const pair: arrow.Struct<{ key: arrow.DataType; value: arrow.DataType }> = new arrow.Struct([key, value]);
      return new arrow.Map_(new arrow.Field('entries', pair, false));
    }
    case 'bfloat16':
    case 'interval':
      throw unsupported(`${typeName(type)} as Arrow`, undefined, 'cast the column in the query');
  }
}

/** The Arrow data of a column over the same buffers: nothing is copied. */
function arrowData(column: ResultColumn): arrow.Data {
  const type = arrowType(column.type, column);
  const children = (column.children ?? []).map(arrowData);
  return new arrow.Data(
    type,
    0,
    column.rows,
    column.nullCount,
    {
      [arrow.BufferType.VALIDITY]: column.validity,
      [arrow.BufferType.DATA]: valuesOf(column),
      [arrow.BufferType.OFFSET]: column.offsets,
    } as never,
    children,
  );
}

function valuesOf(column: ResultColumn): ArrayBufferView | undefined {
  const { values } = column;
  // Arrow keeps decimals as 32-bit words.
  if (column.type.kind === 'decimal' && values !== undefined) {
    return new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  }
  return values;
}

/** An Arrow IPC stream, schema and end included, of some batches of a result. Lists keep the offset width they have. */
export function arrowStream(schema: Schema, batches: readonly ResultBatch[]): Uint8Array {
  const first = batches[0];
  const fields = schema.map((field, i) => new arrow.Field(field.name, arrowType(field.type, first?.columns[i]), true));
  const arrowSchema = new arrow.Schema(fields);
  const recordBatches = batches.map((batch) => {
    const struct = new arrow.Struct(fields);
    const data = new arrow.Data(struct, 0, batch.rows, 0, {}, batch.columns.map(arrowData));
    return new arrow.RecordBatch(arrowSchema, data as arrow.Data<arrow.Struct>);
  });
  return arrow.tableToIPC(new arrow.Table(arrowSchema, recordBatches), 'stream');
}
