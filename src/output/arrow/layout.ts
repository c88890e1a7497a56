/** How the columns of a result lie in Arrow: one schema, which comes first, holds for all batches. */
import type { ResultColumn, Schema } from '../../common/batch.ts';
import type { DataType } from '../../common/data_type.ts';

/** One Arrow field. */
export interface ArrowField {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  /** 64-bit offsets: large_list, large_utf8, large_binary. Arrow has no map of that kind. */
  readonly wide: boolean;
  readonly children: readonly ArrowField[];
}

export const hasOffsets = ({ kind }: DataType): boolean =>
  kind === 'list' || kind === 'map' || kind === 'string' || kind === 'binary';

/** Whether a field has a buffer of values of its own. */
export const hasValues = ({ kind }: DataType): boolean =>
  kind !== 'null' && kind !== 'list' && kind !== 'map' && kind !== 'struct';

/** `fields` with 64-bit offsets where `columns` have them as well; undefined where they stay as they are. */
export function widerFields(
  fields: readonly ArrowField[],
  columns: readonly ResultColumn[],
): readonly ArrowField[] | undefined {
  let changed = false;
  const visit = (field: ArrowField, column: ResultColumn | undefined): ArrowField => {
    const wide = field.wide || isWide(field.type, column);
    changed ||= wide !== field.wide;
    return { ...field, wide, children: field.children.map((child, i) => visit(child, column?.children?.[i])) };
  };
  const wider = fields.map((field, i) => visit(field, columns[i]));
  return changed ? wider : undefined;
}

const isWide = (type: DataType, column: ResultColumn | undefined): boolean =>
  type.kind !== 'map' && column?.offsets instanceof BigInt64Array;

/** The fields of a result whose first batch has `columns` (none: an empty result). */
export function arrowFields(schema: Schema, columns: readonly ResultColumn[]): ArrowField[] {
  return schema.map(({ name, type }, i) => arrowField(name, type, true, columns[i]));
}

function arrowField(name: string, type: DataType, nullable: boolean, column: ResultColumn | undefined): ArrowField {
  return { name, type, nullable, wide: isWide(type, column), children: childrenOf(type, column) };
}

function childrenOf(type: DataType, column: ResultColumn | undefined): ArrowField[] {
  const children = column?.children ?? [];
  switch (type.kind) {
    case 'list':
      return [arrowField('item', type.element, true, children[0])];
    case 'struct':
      return type.fields.map((field, i) => arrowField(field.name, field.type, true, children[i]));
    case 'map':
      return [entriesField(type.key, type.value, children[0])];
    default:
      return [];
  }
}

/** What a map is a list of. */
function entriesField(key: DataType, value: DataType, entries: ResultColumn | undefined): ArrowField {
  const type: DataType = {
    kind: 'struct',
    fields: [
      { name: 'key', type: key },
      { name: 'value', type: value },
    ],
  };
  const children = [
    arrowField('key', key, false, entries?.children?.[0]),
    arrowField('value', value, true, entries?.children?.[1]),
  ];
  return { name: 'entries', type, nullable: false, wide: false, children };
}
