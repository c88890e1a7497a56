import { exhaustive } from '../../common/exhaustive.ts';
import { identifierText } from '../../common/keywords.ts';
import type { TypeName } from '../ast.ts';
import type { Style } from './style.ts';

/** DuckDB's name of each type alias; a name with quotes is shown with them. */
const DUCKDB_NAMES: Readonly<Record<string, string>> = {
  BOOL: 'BOOLEAN',
  LOGICAL: 'BOOLEAN',
  TINYINT: '"TINYINT"',
  INT1: '"TINYINT"',
  INT2: 'SMALLINT',
  SHORT: 'SMALLINT',
  INT16: 'SMALLINT',
  INT: 'INTEGER',
  INT4: 'INTEGER',
  INT32: 'INTEGER',
  SIGNED: 'INTEGER',
  INT8: 'BIGINT',
  LONG: 'BIGINT',
  INT64: 'BIGINT',
  OID: 'BIGINT',
  HUGEINT: '"HUGEINT"',
  INT128: '"HUGEINT"',
  UTINYINT: '"UTINYINT"',
  UINT8: '"UTINYINT"',
  USMALLINT: '"USMALLINT"',
  UINT16: '"USMALLINT"',
  UINTEGER: '"UINTEGER"',
  UINT32: '"UINTEGER"',
  UBIGINT: '"UBIGINT"',
  UINT64: '"UBIGINT"',
  UHUGEINT: '"UHUGEINT"',
  REAL: 'FLOAT',
  FLOAT4: 'FLOAT',
  DOUBLE: '"DOUBLE"',
  FLOAT8: '"DOUBLE"',
  NUMERIC: 'DECIMAL',
  DEC: 'DECIMAL',
  DATE: '"DATE"',
  TIMETZ: '"TIME WITH TIME ZONE"',
  DATETIME: 'TIMESTAMP',
  TIMESTAMP_US: 'TIMESTAMP',
  TIMESTAMP_S: '"TIMESTAMP_S"',
  TIMESTAMP_MS: '"TIMESTAMP_MS"',
  TIMESTAMP_NS: '"TIMESTAMP_NS"',
  TIME_NS: '"TIME_NS"',
  TIMESTAMPTZ: '"TIMESTAMP WITH TIME ZONE"',
  CHAR: 'VARCHAR',
  CHARACTER: 'VARCHAR',
  NCHAR: 'VARCHAR',
  BPCHAR: 'VARCHAR',
  TEXT: 'VARCHAR',
  STRING: 'VARCHAR',
  NVARCHAR: 'VARCHAR',
  BLOB: '"BLOB"',
  BYTEA: '"BLOB"',
  BINARY: '"BLOB"',
  VARBINARY: '"BLOB"',
  UUID: '"UUID"',
  GUID: '"UUID"',
  BITSTRING: 'BIT',
};

/** Types of fixed length 1 when no length is given. */
const SINGLE_CHARACTER = new Set(['CHAR', 'CHARACTER', 'NCHAR']);

/** Words that are types by the grammar itself and so need no quotes though they are keywords. */
const PLAIN_TYPE = /^[A-Z_][A-Z0-9_]*$/;

export function typeText(type: TypeName, style: Style): string {
  switch (type.kind) {
    case 'type_name': {
      let name = style === 'name' ? (DUCKDB_NAMES[type.name] ?? type.name) : type.name;
      if (style === 'sql' && !PLAIN_TYPE.test(name)) name = identifierText(name);
      const single = style === 'name' && type.arguments.length === 0 && SINGLE_CHARACTER.has(type.name);
      const typeArguments = single ? [1] : type.arguments;
      return typeArguments.length === 0 ? name : `${name}(${typeArguments.join(', ')})`;
    }
    case 'list_type':
      return `${typeText(type.element, style)}[${type.size ?? ''}]`;
    case 'struct_type': {
      const fields = type.fields.map((f) => `${identifierText(f.name.name)} ${typeText(f.type, style)}`);
      return `STRUCT(${fields.join(', ')})`;
    }
    case 'map_type':
      return `MAP(${typeText(type.key, style)}, ${typeText(type.value, style)})`;
    default:
      return exhaustive(type);
  }
}
