/** DuckDB expressions over `i` that together give every type, and what each is wrapped in. */
export const COLUMNS: Readonly<Record<string, string>> = {
  b: 'i % 3 = 0',
  i8: '(i % 200 - 100)::TINYINT',
  i16: '(i * 7 % 60000 - 30000)::SMALLINT',
  i32: '(i * 100003 % 4000000000 - 2000000000)::INTEGER',
  i64: 'i * 10000000019 - 5',
  u8: '(i % 256)::UTINYINT',
  u16: '(i * 13 % 65536)::USMALLINT',
  u32: '(i * 2000003 % 4294967296)::UINTEGER',
  u64: '(i::HUGEINT * 9007199254740993 % 18446744073709551616)::UBIGINT',
  f32: "CASE i % 7 WHEN 0 THEN 'nan'::FLOAT WHEN 1 THEN '-inf'::FLOAT WHEN 2 THEN '-0.0'::FLOAT ELSE (i / 3)::FLOAT END",
  f64: "CASE i % 5 WHEN 0 THEN '-0.0'::DOUBLE ELSE (i / 7)::DOUBLE END",
  d4: '(i % 90 - 45)::DECIMAL(4, 2)',
  d9: '(i - 1000)::DECIMAL(9, 3)',
  d18: '(i * 1000003 - 5)::DECIMAL(18, 3)',
  d20: '(5 - i)::DECIMAL(20, 1)',
  d38: '(i - 7)::DECIMAL(38, 10) * 1000003',
  dt: "DATE '1969-12-01' + i::INTEGER",
  tm: "TIME '01:02:03.456789'",
  ts: "TIMESTAMP '1969-12-31 23:00:00.000001' + to_seconds(i)",
  tns: 'make_timestamp_ns(i * 1000000007)',
  tms: 'epoch_ms(i * 1003)::TIMESTAMP_MS',
  ttz: "TIMESTAMPTZ '2024-01-01 00:00:00.5+00' + to_seconds(i)",
  iv: 'to_days((i % 40)::INTEGER) + to_months((i % 5)::INTEGER) + to_milliseconds(i)',
  s: "'row ' || i",
  few: "['ant', 'bee', 'a word with more than twelve letters'][i % 3 + 1]",
  empty: "''",
  long: "repeat('ümläut', 20) || i",
  bl: "('bin' || i)::BLOB",
  uu: 'md5(i::VARCHAR)::UUID',
};

/** The column with every fourth value NULL. */
export const withNulls = (expression: string): string => `CASE WHEN i % 4 = 1 THEN NULL ELSE ${expression} END`;

/** Nested forms over expressions of scalars. */
export const NESTED: Readonly<Record<string, (expression: string) => string>> = {
  list: (x) => `CASE i % 5 WHEN 0 THEN [] WHEN 1 THEN NULL WHEN 2 THEN [NULL, ${x}] ELSE [${x}, ${x}, NULL] END`,
  full: (x) => `[${x}, ${x}]`,
  struct: (x) => `CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN {'p': ${x}, 'q': NULL::INTEGER} ELSE {'p': NULL, 'q': 5} END`,
  map: (x) => `CASE i % 4 WHEN 0 THEN MAP {} WHEN 1 THEN NULL ELSE MAP {'k' || i: ${x}, 'z': NULL} END`,
  lists: (x) =>
    `CASE i % 6 WHEN 0 THEN [] WHEN 1 THEN NULL WHEN 2 THEN [[]] WHEN 3 THEN [NULL, [${x}]] ELSE [[${x}, NULL], [], [${x}]] END`,
  deep: (x) =>
    `CASE i % 3 WHEN 0 THEN NULL ELSE [{'a': [${x}], 'm': MAP {i: [{'z': ${x}}]}}, NULL, {'a': NULL, 'm': NULL}] END`,
};
