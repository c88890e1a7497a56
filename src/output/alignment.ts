import type { DataType } from '../common/data_type.ts';

const NUMERIC: ReadonlySet<string> = new Set([
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'decimal',
]);

/** Numbers stand on the right so that their digits line up; everything else on the left. */
export function alignsRight(type: DataType): boolean {
  return NUMERIC.has(type.kind);
}

/** Kinds whose text is a whole number: the ones that `thousands` groups. */
export function isWholeNumber(type: DataType): boolean {
  return type.kind.startsWith('int') || type.kind.startsWith('uint') ? type.kind !== 'interval' : false;
}
