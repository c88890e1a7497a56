import { type DuckDBConnection, DuckDBInstance, DuckDBTypeId } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DataType } from '../../src/common/data_type.ts';
import * as types from '../../src/common/data_type.ts';
import { isNull } from '../../src/output/column_access.ts';
import { renderValue, textReader } from '../../src/output/render_value.ts';
import { columnOf } from './result_column.ts';

let duckdb: DuckDBConnection;

beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run("SET TimeZone = 'UTC'");
});

/** Our type of a DuckDB type, and its values as `columnOf` takes them. */
// biome-ignore lint/suspicious/noExplicitAny: the client's value classes have no common type
function fromDuckdb(type: any): { type: DataType; value: (v: any) => unknown } {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const scalar = (ours: DataType, value: (v: any) => unknown) => ({ type: ours, value });
  switch (type.typeId as DuckDBTypeId) {
    case DuckDBTypeId.BOOLEAN:
      return scalar(types.BOOL, (v) => v);
    case DuckDBTypeId.TINYINT:
      return scalar(types.INT8, (v) => v);
    case DuckDBTypeId.SMALLINT:
      return scalar(types.INT16, (v) => v);
    case DuckDBTypeId.INTEGER:
      return scalar(types.INT32, (v) => v);
    case DuckDBTypeId.BIGINT:
      return scalar(types.INT64, (v) => v);
    case DuckDBTypeId.UBIGINT:
      return scalar(types.UINT64, (v) => v);
    case DuckDBTypeId.FLOAT:
      return scalar(types.FLOAT32, (v) => v);
    case DuckDBTypeId.DOUBLE:
      return scalar(types.FLOAT64, (v) => v);
    case DuckDBTypeId.DECIMAL:
      return scalar(types.decimal(type.width, type.scale), (v: { value: bigint }) => v.value);
    case DuckDBTypeId.DATE:
      return scalar(types.DATE, (v: { days: number }) => v.days);
    case DuckDBTypeId.TIME:
      return scalar(types.TIME, (v: { micros: bigint }) => v.micros);
    case DuckDBTypeId.TIMESTAMP:
      return scalar(types.TIMESTAMP, (v: { micros: bigint }) => v.micros);
    case DuckDBTypeId.TIMESTAMP_TZ:
      return scalar(types.TIMESTAMPTZ, (v: { micros: bigint }) => v.micros);
    case DuckDBTypeId.TIMESTAMP_S:
      return scalar({ kind: 'timestamp', unit: 's', zone: false }, (v: { seconds: bigint }) => v.seconds);
    case DuckDBTypeId.TIMESTAMP_MS:
      return scalar({ kind: 'timestamp', unit: 'ms', zone: false }, (v: { millis: bigint }) => v.millis);
    case DuckDBTypeId.TIMESTAMP_NS:
      return scalar({ kind: 'timestamp', unit: 'ns', zone: false }, (v: { nanos: bigint }) => v.nanos);
    case DuckDBTypeId.INTERVAL:
      return scalar(types.INTERVAL, (v) => v);
    case DuckDBTypeId.VARCHAR:
      return scalar(types.STRING, (v) => v);
    case DuckDBTypeId.BLOB:
      return scalar(types.BINARY, (v: { bytes: Uint8Array }) => v.bytes);
    case DuckDBTypeId.UUID:
      return scalar(types.UUID, (v: { toString(): string }) => v.toString());
    case DuckDBTypeId.LIST: {
      const element = fromDuckdb(type.valueType);
      return {
        type: types.list(element.type),
        value: (v: { items: unknown[] }) => v.items.map((item) => (item === null ? null : element.value(item))),
      };
    }
    case DuckDBTypeId.STRUCT: {
      const members = (type.entryTypes as unknown[]).map(fromDuckdb);
      const names = type.entryNames as string[];
      return {
        type: types.struct(members.map((m, i) => ({ name: names[i] as string, type: m.type }))),
        value: (v: { entries: Record<string, unknown> }) =>
          members.map((m, i) => {
            const item = v.entries[names[i] as string];
            return item === null ? null : m.value(item);
          }),
      };
    }
    case DuckDBTypeId.MAP: {
      const key = fromDuckdb(type.keyType);
      const value = fromDuckdb(type.valueType);
      return {
        type: types.map(key.type, value.type),
        value: (v: { entries: { key: unknown; value: unknown }[] }) =>
          v.entries.map((e) => [key.value(e.key), e.value === null ? null : value.value(e.value)]),
      };
    }
    default:
      throw new Error(`type not mapped: ${type}`);
  }
}

/** Asks DuckDB for values and their VARCHAR text; gives both texts of each value. */
async function bothTexts(values: string): Promise<{ ours: (string | null)[]; duckdbs: (string | null)[] }> {
  const result = await duckdb.runAndReadAll(`SELECT v, v::VARCHAR FROM (${values}) t(v)`);
  const { type, value } = fromDuckdb(result.columnType(0));
  const columns = result.getColumns();
  const column = columnOf(
    type,
    (columns[0] as unknown[]).map((v) => (v === null ? null : value(v))),
  );
  const ours = (columns[0] as unknown[]).map((_, row) => renderValue(column, row));
  return { ours, duckdbs: columns[1] as (string | null)[] };
}

const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  booleans: ['true', 'false', 'NULL::BOOLEAN'],
  integers: ['(-2147483648)::INTEGER', '2147483647', '0', 'NULL'],
  bigints: [
    '(-9223372036854775808)::BIGINT',
    '9223372036854775807',
    '9007199254740993',
    '-9007199254740991',
    '-1::BIGINT',
    '0::BIGINT',
  ],
  ubigints: ['18446744073709551615::UBIGINT', '0::UBIGINT', '9223372036854775808::UBIGINT'],
  dates: [
    "DATE '1970-01-01'",
    "DATE '0001-01-01'",
    "'0001-12-31 (BC)'::DATE",
    "'0044-03-15 (BC)'::DATE",
    "DATE '9999-12-31'",
    "DATE '10000-01-01'",
    "DATE '-290000-01-01'",
    "'infinity'::DATE",
    "'-infinity'::DATE",
    'make_date(-2147483646)',
    'make_date(2147483646)',
    "DATE '2000-02-29'",
    "DATE '1900-02-28'",
  ],
  times: ["TIME '03:04:05.1'", "TIME '24:00:00'", "TIME '00:00:00'", "TIME '23:59:59.999999'"],
  timestamps: [
    "TIMESTAMP '2020-01-02 03:04:05.120'",
    "TIMESTAMP '1969-12-31 23:59:59.999999'",
    "'0001-01-01 (BC) 03:04:05'::TIMESTAMP",
    "TIMESTAMP '12345-01-01 00:00:00'",
    "'infinity'::TIMESTAMP",
    "'-infinity'::TIMESTAMP",
    'make_timestamp(-9223372022400000000)',
    'make_timestamp(9223372036854775806)',
  ],
  'timestamps with zone': [
    "TIMESTAMPTZ '2020-01-02 03:04:05.1+02'",
    "'0044-03-15 (BC) 03:04:05+00'::TIMESTAMPTZ",
    "'infinity'::TIMESTAMPTZ",
  ],
  'timestamps in seconds': [
    "TIMESTAMP_S '2020-01-02 03:04:05'",
    "'-infinity'::TIMESTAMP_S",
    "TIMESTAMP_S '1969-12-31 23:59:59'",
  ],
  'timestamps in milliseconds': ["TIMESTAMP_MS '2020-01-02 03:04:05.1'", "TIMESTAMP_MS '1969-12-31 23:59:59.999'"],
  'timestamps in nanoseconds': [
    "TIMESTAMP_NS '2020-01-02 03:04:05.123456789'",
    "TIMESTAMP_NS '2020-01-02 03:04:05.12'",
    'make_timestamp_ns(-1)',
    "'infinity'::TIMESTAMP_NS",
  ],
  intervals: [
    "INTERVAL '1 year 2 months'",
    "INTERVAL '-1 year -2 months'",
    "INTERVAL '14 months 3 days 04:05:06.7'",
    "INTERVAL '-3 days'",
    "INTERVAL '1 day'",
    "INTERVAL '-1 second'",
    "INTERVAL '0 days'",
    "INTERVAL '100 hours'",
    "INTERVAL '1 day -1 second'",
    "INTERVAL '-1 microsecond'",
    'to_microseconds(-9223372036854775807)',
    "INTERVAL '178956970 years'",
  ],
  blobs: ["'\\xAA\\x00abc\\x5C\\x22'::BLOB", "'a''b'::BLOB", "'\\x7E\\x7F '::BLOB", "''::BLOB"],
  uuids: ["'9e107d9d-372b-b682-6bd8-1d3542a419d6'::UUID", "'00000000-0000-0000-0000-000000000001'::UUID"],
  decimals: ['0.5::DECIMAL(1,1)', '-0.1::DECIMAL(1,1)', '0::DECIMAL(1,1)'],
  'wide decimals': [
    "'-0.5'::DECIMAL(38,38)",
    "'0.99999999999999999999999999999999999999'::DECIMAL(38,38)",
    "'0'::DECIMAL(38,38)",
    "'-0.00000000000000000000000000000000000001'::DECIMAL(38,38)",
  ],
  'lists of strings': [
    "['a', '', 'null', 'NULL', ' x', 'x ', 'a,b', 'it''s', 'a\"b', 'a=b', 'a:b', '(x', 'back\\slash', 'tab\tx', 'a b', 'a;b', 'nul', 'é', 'a{', '[x', '-', '1', 'a\\,b']",
    '[]::VARCHAR[]',
    'NULL::VARCHAR[]',
    "[NULL, 'a']",
    "['\n', 'a\nb', 'x\u000c', '\u000bx', '\u00a0x']",
  ],
  'lists of timestamps': ["[TIMESTAMP '2020-01-01 00:00:00', NULL]"],
  'lists of times': ["[TIME '03:04:05']"],
  'lists of dates': ["[DATE '2020-01-01', '0044-03-15 (BC)'::DATE]"],
  'lists of intervals': ["[INTERVAL '1 day', INTERVAL '1 day 1 second']"],
  'lists of blobs': ["['a,b'::BLOB, '\\xAA'::BLOB, ''::BLOB, '\\xAA,'::BLOB]"],
  'lists of lists': ["[['a'], [], NULL, [NULL]]"],
  'lists of floats': ['[1.0::FLOAT, 0.1::FLOAT, NULL]'],
  structs: ["{'a': 1, 'b': NULL::VARCHAR}", "{'a': 2, 'b': 'x,y'}"],
  'struct names': ["{'it''s': 1, 'a.b\\c': [2], 'q\"x': {'z': 'y z'}}"],
  maps: ["MAP {'k': 1, 'q': NULL, 'it''s': 3, '': 4}"],
  'maps of timestamps': ["MAP {TIMESTAMP '2020-01-01 00:00:00': ['v,']}"],
};

describe('text equals DuckDB', () => {
  for (const [name, expressions] of Object.entries(EXPRESSIONS)) {
    it(name, async () => {
      const { ours, duckdbs } = await bothTexts(expressions.map((e) => `SELECT ${e}`).join(' UNION ALL '));
      expect(ours).toEqual(duckdbs);
      expect(ours).toHaveLength(expressions.length);
    });
  }

  const GENERATED: Readonly<Record<string, string>> = {
    'doubles of every magnitude': 'SELECT (random() - 0.5) * pow(10, i % 640 - 320) FROM range(20000) t(i)',
    'doubles around the exponent limits':
      'SELECT s * d * pow(10, e) FROM range(1, 100) a(d), range(-8, 20) b(e), (VALUES (1), (-1)) c(s)',
    'powers of two as doubles': 'SELECT pow(2, i) FROM range(-1074, 1024) t(i) WHERE i NOT IN (81, 91, 807)',
    'powers of two as floats': 'SELECT pow(2, i)::FLOAT FROM range(-149, 128) t(i)',
    'neighbours of powers of ten as floats':
      'SELECT (d * pow(10, e) * (1 + k * 6e-8))::FLOAT FROM range(1, 11) a(d), range(-44, 38) b(e), range(-2, 3) c(k)',
    'floats between 0 and 1': 'SELECT random()::FLOAT FROM range(50000)',
    'floats of every magnitude': 'SELECT ((random() - 0.5) * pow(10, i % 80 - 42))::FLOAT FROM range(50000) t(i)',
    'special doubles':
      "SELECT unnest(['nan', 'inf', '-inf', '-0.0', '0', '1e21', '5e-324', '1.7976931348623157e308', '123456789012345678']::DOUBLE[])",
    'special floats':
      "SELECT unnest(['nan', 'inf', '-inf', '-0.0', '0', '16777216', '16777218', '3.4028235e38', '1e-45', '1e16', '9.999999e15', '1e-4', '9.9999e-5']::FLOAT[])",
    'small decimals': 'SELECT ((random() - 0.5) * 100)::DECIMAL(5,3) FROM range(2000)',
    'decimals of 18 digits':
      'SELECT (hash(i)::DOUBLE / 1e8 * CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END)::DECIMAL(18,4) FROM range(2000) t(i)',
    'decimals of 38 digits':
      "SELECT ((CASE WHEN i % 2 = 0 THEN '-' ELSE '' END) || (hash(i) % 1000000000000000000) || lpad((hash(i + 7) % 1000000000000000000)::VARCHAR, 18, '0'))::DECIMAL(38,2) FROM range(2000) t(i)",
    'days of 12,000 years': 'SELECT make_date(i::INTEGER) FROM range(-2500000, 2500000, 97) t(i)',
    timestamps:
      'SELECT make_timestamp((hash(i) >> 6)::BIGINT * CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END) FROM range(5000) t(i)',
  };

  for (const [name, sql] of Object.entries(GENERATED)) {
    it(name, async () => {
      const { ours, duckdbs } = await bothTexts(sql);
      expect(ours.length).toBeGreaterThan(0);
      expect(ours).toEqual(duckdbs);
    });
  }
});

describe('text where DuckDB names another number', () => {
  it('reads back as the value', async () => {
    const { ours, duckdbs } = await bothTexts('SELECT pow(2, i) FROM (VALUES (81), (91), (807)) t(i)');
    expect(ours).toEqual(['2.4178516392292583e+24', '2.4758800785707605e+27', '8.535058474086213e+242']);
    expect(duckdbs).toEqual(['4.835703278458517e+24', '4.951760157141521e+27', 'A.070116948172427e+242']);
  });
});

describe('types that DuckDB lacks', () => {
  it('shows half and bfloat16 values as FLOAT', () => {
    const half = columnOf(types.FLOAT16, [0x3c00, 0x2e66, 0x0001, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7bff, null]);
    expect(Array.from({ length: 9 }, (_, i) => renderValue(half, i))).toEqual([
      '1.0',
      '0.099975586',
      '5.9604645e-08',
      '-0.0',
      'inf',
      '-inf',
      'nan',
      '65504.0',
      null,
    ]);
    const brain = columnOf(types.BFLOAT16, [0x3f80, 0x3dcd, 0x8000, 0x7f80, 0x7fc0, 0x7f7f]);
    expect(Array.from({ length: 6 }, (_, i) => renderValue(brain, i))).toEqual([
      '1.0',
      '0.100097656',
      '-0.0',
      'inf',
      'nan',
      '3.3895314e+38',
    ]);
  });

  it('shows a column of NULL type as NULL', () => {
    expect(renderValue(columnOf(types.NULL_TYPE, [null, null]), 1)).toBe(null);
  });

  it('shows a struct without names as a tuple', () => {
    const type = types.struct([
      { name: '', type: types.INT32 },
      { name: '', type: types.STRING },
    ]);
    expect(renderValue(columnOf(type, [[1, 'a,b']]), 0)).toBe("(1, 'a,b')");
  });
});

describe('64-bit offsets', () => {
  it('reads lists, strings and maps', () => {
    const type = types.list(types.map(types.STRING, types.list(types.INT32)));
    const column = columnOf(type, [[[['a', [1, 2]]], [['b', []]]], null, []], { wide: true });
    expect(column.offsets).toBeInstanceOf(BigInt64Array);
    expect([0, 1, 2].map((row) => renderValue(column, row))).toEqual(['[{a=[1, 2]}, {b=[]}]', null, '[]']);
  });
});

describe('values in pieces', () => {
  it('are the same text as in one', () => {
    const long = Array.from({ length: 60_000 }, (_, i) => (i % 11 === 0 ? null : i / 7));
    const type = types.struct([
      { name: 'v', type: types.list(types.FLOAT64) },
      { name: 'm', type: types.map(types.INT32, types.list(types.FLOAT64)) },
      { name: 's', type: types.STRING },
    ]);
    const column = columnOf(type, [
      [
        long,
        [
          [1, long],
          [2, null],
        ],
        'x',
      ],
    ]);
    const reader = textReader(column);
    const pieces = [...reader.pieces(0)];
    expect(pieces.join('')).toBe(reader.text(0));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(40_000);
    expect(isNull(column, 0)).toBe(false);
  });

  it('cut long strings between code points', () => {
    const text = 'añ€😀'.repeat(50_000);
    const reader = textReader(columnOf(types.STRING, [text]));
    const pieces = [...reader.pieces(0)];
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(5);
  });
});
