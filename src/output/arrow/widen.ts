/** Rewrites batches that were written with 32-bit offsets before a row came that needs 64-bit ones. */
import { ByteBuffer } from 'flatbuffers';
import type { WrittenBytes } from '../text_sink.ts';
import { aligned } from './body.ts';
import { type ArrowField, hasOffsets, hasValues } from './layout.ts';
import type { BatchBlock, BatchPlaces } from './metadata.ts';

/** Bytes copied at a time; a multiple of an offset. */
const PIECE_BYTES = 2 ** 26;

/** Before the metadata of a message: the continuation marker and a length. */
const PREFIX_LENGTH = 8;

/** One buffer of a body: where it lies in the old file, and whether its offsets become 64-bit. */
interface BufferCopy {
  readonly from: number;
  readonly length: number;
  readonly widen: boolean;
}

export interface WidenedBatch extends BatchPlaces {
  readonly copies: readonly BufferCopy[];
}

/** The batch at `block` of the old file as it lies in the new one, whose fields are `wider`. */
export async function widenedBatch(
  old: WrittenBytes,
  block: BatchBlock,
  fields: readonly ArrowField[],
  wider: readonly ArrowField[],
): Promise<WidenedBatch> {
  const places = readPlaces(
    await old.read(block.offset + PREFIX_LENGTH, block.metadataLength - PREFIX_LENGTH),
    block.bodyLength,
  );
  const body = block.offset + block.metadataLength;
  const changes = changedBuffers(fields, wider);
  const copies = places.buffers.map(([offset, length], i) => ({
    from: body + offset,
    length,
    widen: changes[i] === true,
  }));
  const buffers: [number, number][] = [];
  let end = 0;
  for (const { length, widen } of copies) {
    const size = widen ? 2 * length : length;
    buffers.push([end, size]);
    end += aligned(size);
  }
  return { ...places, buffers, bodyLength: end, copies };
}

/** The bytes of a buffer as they are written, in pieces. */
export async function* copied(old: WrittenBytes, { from, length, widen }: BufferCopy): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += PIECE_BYTES) {
    const piece = await old.read(from + at, Math.min(PIECE_BYTES, length - at));
    yield widen ? wideOffsets(piece) : piece;
  }
}

function wideOffsets(piece: Uint8Array): Uint8Array {
  const offsets = new Int32Array(piece.buffer, piece.byteOffset, piece.byteLength / 4);
  return new Uint8Array(BigInt64Array.from(offsets, BigInt).buffer);
}

/** Of each buffer of a batch, in the order of batchBody: whether its width changes. */
function changedBuffers(fields: readonly ArrowField[], wider: readonly ArrowField[]): boolean[] {
  return fields.flatMap((field, i) => {
    const other = wider[i] as ArrowField;
    if (field.type.kind === 'null') return [];
    const own = [false];
    if (hasOffsets(field.type)) own.push(field.wide !== other.wide);
    if (hasValues(field.type)) own.push(false);
    return [...own, ...changedBuffers(field.children, other.children)];
  });
}

/** What batchMessage wrote. Numbers are those of Message.fbs: a field's place in its vtable is 4 + 2 · number. */
function readPlaces(metadata: Uint8Array, bodyLength: number): BatchPlaces {
  const bytes = new ByteBuffer(metadata);
  const message = bytes.readInt32(0);
  const header = pointee(bytes, message, 8);
  const rows = header + bytes.__offset(header, 4);
  const hasRows = bytes.__offset(header, 4) !== 0;
  return {
    rows: hasRows ? Number(bytes.readInt64(rows)) : 0,
    nodes: pairs(bytes, pointee(bytes, header, 6)),
    buffers: pairs(bytes, pointee(bytes, header, 8)),
    bodyLength,
  };
}

/** What the offset in a field of a table points at. */
function pointee(bytes: ByteBuffer, table: number, vtableOffset: number): number {
  const field = table + bytes.__offset(table, vtableOffset);
  return field + bytes.readInt32(field);
}

/** A vector of structs of two 64-bit words. */
function pairs(bytes: ByteBuffer, vector: number): [number, number][] {
  const word = (index: number): number => Number(bytes.readInt64(vector + 4 + 8 * index));
  return Array.from({ length: bytes.readInt32(vector) }, (_, i) => [word(2 * i), word(2 * i + 1)]);
}
