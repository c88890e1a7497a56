import type { FileTable } from '../../catalog/file_table.ts';
import type { DataType } from '../../common/data_type.ts';
import { unsupported, userError } from '../../common/error.ts';
import type { LiteralValue } from '../../common/literal.ts';
import { isArray } from '../../common/literal.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import { parseExpression } from '../../sql/index.ts';
import type { BoundExpr, BoundLiteral } from '../logical/expression.ts';
import { literal } from '../logical/expression.ts';
import type { ComputedColumn } from '../logical/node.ts';
import { castTo } from './cast.ts';
import { columnReference } from './column_ref.ts';
import type { QueryContext, Relation } from './relation.ts';
import { bindType } from './type_name.ts';

/** One column that `read_parquet(…, schema = …)` asks for. */
export interface ReadSchemaColumn {
  /** name in the files */
  readonly field: string;
  readonly name: string;
  readonly type: DataType;
  /** of rows whose file lacks the field */
  readonly fallback: { readonly value: LiteralValue; readonly type: DataType };
}

/** `MAP {'field': {name: 'x', type: 'BIGINT', default_value: NULL}}`, or in short `{'field': 'BIGINT'}`. */
export function readSchema(given: BoundLiteral): ReadSchemaColumn[] {
  const { type, value, span } = given;
  if (value !== null && isArray(value)) {
    if (type.kind === 'struct') {
      return type.fields.map((field, i) => ({
        field: field.name,
        name: field.name,
        type: typeOf(value[i] ?? null, span),
        fallback: NULL_VALUE,
      }));
    }
    if (type.kind === 'map' && type.value.kind === 'struct') {
      if (type.key.kind !== 'string') throw unsupported('a schema by field identifiers', span, 'use names as keys');
      const { fields } = type.value;
      return value.map((entry) => {
        const [field, parts] = entry as readonly LiteralValue[];
        return mapColumn(String(field), parts as readonly LiteralValue[], fields, span);
      });
    }
  }
  throw userError('type', "a schema is MAP {'field': {name: 'x', type: 'BIGINT', default_value: NULL}}", span);
}

const NULL_VALUE = { value: null, type: { kind: 'null' } } as const;

function mapColumn(
  field: string,
  parts: readonly LiteralValue[],
  fields: readonly { readonly name: string; readonly type: DataType }[],
  span: SourceSpan,
): ReadSchemaColumn {
  const at = (name: string): number => fields.findIndex((f) => f.name.toLowerCase() === name);
  const [name, type, fallback] = [at('name'), at('type'), at('default_value')];
  if (type < 0) throw userError('type', `the schema gives "${field}" no type`, span);
  return {
    field,
    name: name < 0 ? field : String(parts[name]),
    type: typeOf(parts[type] ?? null, span),
    fallback:
      fallback < 0
        ? NULL_VALUE
        : { value: parts[fallback] ?? null, type: (fields[fallback] as { type: DataType }).type },
  };
}

function typeOf(value: LiteralValue, span: SourceSpan): DataType {
  if (typeof value !== 'string') throw userError('type', 'a type of a schema is a text', span);
  const parsed = parseExpression(`CAST(NULL AS ${value})`);
  if (parsed.kind !== 'cast') throw userError('type', `not a type: ${value}`, span);
  return bindType(parsed.type);
}

/** The table's columns as the schema asks for them; fields that no file has are their default. */
export function withSchema(
  relation: Relation,
  table: FileTable,
  schema: readonly ReadSchemaColumn[],
  span: SourceSpan,
  context: QueryContext,
): Relation {
  const columns = schema.map((wanted): ComputedColumn => {
    const column = relation.columns.find((c) => c.name.toLowerCase() === wanted.field.toLowerCase());
    const fallback = castTo(literal(wanted.fallback.value, wanted.fallback.type, span), wanted.type);
    if (column !== undefined && wanted.fallback.value !== null && table.files.length > 1) {
      throw unsupported('default_value of a schema over several files', span, 'use coalesce in the SELECT list');
    }
    const expr: BoundExpr = column === undefined ? fallback : castTo(columnReference(column, span), wanted.type);
    return { id: context.binder.newId(), name: wanted.name, type: wanted.type, expr };
  });
  const extra = relation.columns.filter((column) => !isField(table, column.name));
  const kept = extra.map(
    (column): ComputedColumn => ({ ...column, id: context.binder.newId(), expr: columnReference(column, span) }),
  );
  return {
    node: { kind: 'project', input: relation.node, columns: [...columns, ...kept] },
    columns: [...columns, ...kept],
  };
}

/** filename, file_row_number and hive keys stay beside the schema. */
function isField(table: FileTable, name: string): boolean {
  return table.columns.find((column) => column.name === name)?.source === 'field';
}
