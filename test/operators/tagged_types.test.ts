import { expect, test } from 'vitest';
import type { DataType } from '../../src/common/data_type.ts';
import { GEOMETRY, JSON_TEXT, list, STRING, struct, TIME, TIMETZ, VARIANT } from '../../src/common/data_type.ts';
import { resultSchema } from '../../src/engine/wire_schema.ts';
import { PlanEncoder } from '../../src/operators/encoder.ts';
import type { WirePlan } from '../../src/operators/wire.ts';

/** The type that comes back from a plan document. */
function travelled(type: DataType): DataType | undefined {
  const encoder = new PlanEncoder();
  const output = encoder.fields([{ name: 'x', type }]);
  const plan = { types: encoder.types, nodes: [{ output }] } as unknown as WirePlan;
  return resultSchema(JSON.parse(JSON.stringify(plan)) as WirePlan)[0]?.type;
}

test('tags and zones travel in the plan and come back with its result', () => {
  const nested = struct([
    { name: 'l', type: list(JSON_TEXT) },
    { name: 't', type: TIMETZ },
    { name: 'g', type: GEOMETRY },
  ]);
  for (const type of [JSON_TEXT, VARIANT, GEOMETRY, TIMETZ, TIME, STRING, nested])
    expect(travelled(type)).toEqual(type);
});

test('plain types are written as they were', () => {
  const encoder = new PlanEncoder();
  for (const type of [STRING, TIME, JSON_TEXT, TIMETZ]) encoder.type(type);
  expect(encoder.types).toEqual([
    { kind: 'string' },
    { kind: 'time', unit: 'us' },
    { kind: 'string', tag: 'json' },
    { kind: 'time', unit: 'us', zone: true },
  ]);
});
