import { type DataType, INT64, STRING, typeName, VARIANT } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import { castTo } from './cast.ts';

export const isVariant = (type: DataType): boolean => type.kind === 'string' && type.tag === 'variant';

/** A field of a VARIANT by its exact name, or an element by its position from 1; NULL where it has none. */
export function variantPart(operand: BoundExpr, key: BoundExpr, span: SourceSpan): BoundExpr {
  if (key.kind !== 'literal') throw userError('binder', 'a field or position of a VARIANT is a constant', key.span);
  return { kind: 'call', fn: 'variant_extract', args: [operand, keyOf(key)], type: VARIANT, fallible: false, span };
}

function keyOf(key: Extract<BoundExpr, { kind: 'literal' }>): BoundExpr {
  const { value, type, span } = key;
  if (value === null) return literal(null, STRING, span);
  if (typeof value === 'string' && type.kind === 'string') return castTo(key, STRING, span);
  if (typeof value !== 'bigint' || type.kind === 'decimal') {
    throw userError('type', `a VARIANT has fields and positions, not parts by ${typeName(type)}`, span);
  }
  if (value < 1n) throw userError('binder', `positions of a VARIANT begin at 1, not ${value}`, span);
  return castTo(key, INT64, span);
}
