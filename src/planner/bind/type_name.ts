import type { DataType } from '../../common/data_type.ts';
import {
  BFLOAT16,
  BINARY,
  BOOL,
  DATE,
  decimal,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  INTERVAL,
  list,
  map,
  NULL_TYPE,
  STRING,
  struct,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  TIMETZ,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
  UUID,
} from '../../common/data_type.ts';
import { didYouMean } from '../../common/did_you_mean.ts';
import { unsupported, userError } from '../../common/error.ts';
import { exhaustive } from '../../common/exhaustive.ts';
import { HUGEINT } from '../../functions/index.ts';
import type { NamedType, TypeName } from '../../sql/ast.ts';

const timestamp = (unit: 's' | 'ms' | 'ns'): DataType => ({ kind: 'timestamp', unit, zone: false });

/** Names of types and their aliases, as DuckDB has them. */
const NAMES: Readonly<Record<string, DataType>> = {
  '"NULL"': NULL_TYPE,
  NULL: NULL_TYPE,
  ...names(BOOL, 'BOOLEAN BOOL LOGICAL'),
  ...names(INT8, 'TINYINT INT1'),
  ...names(INT16, 'SMALLINT INT2 INT16 SHORT'),
  ...names(INT32, 'INTEGER INT INT4 INT32 SIGNED INTEGRAL'),
  ...names(INT64, 'BIGINT INT8 INT64 LONG OID'),
  ...names(HUGEINT, 'HUGEINT INT128'),
  ...names(UINT8, 'UTINYINT UINT8'),
  ...names(UINT16, 'USMALLINT UINT16'),
  ...names(UINT32, 'UINTEGER UINT32'),
  ...names(UINT64, 'UBIGINT UINT64'),
  ...names(FLOAT16, 'FLOAT16 HALF HALFFLOAT'),
  ...names(BFLOAT16, 'BFLOAT16'),
  ...names(FLOAT32, 'FLOAT FLOAT4 REAL FLOAT32'),
  ...names(FLOAT64, 'DOUBLE FLOAT8 FLOAT64'),
  ...names(DATE, 'DATE'),
  ...names(TIME, 'TIME'),
  ...names({ kind: 'time', unit: 'ns' }, 'TIME_NS'),
  ...names(TIMETZ, 'TIMETZ'),
  ...names(TIMESTAMP, 'TIMESTAMP DATETIME TIMESTAMP_US'),
  ...names(timestamp('s'), 'TIMESTAMP_S'),
  ...names(timestamp('ms'), 'TIMESTAMP_MS'),
  ...names(timestamp('ns'), 'TIMESTAMP_NS'),
  ...names(TIMESTAMPTZ, 'TIMESTAMPTZ'),
  ...names(INTERVAL, 'INTERVAL'),
  ...names(STRING, 'VARCHAR CHAR BPCHAR TEXT STRING NVARCHAR'),
  ...names(BINARY, 'BLOB BYTEA BINARY VARBINARY'),
  ...names(UUID, 'UUID GUID'),
};

function names(type: DataType, spellings: string): Record<string, DataType> {
  return Object.fromEntries(spellings.split(' ').map((name) => [name, type]));
}

const DECIMAL_NAMES = new Set(['DECIMAL', 'NUMERIC', 'DEC']);
/** VARCHAR(n) is VARCHAR: no length is checked, no text is padded. */
const LENGTH_NAMES = new Set([
  'VARCHAR',
  'CHAR',
  'BPCHAR',
  'TEXT',
  'STRING',
  'NVARCHAR',
  'BLOB',
  'BYTEA',
  'BINARY',
  'VARBINARY',
]);
const UNSUPPORTED = new Set([
  'JSON',
  'BIT',
  'BITSTRING',
  'ENUM',
  'UNION',
  'VARIANT',
  'UHUGEINT',
  'UINT128',
  'GEOMETRY',
  'BIGNUM',
  'VARINT',
]);

/** The type that a type name of the text stands for. */
export function bindType(name: TypeName): DataType {
  switch (name.kind) {
    case 'type_name':
      return namedType(name);
    case 'list_type':
      return list(bindType(name.element));
    case 'struct_type':
      return struct(name.fields.map((field) => ({ name: field.name.name, type: bindType(field.type) })));
    case 'map_type':
      return map(bindType(name.key), bindType(name.value));
    default:
      return exhaustive(name);
  }
}

function namedType(name: NamedType): DataType {
  if (DECIMAL_NAMES.has(name.name)) return decimalType(name);
  if (UNSUPPORTED.has(name.name)) throw unsupported(`type ${name.name}`, name.span);
  const type = NAMES[name.name];
  if (type === undefined) {
    const known = [...Object.keys(NAMES).filter((n) => !n.startsWith('"')), ...DECIMAL_NAMES];
    throw userError('catalog', `type not found: ${name.name}`, name.span, didYouMean(name.name, known));
  }
  if (name.arguments.length > 0 && !LENGTH_NAMES.has(name.name) && !isPrecision(name)) {
    throw userError('binder', `type ${name.name} takes no parameters`, name.span);
  }
  return name.arguments.length > 0 && isPrecision(name) ? timestampOf(name) : type;
}

const isPrecision = (name: NamedType): boolean => name.name === 'TIMESTAMP' && name.arguments.length === 1;

/** TIMESTAMP(p): p digits of a second, rounded up to a unit. */
function timestampOf(name: NamedType): DataType {
  const digits = name.arguments[0] ?? 6;
  if (digits > 9) throw userError('binder', `TIMESTAMP has at most 9 digits of a second, not ${digits}`, name.span);
  if (digits === 0) return timestamp('s');
  return digits <= 3 ? timestamp('ms') : digits <= 6 ? TIMESTAMP : timestamp('ns');
}

function decimalType(name: NamedType): DataType {
  const [precision = 18, scale = name.arguments.length === 0 ? 3 : 0] = name.arguments;
  if (precision < 1 || precision > 38) {
    throw userError('binder', `DECIMAL has 1 to 38 digits, not ${precision}`, name.span);
  }
  if (scale > precision) {
    throw userError('binder', `DECIMAL(${precision},${scale}): more digits after the point than in all`, name.span);
  }
  return decimal(precision, scale);
}
