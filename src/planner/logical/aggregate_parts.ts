import type { DataType } from '../../common/data_type.ts';
import { INT64 } from '../../common/data_type.ts';
import { HUGEINT } from '../../functions/argument.ts';
import { castTo } from '../bind/cast.ts';
import type { BoundExpr } from './expression.ts';
import { literal } from './expression.ts';
import type { AggregateColumn } from './node.ts';
import { columnRef } from './node.ts';

/** What makes one value of the values of parts: `sum` of counts, `min` of minima. */
export const OF_PARTS: ReadonlyMap<string, string> = new Map([
  ['count_star', 'sum'],
  ['count', 'sum'],
  ...['sum', 'min', 'max', 'bool_and', 'bool_or', 'bit_and', 'bit_or', 'bit_xor'].map((fn) => [fn, fn] as const),
]);

/** The aggregate of all rows from `part`, the column of the same aggregate of parts of them. */
export function totalOf(part: AggregateColumn, { call, name }: AggregateColumn, id: number): AggregateColumn {
  const fn = OF_PARTS.get(call.fn) as string;
  const total = { ...call, fn, args: [columnRef(part, call.span)], filter: null };
  return { id, name, type: fn === 'sum' ? sumType(part.type) : part.type, call: total };
}

/** As functions.def has it for the types that sums have. */
function sumType(type: DataType): DataType {
  if (type.kind === 'int64') return HUGEINT;
  return type.kind === 'decimal' ? { ...type, precision: 38 } : type;
}

/** The total in the type of the aggregate; a count of no rows is 0. */
export function finalValue({ call, type }: AggregateColumn, total: AggregateColumn): BoundExpr {
  const { span } = call;
  const value = castTo(columnRef(total, span), type);
  if (call.fn !== 'count' && call.fn !== 'count_star') return value;
  return { kind: 'coalesce', args: [value, literal(0n, INT64, span)], type: INT64, span };
}
