import type { DataType } from '../common/data_type.ts';
import { FLOAT32, FLOAT64, list } from '../common/data_type.ts';
import type { ArgumentType } from './argument.ts';
import { isFloat, isNumeric } from './argument.ts';
import type { FunctionRow, Resolution } from './function_row.ts';

/** Element type of a vector (a list of numbers); an untyped NULL or empty list is one of DOUBLE; null = no vector. */
export function vectorElement(arg: ArgumentType | undefined): DataType | null {
  if (arg?.type.kind === 'null') return FLOAT64;
  if (arg?.type.kind !== 'list') return null;
  const { element } = arg.type;
  if (element.kind === 'null') return FLOAT64;
  return isNumeric(element) ? element : null;
}

/**
 * Elements stay as they are stored, the kernels widen them, so that no column is cast. Only decimals take the type FLOAT of
 * the other side, as everywhere: a vector written in the text then equals the FLOAT vector it was copied from.
 */
function besides(element: DataType, other: DataType): DataType {
  return element.kind === 'decimal' && isFloat(other) && other.kind !== 'float64' ? FLOAT32 : element;
}

/** A function of two vectors. */
export const onTwoVectors =
  (fn: string, type: DataType, fallible: boolean): FunctionRow['resolve'] =>
  (args) => {
    const [a, b] = [vectorElement(args[0]), vectorElement(args[1])];
    if (args.length !== 2 || a === null || b === null) return 'no_match';
    return call(fn, [list(besides(a, b)), list(besides(b, a))], type, fallible);
  };

/** A function of one vector and of values of other types. */
export const onVector =
  (fn: string, type: DataType, others: readonly DataType[] = [], fallible = false): FunctionRow['resolve'] =>
  (args) => {
    const element = vectorElement(args[0]);
    const rest = args.slice(1);
    if (element === null || rest.length !== others.length) return 'no_match';
    if (rest.some((arg) => !isNumeric(arg.type) && arg.type.kind !== 'null')) return 'no_match';
    return call(fn, [list(element), ...others], type, fallible);
  };

function call(fn: string, types: readonly DataType[], type: DataType, fallible: boolean): Resolution {
  return { fn, args: types.map((target, index) => ({ index, type: target })), type, fallible };
}
