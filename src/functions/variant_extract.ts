import { INT64, isVariant, STRING, typeName, VARIANT } from '../common/data_type.ts';
import { userError } from '../common/error.ts';
import type { ArgumentType } from './argument.ts';
import type { FunctionRow, ResolvedArgument } from './function_row.ts';

/** A field of a VARIANT by its exact name, or an element by its position. */
export const variantExtract: FunctionRow['resolve'] = ([value, key, ...rest]) => {
  if (value === undefined || key === undefined || rest.length > 0 || !isVariant(value.type)) {
    throw userError('type', 'variant_extract takes a VARIANT and a field or position');
  }
  const args = [{ index: 0, type: value.type }, partOf(key)];
  return { fn: 'variant_extract', args, type: VARIANT, fallible: false };
};

function partOf({ literal, constant = literal, type }: ArgumentType): ResolvedArgument {
  if (constant === undefined) throw userError('binder', 'a field or position of a VARIANT is a constant');
  if (constant === null) return { value: null, type: STRING };
  if (typeof constant === 'string' && type.kind === 'string') return { value: constant, type: STRING };
  if (typeof constant !== 'bigint' || type.kind === 'decimal') {
    throw userError('type', `a VARIANT has fields and positions, not parts by ${typeName(type)}`);
  }
  if (constant < 1n) throw userError('binder', `positions of a VARIANT begin at 1, not ${constant}`);
  return { value: constant, type: INT64 };
}
