/** Builds result columns from JavaScript values, as the engine lays them out. */
import type { ResultBatch, ResultColumn, Schema } from '../../src/common/batch.ts';
import type { DataType } from '../../src/common/data_type.ts';
import type { ResultWriter } from '../../src/output/format.ts';
import type { ByteSink, TextSink } from '../../src/output/text_sink.ts';

const FIXED = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float16: Uint16Array,
  bfloat16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  date: Int32Array,
} as const;

export interface ColumnOptions {
  /** 64-bit offsets */
  readonly wide?: boolean;
}

function bitmap(flags: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  flags.forEach((flag, i) => {
    if (flag) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
  });
  return bits;
}

function offsetsOf(lengths: readonly number[], wide: boolean): Int32Array | BigInt64Array {
  let at = 0;
  const offsets = [0, ...lengths.map((length) => (at += length))];
  return wide ? BigInt64Array.from(offsets, BigInt) : Int32Array.from(offsets);
}

function words(values: readonly unknown[]): BigInt64Array {
  const out = new BigInt64Array(values.length * 2);
  values.forEach((value, i) => {
    const v = BigInt((value ?? 0) as bigint);
    out[2 * i] = BigInt.asIntN(64, v);
    out[2 * i + 1] = BigInt.asIntN(64, v >> 64n);
  });
  return out;
}

/**
 * Values: bool boolean, integers number or bigint, decimal unscaled bigint, date days, time and timestamp bigint,
 * interval {months, days, micros}, uuid hex text, string text, binary bytes, list array, struct object, map pairs.
 */
export function columnOf(type: DataType, values: readonly unknown[], options: ColumnOptions = {}): ResultColumn {
  const rows = values.length;
  const nulls = values.map((v) => v === null || v === undefined);
  const nullCount = nulls.filter((n) => n).length;
  const base = { type, rows, nullCount, validity: nullCount === 0 ? undefined : bitmap(nulls.map((n) => !n)) };
  const wide = options.wide === true;
  switch (type.kind) {
    case 'null':
      return { ...base, validity: undefined };
    case 'bool':
      return { ...base, values: bitmap(values.map((v) => v === true)) };
    case 'int64':
    case 'time':
    case 'timestamp':
      return { ...base, values: BigInt64Array.from(values, (v) => BigInt((v ?? 0) as bigint)) };
    case 'uint64':
      return { ...base, values: BigUint64Array.from(values, (v) => BigInt((v ?? 0) as bigint)) };
    case 'decimal':
      return { ...base, values: words(values) };
    case 'interval': {
      const out = new Int32Array(rows * 4);
      (values as ({ months: number; days: number; micros: bigint } | null)[]).forEach((v, i) => {
        const micros = v?.micros ?? 0n;
        const low = Number(BigInt.asIntN(32, micros));
        out.set([v?.months ?? 0, v?.days ?? 0, low, Number(BigInt.asIntN(32, micros >> 32n))], 4 * i);
      });
      return { ...base, values: out };
    }
    case 'uuid': {
      const texts = values.map((v) => ((v ?? '') as string).replaceAll('-', '').padStart(32, '0'));
      return { ...base, values: Uint8Array.from(Buffer.from(texts.join(''), 'hex')) };
    }
    case 'string':
    case 'binary': {
      const cells = values.map((v) => (typeof v === 'string' ? Buffer.from(v) : Buffer.from((v ?? []) as Uint8Array)));
      return {
        ...base,
        offsets: offsetsOf(
          cells.map((c) => c.length),
          wide,
        ),
        values: Uint8Array.from(Buffer.concat(cells)),
      };
    }
    case 'list': {
      const lists = values.map((v) => (v ?? []) as readonly unknown[]);
      const child = columnOf(type.element, lists.flat(1), options);
      return {
        ...base,
        offsets: offsetsOf(
          lists.map((l) => l.length),
          wide,
        ),
        children: [child],
      };
    }
    case 'map': {
      const maps = values.map((v) => (v ?? []) as readonly (readonly [unknown, unknown])[]);
      const pairs = maps.flat(1);
      const entries: ResultColumn = {
        type: {
          kind: 'struct',
          fields: [
            { name: 'key', type: type.key },
            { name: 'value', type: type.value },
          ],
        },
        rows: pairs.length,
        nullCount: 0,
        children: [
          columnOf(
            type.key,
            pairs.map((p) => p[0]),
            options,
          ),
          columnOf(
            type.value,
            pairs.map((p) => p[1]),
            options,
          ),
        ],
      };
      return {
        ...base,
        offsets: offsetsOf(
          maps.map((m) => m.length),
          wide,
        ),
        children: [entries],
      };
    }
    case 'struct': {
      const structs = values.map((v) => (v ?? []) as readonly unknown[]);
      return {
        ...base,
        children: type.fields.map((f, i) =>
          columnOf(
            f.type,
            structs.map((s) => s[i] ?? null),
            options,
          ),
        ),
      };
    }
    default:
      return { ...base, values: FIXED[type.kind].from(values.map((v) => (v ?? 0) as number)) };
  }
}

/** A batch of columns given as lists of values. */
export function batchOf(
  schema: Schema,
  columns: readonly (readonly unknown[])[],
  options?: ColumnOptions,
): ResultBatch {
  return {
    rows: columns[0]?.length ?? 0,
    columns: schema.map((field, i) => columnOf(field.type, columns[i] ?? [], options)),
  };
}

/** For formats of text. */
export function noBytes(): never {
  throw new Error('bytes of a format of text');
}

/** Everything a writer writes for one result. */
export async function written(
  create: (sink: TextSink & ByteSink) => ResultWriter,
  schema: Schema,
  batches: readonly ResultBatch[],
): Promise<string> {
  let text = '';
  const writer = create({
    write: (chunk) => {
      text += chunk;
    },
    writeBytes: noBytes,
  });
  await writer.begin(schema);
  for (const batch of batches) await writer.batch(batch);
  await writer.end();
  return text;
}
