/**
 * SQL data types as they travel through binder, plan and results.
 * The native twin is native/src/columnar/data_type.hpp: same kinds, same words.
 */

import { identifierText } from './keywords.ts';

export type TimeUnit = 's' | 'ms' | 'us' | 'ns';

export interface StructField {
  readonly name: string;
  readonly type: DataType;
}

export type ScalarKind =
  | 'null'
  | 'bool'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float16'
  | 'bfloat16'
  | 'float32'
  | 'float64'
  | 'date'
  | 'interval'
  | 'string'
  | 'binary'
  | 'uuid';

/** What text or bytes stand for, where that is a type of its own: json is a string, geometry is binary (WKB), a variant
 * leaves the engine as its text. */
export type TypeTag = 'json' | 'variant' | 'geometry';

export type DataType =
  /** JSON is another type than VARCHAR, but meets it as VARCHAR; a VARIANT is compared with nothing */
  | { readonly kind: ScalarKind; readonly tag?: TypeTag }
  /** precision 1..38, 0 ≤ scale ≤ precision; stored as int64 up to precision 18, else int128 */
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  /** time of day, int64 of `unit` ('us' or 'ns'); `zone` true = of UTC (TIMETZ, always 'us') */
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly zone?: boolean }
  /** int64 of `unit` since 1970-01-01; `zone` true = an instant (TIMESTAMPTZ, always 'us'), false = wall clock */
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly zone: boolean }
  | { readonly kind: 'list'; readonly element: DataType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] }
  /** physically list<struct<key, value>> */
  | { readonly kind: 'map'; readonly key: DataType; readonly value: DataType };

export type TypeKind = DataType['kind'];

const scalar = (kind: ScalarKind): DataType => Object.freeze({ kind });

export const NULL_TYPE = scalar('null');
export const BOOL = scalar('bool');
export const INT8 = scalar('int8');
export const INT16 = scalar('int16');
export const INT32 = scalar('int32');
export const INT64 = scalar('int64');
export const UINT8 = scalar('uint8');
export const UINT16 = scalar('uint16');
export const UINT32 = scalar('uint32');
export const UINT64 = scalar('uint64');
export const FLOAT16 = scalar('float16');
export const BFLOAT16 = scalar('bfloat16');
export const FLOAT32 = scalar('float32');
export const FLOAT64 = scalar('float64');
export const DATE = scalar('date');
export const INTERVAL = scalar('interval');
export const STRING = scalar('string');
export const BINARY = scalar('binary');
export const UUID = scalar('uuid');
export const JSON_TEXT: DataType = Object.freeze({ kind: 'string', tag: 'json' });
export const VARIANT: DataType = Object.freeze({ kind: 'string', tag: 'variant' });
export const GEOMETRY: DataType = Object.freeze({ kind: 'binary', tag: 'geometry' });
export const TIMETZ: DataType = Object.freeze({ kind: 'time', unit: 'us', zone: true });
export const TIME: DataType = Object.freeze({ kind: 'time', unit: 'us' });
export const TIMESTAMP: DataType = Object.freeze({ kind: 'timestamp', unit: 'us', zone: false });
export const TIMESTAMPTZ: DataType = Object.freeze({ kind: 'timestamp', unit: 'us', zone: true });
export const decimal = (precision: number, scale: number): DataType =>
  Object.freeze({ kind: 'decimal', precision, scale });
export const list = (element: DataType): DataType => Object.freeze({ kind: 'list', element });
export const struct = (fields: readonly StructField[]): DataType => Object.freeze({ kind: 'struct', fields });
export const map = (key: DataType, value: DataType): DataType => Object.freeze({ kind: 'map', key, value });

/** Structural equality, field names included. */
export function sameType(a: DataType, b: DataType): boolean {
  return a === b || typeName(a) === typeName(b);
}

export const isVariant = (type: DataType): boolean => type.kind === 'string' && type.tag === 'variant';

/** Whether the type is VARIANT or holds one. */
export function holdsVariant(type: DataType): boolean {
  switch (type.kind) {
    case 'list':
      return holdsVariant(type.element);
    case 'map':
      return holdsVariant(type.key) || holdsVariant(type.value);
    case 'struct':
      return type.fields.some((field) => holdsVariant(field.type));
    default:
      return type.kind === 'string' && type.tag === 'variant';
  }
}

const SCALAR_NAMES: Readonly<Record<ScalarKind, string>> = {
  null: '"NULL"',
  bool: 'BOOLEAN',
  int8: 'TINYINT',
  int16: 'SMALLINT',
  int32: 'INTEGER',
  int64: 'BIGINT',
  uint8: 'UTINYINT',
  uint16: 'USMALLINT',
  uint32: 'UINTEGER',
  uint64: 'UBIGINT',
  float16: 'FLOAT16',
  bfloat16: 'BFLOAT16',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  date: 'DATE',
  interval: 'INTERVAL',
  string: 'VARCHAR',
  binary: 'BLOB',
  uuid: 'UUID',
};

const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;

/** A name as plans show it: in quotes unless it is one plain word. */
export function quoteIdentifier(name: string): string {
  return PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A field of a struct type; those of `row(1, 2)` have no name. */
const fieldText = ({ name, type }: StructField): string =>
  name === '' ? typeName(type) : `${identifierText(name)} ${typeName(type)}`;

/** The SQL name, as DESCRIBE and error messages show it, e.g. `DECIMAL(7,2)`, `FLOAT[]`, `STRUCT(a INTEGER)`. */
export function typeName(type: DataType): string {
  switch (type.kind) {
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'time':
      if (type.zone === true) return 'TIME WITH TIME ZONE';
      return type.unit === 'ns' ? 'TIME_NS' : 'TIME';
    case 'timestamp':
      if (type.zone) return 'TIMESTAMP WITH TIME ZONE';
      return type.unit === 'us' ? 'TIMESTAMP' : `TIMESTAMP_${type.unit.toUpperCase()}`;
    case 'list':
      return `${typeName(type.element)}[]`;
    case 'struct':
      return `STRUCT(${type.fields.map(fieldText).join(', ')})`;
    case 'map':
      return `MAP(${typeName(type.key)}, ${typeName(type.value)})`;
    default:
      return type.tag === undefined ? SCALAR_NAMES[type.kind] : type.tag.toUpperCase();
  }
}
