import { describe, expect, test } from 'vitest';
import type { DataType } from '../../src/common/data_type.ts';
import {
  BINARY,
  DATE,
  GEOMETRY,
  holdsVariant,
  INT32,
  JSON_TEXT,
  list,
  map,
  STRING,
  sameType,
  struct,
  TIME,
  TIMETZ,
  typeName,
  VARIANT,
} from '../../src/common/data_type.ts';
import type { ArgumentType } from '../../src/functions/argument.ts';
import { typeCastCost } from '../../src/functions/cast_cost.ts';
import { findFunction, resolveCall } from '../../src/functions/index.ts';
import { commonType, forcedCommonType, supertype } from '../../src/functions/supertype.ts';

const name = (type: DataType | null): string => (type === null ? 'none' : typeName(type));
const typed = (type: DataType): ArgumentType => ({ type, literal: undefined });
const text: ArgumentType = { type: STRING, literal: 'x' };

/** Result of a call, or the error. */
function result(fn: string, ...types: DataType[]): string {
  try {
    const row = findFunction(fn);
    if (row === undefined) return 'no function';
    return typeName(resolveCall(row, types.map(typed), { start: 0, end: 0 }).type);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('tagged types', () => {
  test('have names and are not what they are held as', () => {
    expect([JSON_TEXT, VARIANT, GEOMETRY, TIMETZ, list(JSON_TEXT)].map(typeName)).toEqual([
      'JSON',
      'VARIANT',
      'GEOMETRY',
      'TIME WITH TIME ZONE',
      'JSON[]',
    ]);
    expect(sameType(JSON_TEXT, STRING)).toBe(false);
    expect(sameType(GEOMETRY, BINARY)).toBe(false);
    expect(sameType(TIMETZ, TIME)).toBe(false);
    expect(sameType(TIME, { kind: 'time', unit: 'us', zone: false })).toBe(true);
  });

  test('JSON meets text as VARCHAR', () => {
    expect(name(supertype(JSON_TEXT, STRING))).toBe('VARCHAR');
    expect(name(supertype(STRING, JSON_TEXT))).toBe('VARCHAR');
    expect(name(supertype(JSON_TEXT, JSON_TEXT))).toBe('JSON');
    expect(name(supertype(list(JSON_TEXT), list(STRING)))).toBe('VARCHAR[]');
    expect(name(commonType([typed(JSON_TEXT), text]))).toBe('VARCHAR');
    expect(name(supertype(JSON_TEXT, INT32))).toBe('none');
    expect(name(forcedCommonType([typed(JSON_TEXT), typed(INT32)]))).toBe('VARCHAR');
  });

  test('others do not mix', () => {
    expect(name(supertype(VARIANT, STRING))).toBe('none');
    expect(name(supertype(VARIANT, JSON_TEXT))).toBe('none');
    expect(name(supertype(GEOMETRY, BINARY))).toBe('none');
    expect(name(supertype(TIMETZ, TIME))).toBe('none');
    expect(name(supertype(TIMETZ, TIMETZ))).toBe('TIME WITH TIME ZONE');
  });

  test('all cast to VARCHAR by themselves, nothing casts to them', () => {
    for (const type of [JSON_TEXT, VARIANT, GEOMETRY, TIMETZ]) {
      expect(typeCastCost(type, STRING)).not.toBeNull();
      expect(typeCastCost(STRING, type)).toBeNull();
    }
    expect(typeCastCost(GEOMETRY, BINARY)).toBeNull();
    expect(typeCastCost(TIMETZ, { kind: 'time', unit: 'ns' })).toBeNull();
  });

  test('functions', () => {
    expect(result('upper', JSON_TEXT)).toBe('VARCHAR');
    expect(result('min', JSON_TEXT)).toBe('JSON');
    expect(result('list', GEOMETRY)).toBe('GEOMETRY[]');
    expect(result('hour', TIMETZ)).toBe('BIGINT');
    expect(result('+', TIMETZ, { kind: 'interval' })).toBe('TIME WITH TIME ZONE');
    expect(result('||', GEOMETRY, STRING)).toBe('VARCHAR');
    // Elements and fields of JSON and VARIANT are not those of their text.
    expect(result('list_extract', JSON_TEXT, INT32)).toContain('no overload fits');
    expect(result('list_slice', VARIANT, INT32, INT32)).toContain('no overload fits');
    expect(result('length', GEOMETRY)).toContain('no overload fits');
    expect(result('+', DATE, TIMETZ)).toContain('no overload fits');
  });

  test('a variant is found in other types', () => {
    expect(holdsVariant(struct([{ name: 'a', type: list(VARIANT) }]))).toBe(true);
    expect(holdsVariant(map(STRING, VARIANT))).toBe(true);
    expect(holdsVariant(map(STRING, JSON_TEXT))).toBe(false);
  });
});
