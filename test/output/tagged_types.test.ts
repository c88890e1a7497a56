import { describe, expect, test } from 'vitest';
import type { DataType } from '../../src/common/data_type.ts';
import { GEOMETRY, JSON_TEXT, list, map, STRING, struct, TIME, TIMETZ, VARIANT } from '../../src/common/data_type.ts';
import { geometryText } from '../../src/output/geometry_text.ts';
import { jsonReader } from '../../src/output/json_value.ts';
import { renderValue, textReader } from '../../src/output/render_value.ts';
import { LARGE_VALUE } from '../../src/output/value_reader.ts';
import { columnOf } from './result_column.ts';

const shown = (type: DataType, value: unknown): string | null => renderValue(columnOf(type, [value]), 0);

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const ONE = '000000000000f03f';
const TWO = '0000000000000040';
const NAN = '000000000000f87f';
const POINT = bytes(`0101000000${ONE}${TWO}`);

describe('JSON', () => {
  test('stands bare in lists, but not in structs and maps', () => {
    expect(shown(JSON_TEXT, '{"a": 1}')).toBe('{"a": 1}');
    expect(shown(list(JSON_TEXT), ['{"a": 1}', null, '""'])).toBe('[{"a": 1}, NULL, ""]');
    expect(shown(struct([{ name: 'j', type: JSON_TEXT }]), ['{"a": 1}'])).toBe(`{'j': '{"a": 1}'}`);
    expect(shown(map(STRING, JSON_TEXT), [['k', '[1]']])).toBe("{k='[1]'}");
    expect(shown(struct([{ name: 'l', type: list(JSON_TEXT) }]), [['[1]']])).toBe("{'l': [[1]]}");
  });

  test('is text in JSON output', () => {
    expect(jsonReader(columnOf(list(JSON_TEXT), [['[1]']]), 'number').text(0)).toBe('["[1]"]');
  });
});

describe('VARIANT', () => {
  test('is a part of the text around it', () => {
    expect(shown(VARIANT, 'a, b')).toBe('a, b');
    expect(shown(list(VARIANT), ['a, b', "{'a': 1}", null])).toBe("[a, b, {'a': 1}, NULL]");
    expect(shown(struct([{ name: 'v', type: VARIANT }]), ['a, b'])).toBe("{'v': a, b}");
    expect(shown(map(VARIANT, VARIANT), [['a b', 'c, d']])).toBe('{a b=c, d}');
  });

  test('in pieces is the same text', () => {
    const long = 'x, '.repeat(LARGE_VALUE * 32);
    const column = columnOf(list(VARIANT), [[long, 'y']]);
    expect([...textReader(column).pieces(0)].join('')).toBe(`[${long}, y]`);
  });
});

describe('TIME WITH TIME ZONE', () => {
  test('is shown with its offset', () => {
    expect(shown(TIMETZ, 45_296_500_000n)).toBe('12:34:56.5+00');
    expect(shown(TIME, 45_296_500_000n)).toBe('12:34:56.5');
    expect(shown(list(TIMETZ), [0n])).toBe("['00:00:00+00']");
  });
});

describe('GEOMETRY', () => {
  test('is well-known text', () => {
    expect(shown(GEOMETRY, POINT)).toBe('POINT (1 2)');
    expect(shown(list(GEOMETRY), [POINT, bytes(`0101000000${NAN}${NAN}`), null])).toBe(
      "['POINT (1 2)', POINT EMPTY, NULL]",
    );
    expect(jsonReader(columnOf(GEOMETRY, [POINT]), 'number').text(0)).toBe('"POINT (1 2)"');
  });

  test.each([
    [`01e9030000${ONE}${TWO}${ONE}`, 'POINT Z (1 2 1)'],
    [`01d1070000${ONE}${TWO}${NAN}`, 'POINT M (1 2 nan)'],
    [`01b90b0000${ONE}${TWO}${ONE}${TWO}`, 'POINT ZM (1 2 1 2)'],
    [`010200000001000000${ONE}${TWO}`, 'LINESTRING (1 2)'],
    ['01ea03000000000000', 'LINESTRING Z EMPTY'],
    [`01030000000200000001000000${ONE}${TWO}00000000`, 'POLYGON ((1 2), EMPTY)'],
    [`0104000000020000000101000000${ONE}${TWO}0101000000${NAN}${NAN}`, 'MULTIPOINT (1 2, EMPTY)'],
    ['010500000001000000010200000000000000', 'MULTILINESTRING (EMPTY)'],
    [`01060000000100000001030000000100000001000000${ONE}${TWO}`, 'MULTIPOLYGON (((1 2)))'],
    [
      `0107000000020000000101000000${ONE}${TWO}010700000000000000`,
      'GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION EMPTY)',
    ],
  ])('%s', (hex, text) => {
    expect(geometryText(bytes(hex))).toBe(text);
  });

  test('numbers are as short as they can be', () => {
    const point = (x: number, y: number): string => {
      const wkb = Buffer.alloc(21);
      wkb.writeUInt8(1, 0);
      wkb.writeUInt32LE(1, 1);
      wkb.writeDoubleLE(x, 5);
      wkb.writeDoubleLE(y, 13);
      return geometryText(wkb);
    };
    expect(point(1e15, 1e16)).toBe('POINT (1000000000000000 1e+16)');
    expect(point(1e-4, 1e-5)).toBe('POINT (0.0001 1e-05)');
    expect(point(-0, 0.1 + 0.2)).toBe('POINT (-0 0.30000000000000004)');
    expect(point(Number.POSITIVE_INFINITY, Number.NaN)).toBe('POINT (inf nan)');
  });
});
