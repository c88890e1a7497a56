import type { Schema } from '../common/batch.ts';
import type { DataType } from '../common/data_type.ts';
import type { TypeIndex, WirePlan, WireType } from '../operators/wire.ts';

/** Names and types of a plan's result: what its root declares. */
export function resultSchema(plan: WirePlan): Schema {
  const output = plan.nodes.at(-1)?.output ?? [];
  return output.map((field) => ({ name: field.name, type: dataType(plan.types, field.type) }));
}

function dataType(types: readonly WireType[], index: TypeIndex): DataType {
  const type = types[index];
  if (type === undefined) return { kind: 'null' };
  // Rows refer only to smaller indices, so this ends.
  const child = (at: number): DataType => dataType(types.slice(0, index), type.children?.[at] ?? -1);
  switch (type.kind) {
    case 'decimal':
      return { kind: 'decimal', precision: type.precision ?? 0, scale: type.scale ?? 0 };
    case 'time':
      return { kind: 'time', unit: type.unit ?? 'us', ...(type.zone === true ? { zone: true } : {}) };
    case 'timestamp':
      return { kind: 'timestamp', unit: type.unit ?? 'us', zone: type.zone ?? false };
    case 'list':
      return { kind: 'list', element: child(0) };
    case 'map':
      return { kind: 'map', key: child(0), value: child(1) };
    case 'struct':
      return { kind: 'struct', fields: (type.names ?? []).map((name, at) => ({ name, type: child(at) })) };
    default:
      return type.tag === undefined ? { kind: type.kind } : { kind: type.kind, tag: type.tag };
  }
}
