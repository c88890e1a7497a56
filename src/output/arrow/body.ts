/** The body of an Arrow record batch: the buffers of a result batch as they are, but for the few that Arrow has otherwise. */
import type { ResultBatch, ResultColumn } from '../../common/batch.ts';
import { QuernError, unsupported } from '../../common/error.ts';
import { type ArrowField, hasOffsets, hasValues } from './layout.ts';
import type { BatchPlaces } from './metadata.ts';

/** Buffers begin at multiples of this, as the format recommends. */
const ALIGNMENT = 64;

const INT32_MAX = 2 ** 31 - 1;
const NONE = new Uint8Array();
const ZEROS = new Uint8Array(ALIGNMENT);

/** `length` up to the next multiple of ALIGNMENT. */
export const aligned = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Zeros that fill up to the next multiple of ALIGNMENT. */
export function padding(length: number): Uint8Array {
  return ZEROS.subarray(0, (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);
}

export interface Body extends BatchPlaces {
  /** the bytes of the body, padding included, in order */
  readonly parts: readonly Uint8Array[];
}

/** Body of a batch in the layout `fields`. */
export function batchBody(fields: readonly ArrowField[], batch: ResultBatch): Body {
  const nodes: [number, number][] = [];
  const buffers: [number, number][] = [];
  const parts: Uint8Array[] = [];
  let end = 0;

  function add(bytes: Uint8Array): void {
    const fill = padding(bytes.length);
    buffers.push([end, bytes.length]);
    if (bytes.length > 0) parts.push(bytes);
    if (fill.length > 0) parts.push(fill);
    end += bytes.length + fill.length;
  }

  function visit(field: ArrowField, column: ResultColumn): void {
    nodes.push([column.rows, column.nullCount]);
    if (field.type.kind === 'null') return;
    add(column.validity ?? NONE);
    if (hasOffsets(field.type)) add(offsetBytes(column.offsets as Int32Array | BigInt64Array, field));
    if (hasValues(field.type)) {
      add(valueBytes(column));
    }
    for (const [i, child] of field.children.entries()) visit(child, column.children?.[i] as ResultColumn);
  }

  for (const [i, field] of fields.entries()) visit(field, batch.columns[i] as ResultColumn);
  return { rows: batch.rows, nodes, buffers, bodyLength: end, parts };
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
}

/** Offsets in the width of the field. */
function offsetBytes(offsets: Int32Array | BigInt64Array, field: ArrowField): Uint8Array {
  const isWide = offsets instanceof BigInt64Array;
  if (isWide === field.wide) return bytesOf(offsets);
  if (!isWide) return bytesOf(BigInt64Array.from(offsets, BigInt));
  if ((offsets.at(-1) as bigint) > INT32_MAX) {
    if (field.type.kind === 'map') throw unsupported('Arrow maps of more than 2^31 - 1 entries in a batch');
    throw unsupported(
      'an Arrow value of more than 2^31 - 1 elements after smaller ones in a pipe',
      undefined,
      `-o FILE.arrow, or --set list.offset_limit=0 for 64-bit offsets of "${field.name}" from the first row`,
    );
  }
  return bytesOf(Int32Array.from(offsets, Number));
}

function valueBytes(column: ResultColumn): Uint8Array {
  const { values, type } = column;
  if (values === undefined) return NONE;
  return type.kind === 'interval' ? nanosecondIntervals(values as Int32Array) : bytesOf(values);
}

/** Months, days, microseconds to months, days, nanoseconds: 16 bytes a value in both. */
function nanosecondIntervals(words: Int32Array): Uint8Array {
  const result = words.slice();
  const from = new BigInt64Array(words.buffer, words.byteOffset, words.length / 2);
  const to = new BigInt64Array(result.buffer);
  for (let i = 1; i < from.length; i += 2) {
    const nanoseconds = (from[i] as bigint) * 1000n;
    if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) {
      const message = `Arrow holds intervals of at most 2^63 nanoseconds: ${from[i]} microseconds`;
      throw new QuernError({ source: 'user', code: 'runtime', message, hint: 'cast the column in the query' });
    }
    to[i] = nanoseconds;
  }
  return bytesOf(result);
}
