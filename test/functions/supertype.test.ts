import { describe, expect, test } from 'vitest';
import type { DataType } from '../../src/common/data_type.ts';
import {
  DATE,
  decimal,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  list,
  NULL_TYPE,
  STRING,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeName,
  UINT8,
  UINT64,
} from '../../src/common/data_type.ts';
import type { ArgumentType } from '../../src/functions/argument.ts';
import { commonType, forcedCommonType, supertype } from '../../src/functions/supertype.ts';

const name = (type: DataType | null): string => (type === null ? 'none' : typeName(type));
const typed = (type: DataType): ArgumentType => ({ type, literal: undefined });
const number = (value: bigint): ArgumentType => ({ type: INT32, literal: value });
const text: ArgumentType = { type: STRING, literal: 'x' };

describe('supertype', () => {
  test.each([
    [INT8, INT16, 'SMALLINT'],
    [UINT8, INT8, 'SMALLINT'],
    [UINT64, INT64, 'DECIMAL(38,0)'],
    [INT64, FLOAT32, 'FLOAT'],
    [FLOAT16, FLOAT16, 'FLOAT16'],
    [FLOAT16, FLOAT32, 'FLOAT'],
    [decimal(7, 2), INT32, 'DECIMAL(12,2)'],
    [decimal(7, 2), decimal(5, 4), 'DECIMAL(9,4)'],
    [decimal(38, 10), decimal(38, 0), 'DECIMAL(38,10)'],
    [decimal(7, 2), FLOAT64, 'DOUBLE'],
    [DATE, TIMESTAMP, 'TIMESTAMP'],
    [TIMESTAMP, TIMESTAMPTZ, 'TIMESTAMP WITH TIME ZONE'],
    [NULL_TYPE, DATE, 'DATE'],
    [list(INT32), list(FLOAT64), 'DOUBLE[]'],
    [list(NULL_TYPE), list(STRING), 'VARCHAR[]'],
    [STRING, INT32, 'none'],
    [DATE, INT32, 'none'],
  ])('%j with %j', (a, b, expected) => {
    expect(name(supertype(a, b))).toBe(expected);
    expect(name(supertype(b, a))).toBe(expected);
  });

  test('constants take the type of typed values', () => {
    expect(name(commonType([typed(INT8), number(5n)]))).toBe('TINYINT');
    expect(name(commonType([typed(INT8), number(500n)]))).toBe('INTEGER');
    expect(name(commonType([typed(DATE), text]))).toBe('DATE');
    expect(name(commonType([number(1n), text]))).toBe('INTEGER');
    expect(name(commonType([text, text]))).toBe('VARCHAR');
    expect(name(commonType([typed(STRING), number(1n)]))).toBe('none');
  });

  test('UNION turns to text where nothing else fits', () => {
    expect(name(forcedCommonType([typed(STRING), typed(INT32)]))).toBe('VARCHAR');
    expect(name(forcedCommonType([typed(DATE), typed(INT32)]))).toBe('none');
  });
});
