/** NumPy's .npy files: one vector of numbers. Format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
import { float16Value } from '../output/number_text.ts';
import type { ParamValue } from '../session/types.ts';
import { usageError } from './usage_error.ts';

const MAGIC = Buffer.from('\x93NUMPY', 'latin1');

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  readonly dataStart: number;
}

function parseHeader(bytes: Buffer, path: string): Header {
  const wide = (bytes[6] ?? 0) >= 2;
  const lengthSize = wide ? 4 : 2;
  if (bytes.length < 8 + lengthSize || !bytes.subarray(0, 6).equals(MAGIC)) throw bad(path, 'not a .npy file');
  const length = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const dataStart = 8 + lengthSize + length;
  if (dataStart > bytes.length) throw bad(path, 'header is cut off');
  const text = bytes.toString('latin1', 8 + lengthSize, dataStart);
  const descr = /'descr':\s*'([^']+)'/.exec(text)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(text)?.[1];
  if (descr === undefined || shape === undefined) throw bad(path, 'no simple type in its header');
  const sizes = shape
    .split(',')
    .filter((size) => size.trim() !== '')
    .map(Number);
  return { descr, fortran: /'fortran_order':\s*True/.test(text), shape: sizes, dataStart };
}

/** Element readers by NumPy type code, little-endian. */
const READERS: Readonly<
  Record<string, { size: number; at: (view: DataView, offset: number) => number | bigint | boolean }>
> = {
  '<f4': { size: 4, at: (view, offset) => view.getFloat32(offset, true) },
  '<f8': { size: 8, at: (view, offset) => view.getFloat64(offset, true) },
  '|i1': { size: 1, at: (view, offset) => view.getInt8(offset) },
  '<i2': { size: 2, at: (view, offset) => view.getInt16(offset, true) },
  '<i4': { size: 4, at: (view, offset) => view.getInt32(offset, true) },
  '<i8': { size: 8, at: (view, offset) => view.getBigInt64(offset, true) },
  '|u1': { size: 1, at: (view, offset) => view.getUint8(offset) },
  '<u2': { size: 2, at: (view, offset) => view.getUint16(offset, true) },
  '<u4': { size: 4, at: (view, offset) => view.getUint32(offset, true) },
  '<u8': { size: 8, at: (view, offset) => view.getBigUint64(offset, true) },
  '|b1': { size: 1, at: (view, offset) => view.getUint8(offset) !== 0 },
};

/** The vector in a .npy file: shape (n,) or (1, n). float32 and float64 keep their width. */
export function readNpy(bytes: Buffer, path: string): ParamValue {
  const header = parseHeader(bytes, path);
  const sizes = header.shape.length === 2 && header.shape[0] === 1 ? header.shape.slice(1) : header.shape;
  if (sizes.length !== 1) throw bad(path, `not a vector but of shape (${header.shape.join(', ')})`);
  const count = sizes[0] as number;
  const half = header.descr === '<f2';
  const reader = READERS[header.descr];
  if (reader === undefined && !half) throw bad(path, `elements of type ${header.descr}`);
  const size = half ? 2 : (reader as { size: number }).size;
  if (bytes.length - header.dataStart < count * size) throw bad(path, 'data is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset + header.dataStart, count * size);
  const at = (i: number): number | bigint | boolean =>
    half ? float16Value(view.getUint16(2 * i, true)) : (reader as NonNullable<typeof reader>).at(view, i * size);
  if (header.descr === '<f4' || half) return Float32Array.from({ length: count }, (_, i) => at(i) as number);
  if (header.descr === '<f8') return Float64Array.from({ length: count }, (_, i) => at(i) as number);
  return Array.from({ length: count }, (_, i) => at(i));
}

function bad(path: string, why: string): Error {
  return usageError(`--param: ${why}: ${path}`, 'a .npy file of shape (n,) with float, integer or bool elements');
}
