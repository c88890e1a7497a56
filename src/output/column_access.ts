/** Reading the raw buffers of a result column. */
import type { ResultColumn } from '../common/batch.ts';

/** Whether the value at `row` is NULL. */
export function isNull(column: ResultColumn, row: number): boolean {
  const validity = column.validity;
  if (column.type.kind === 'null') return true;
  return validity !== undefined && (((validity[row >> 3] as number) >> (row & 7)) & 1) === 0;
}

export type Halves = Int32Array;

/** The same bytes as 32-bit halves, low half first. */
export function halvesOf(words: BigInt64Array | BigUint64Array): Halves {
  return new Int32Array(words.buffer, words.byteOffset, words.length * 2);
}

/** Position `index` of a list's or string's offsets as a number (below 2^53). */
export function offsetAt(column: ResultColumn, index: number): number {
  return Number((column.offsets as Int32Array | BigInt64Array)[index]);
}

/** The values buffer of a string or binary column; an all-empty column may come without one. */
export function bytesOf(column: ResultColumn): Buffer {
  const values = column.values;
  if (values === undefined) return Buffer.alloc(0);
  return Buffer.from(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);
}

/** Child `index` of a list, map or struct column. */
export function childOf(column: ResultColumn, index: number): ResultColumn {
  const child = column.children?.[index];
  if (child === undefined) throw new RangeError(`result column without child ${index}`);
  return child;
}
