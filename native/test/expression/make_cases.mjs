// Writes cases.tsv: calls and casts with the answers of DuckDB, one a line:
//   function, result type, argument types (;), argument texts (;), answer text. \N = NULL, ! = an error.
// Run `node native/test/expression/make_cases.mjs` after changing it; the answers are those of the installed DuckDB.
import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run("SET TimeZone='UTC'");

const KINDS = {
  bool: 'BOOLEAN', int8: 'TINYINT', int16: 'SMALLINT', int32: 'INTEGER', int64: 'BIGINT', uint8: 'UTINYINT', uint16: 'USMALLINT',
  uint32: 'UINTEGER', uint64: 'UBIGINT', float32: 'FLOAT', float64: 'DOUBLE', string: 'VARCHAR', binary: 'BLOB', 'timestamp(us)': 'TIMESTAMP',
  'timestamp(ns)': 'TIMESTAMP_NS', 'timestamp(ms)': 'TIMESTAMP_MS', 'timestamp(s)': 'TIMESTAMP_S', timestamptz: 'TIMESTAMPTZ', hugeint: 'HUGEINT',
};
/** Our type text → SQL: list<T>, struct<a:T,b:T>, map<K,V>. */
function sqlType(type) {
  if (type.startsWith('list<')) return `${sqlType(type.slice(5, -1))}[]`;
  if (type.startsWith('struct<')) {
    return `STRUCT(${type.slice(7, -1).split(',').map((f) => f.replace(/^(\w+):(.*)$/, (_, name, t) => `${name} ${sqlType(t)}`)).join(', ')})`;
  }
  if (type.startsWith('map<')) return `MAP(${type.slice(4, -1).split(',').map(sqlType).join(', ')})`;
  return KINDS[type] ?? type.toUpperCase();
}
const quote = (text) => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`);
const escape = (text) => text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll(';', '\\s');

const lines = [];
async function answer(sql) {
  try {
    const value = (await connection.runAndReadAll(sql)).getRows()[0][0];
    // The sign of NaN is no part of a result.
    return value === null ? '\\N' : escape(value === '-nan' ? 'nan' : value);
  } catch (error) {
    if (/Binder|Catalog|Parser|Not implemented/.test(error.message)) throw new Error(`${sql}: ${error.message}`);
    return '!';
  }
}

/** One case a row of argument texts; `sql` names them $1, $2, …. */
async function cases(fn, result, types, sql, rows) {
  for (const row of rows) {
    const expression = sql.replace(/\$(\d)/g, (_, n) => `CAST(${quote(row[n - 1])} AS ${sqlType(types[n - 1])})`);
    const text = await answer(`SELECT (${expression})::VARCHAR`);
    lines.push([fn, result, types.join(';'), row.map((v) => (v === null ? '\\N' : escape(v))).join(';'), text].join('\t'));
  }
}
/** All combinations of the given values. */
const cross = (...lists) => lists.reduce((rows, list) => rows.flatMap((row) => list.map((v) => [...row, v])), [[]]);
const ones = (values) => values.map((v) => [v]);

const LIMITS = {
  int8: ['-128', '127'], int16: ['-32768', '32767'], int32: ['-2147483648', '2147483647'], int64: ['-9223372036854775808', '9223372036854775807'],
  uint8: ['0', '255'], uint16: ['0', '65535'], uint32: ['0', '4294967295'], uint64: ['0', '18446744073709551615'],
};
const integers = Object.keys(LIMITS);
const values = (type) => [...LIMITS[type], '1', '2', '7', '100', ...(type.startsWith('u') ? ['0'] : ['0', '-1', '-7'])];
const REALS = ['0.0', '-0.0', '1.0', '-1.5', '2.5', '0.1', '1e10', '-1e-10', '1e300', 'inf', '-inf', 'nan', '123.456'];
const FLOATS = ['0.0', '-0.0', '1.0', '-1.5', '2.5', '0.1', '1e8', '3e38', 'inf', '-inf', 'nan'];
const NUMBERS = ['0.5', '1', '2', '-0.5', '-3.25', '10', '0', '100.125', 'nan', 'inf'];

// ---- arithmetic ----
for (const type of integers) {
  const pairs = cross(values(type), values(type));
  for (const [fn, sign] of [['add', '+'], ['sub', '-'], ['mul', '*'], ['int_div', '//'], ['mod', '%'], ['and_bits', '&'], ['or_bits', '|']]) {
    // DuckDB raises for the smallest value % -1; here it is 0
    await cases(fn, type, [type, type], `$1 ${sign} $2`, fn === 'mod' ? pairs.filter((p) => p[1] !== '-1') : pairs);
  }
  await cases('xor_bits', type, [type, type], 'xor($1, $2)', pairs);
  await cases('not_bits', type, [type], '~$1', ones(values(type)));
  await cases('abs', type, [type], 'abs($1)', ones(values(type)));
  if (!type.startsWith('u')) await cases('neg', type, [type], '-$1', ones(values(type)));
  await cases('sign', 'int8', [type], 'sign($1)', ones(values(type)));
  await cases('bit_count', 'int8', [type], 'bit_count($1)', ones(values(type)));
  for (const fn of [['eq', '='], ['ne', '<>'], ['lt', '<'], ['le', '<='], ['gt', '>'], ['ge', '>=']]) await cases(fn[0], 'bool', [type, type], `$1 ${fn[1]} $2`, pairs);
}
await cases('shift_left', 'int32', ['int32', 'int32'], '$1 << $2', cross(['0', '1', '3', '2147483647', '-1'], ['0', '1', '5', '30', '31', '32', '-1']));
await cases('shift_right', 'int32', ['int32', 'int32'], '$1 >> $2', cross(['0', '1', '1000', '-8'], ['0', '1', '5', '31', '32', '-1']));
await cases('shift_left', 'int64', ['int64', 'int64'], '$1 << $2', cross(['1', '3'], ['0', '61', '62', '63', '64']));
for (const [type, list] of [['float32', FLOATS], ['float64', REALS]]) {
  const pairs = cross(list, list);
  for (const [fn, sign] of [['add', '+'], ['sub', '-'], ['mul', '*'], ['div', '/'], ['int_div', '//'], ['mod', '%']]) await cases(fn, type, [type, type], `$1 ${sign} $2`, pairs);
  await cases('neg', type, [type], '-$1', ones(list));
  await cases('abs', type, [type], 'abs($1)', ones(list));
  await cases('sign', 'int8', [type], 'sign($1)', ones(list));
  for (const fn of ['isnan', 'isinf', 'isfinite']) await cases(fn, 'bool', [type], `${fn}($1)`, ones(list));
  for (const fn of [['eq', '='], ['ne', '<>'], ['lt', '<'], ['le', '<='], ['gt', '>'], ['ge', '>=']]) await cases(fn[0], 'bool', [type, type], `$1 ${fn[1]} $2`, pairs);
  for (const fn of ['round', 'trunc', 'ceil', 'floor']) await cases(fn, type, [type], `${fn}($1)`, ones([...list, '-2.5', '0.5', '1.5']));
  for (const digits of ['0', '1', '2', '-1', '20']) {
    await cases('round', type, [type, 'int32'], 'round($1, $2)', cross([...list, '0.285', '15.5', '1.005'], [digits]));
    await cases('trunc', type, [type, 'int32'], 'trunc($1, $2)', cross([...list, '0.285', '15.5'], [digits]));
  }
}
const D1 = ['0.00', '1.25', '-1.25', '999.99', '-999.99', '0.05'];
await cases('add', 'decimal(6,2)', ['decimal(5,2)', 'decimal(5,2)'], '$1 + $2', cross(D1, D1));
await cases('sub', 'decimal(6,2)', ['decimal(5,2)', 'decimal(5,2)'], '$1 - $2', cross(D1, D1));
await cases('mul', 'decimal(10,4)', ['decimal(5,2)', 'decimal(5,2)'], '$1 * $2', cross(D1, D1));
await cases('mod', 'decimal(5,2)', ['decimal(5,2)', 'decimal(5,2)'], '$1 % $2', cross(D1, D1));
const D2 = ['0.0000', '12345678901234567890123456789012.3456', '-9999999999999999999999999999999999.9999', '9999999999999999999999999999999999.9999', '1.5000'];
await cases('add', 'decimal(38,4)', ['decimal(38,4)', 'decimal(38,4)'], '$1 + $2', cross(D2, D2));
await cases('sub', 'decimal(38,4)', ['decimal(38,4)', 'decimal(38,4)'], '$1 - $2', cross(D2, D2));
await cases('mul', 'decimal(38,8)', ['decimal(38,4)', 'decimal(38,4)'], '$1 * $2', cross(D2, D2));
await cases('mod', 'decimal(38,4)', ['decimal(38,4)', 'decimal(38,4)'], '$1 % $2', cross(D2, D2));
await cases('mul', 'decimal(38,6)', ['decimal(38,4)', 'decimal(5,2)'], '$1 * $2', cross(D2, D1));
await cases('mul', 'decimal(36,4)', ['decimal(18,2)', 'decimal(18,2)'], '$1::DECIMAL(36,2) * $2', cross(['9999999999999999.99', '-1.50'], ['9999999999999999.99', '2.25']));
for (const [t, list] of [['decimal(5,2)', D1], ['decimal(38,4)', D2]]) {
  for (const fn of ['neg', 'abs']) await cases(fn, t, [t], fn === 'neg' ? '-$1' : 'abs($1)', ones(list));
  await cases('sign', 'int8', [t], 'sign($1)', ones(list));
  for (const fn of [['eq', '='], ['lt', '<'], ['ge', '>=']]) await cases(fn[0], 'bool', [t, t], `$1 ${fn[1]} $2`, cross(list, list));
}
for (const fn of ['round', 'ceil', 'floor', 'trunc']) await cases(fn, 'decimal(5,0)', ['decimal(5,2)'], `${fn}($1)`, ones([...D1, '0.50', '-0.50', '1.49']));
await cases('round', 'decimal(5,1)', ['decimal(5,2)', 'int32'], 'round($1, 1)', ones([...D1, '1.24', '-1.26']).map((r) => [...r, '1']));
await cases('round', 'decimal(5,0)', ['decimal(5,2)', 'int32'], 'round($1, -1)', ones(['15.00', '14.99', '-15.00', '994.99']).map((r) => [...r, '-1']));
await cases('trunc', 'decimal(5,1)', ['decimal(5,2)', 'int32'], 'trunc($1, 1)', ones([...D1, '1.29', '-1.29']).map((r) => [...r, '1']));
await cases('round', 'int32', ['int32', 'int32'], 'round($1, $2)', cross(['12345', '12355', '-15', '0', '2000000000'], ['-1', '-2', '0', '2', '-10']));

// ---- numeric functions ----
for (const fn of ['sqrt', 'cbrt', 'exp', 'ln', 'log2', 'log10', 'sin', 'cos', 'tan', 'cot', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'degrees', 'radians', 'even']) {
  const list = ['tan', 'cot', 'sin', 'cos'].includes(fn) ? NUMBERS.filter((v) => v !== 'nan') : NUMBERS;
  await cases(fn, 'float64', ['float64'], `${fn}($1)`, ones(list));
}
await cases('pow', 'float64', ['float64', 'float64'], 'pow($1, $2)', cross(NUMBERS, NUMBERS));
await cases('atan2', 'float64', ['float64', 'float64'], 'atan2($1, $2)', cross(NUMBERS, NUMBERS));
await cases('log', 'float64', ['float64', 'float64'], 'log($1, $2)', cross(['2', '10', '1', '-1', '0'], ['8', '100', '0', '-1', '1']));
await cases('gcd', 'int64', ['int64', 'int64'], 'gcd($1, $2)', cross(['0', '12', '-18', '7', '9223372036854775807'], ['0', '18', '-4', '7']));
await cases('lcm', 'int64', ['int64', 'int64'], 'lcm($1, $2)', cross(['0', '12', '-18', '7', '9223372036854775807'], ['0', '18', '-4', '7']));
await cases('factorial', 'hugeint', ['int32'], 'factorial($1)', ones(['0', '1', '5', '20', '33', '34', '-1']));

// ---- text ----
const TEXTS = ['', 'a', 'abc', 'hello world', 'héllo', 'ÀÉÎß', 'a,b,,c', 'x  y ', '  padded  ', '日本語テキスト', 'The quick brown fox jumps over the lazy dog', '👩‍👩‍👧a', 'aaa', 'ABC', "it's"];
for (const fn of ['length', 'strlen', 'bit_length']) await cases(fn, 'int64', ['string'], `${fn}($1)`, ones(TEXTS));
for (const fn of ['lower', 'upper', 'reverse', 'trim', 'ltrim', 'rtrim', 'md5']) await cases(fn, 'string', ['string'], `${fn}($1)`, ones(TEXTS));
for (const fn of ['trim', 'ltrim', 'rtrim']) await cases(fn, 'string', ['string', 'string'], `${fn}($1, $2)`, cross(['xxaxx', 'héh', '', 'abcba', 'xyz'], ['x', 'h', '', 'éh', 'ab', 'xyz']));
const AT = ['-100', '-3', '-1', '0', '1', '2', '5', '100'];
await cases('substring', 'string', ['string', 'int64'], 'substring($1, $2)', cross(TEXTS, AT));
await cases('substring', 'string', ['string', 'int64', 'int64'], 'substring($1, $2, $3)', cross(['', 'hello', 'héllo', '日本語'], AT, ['-100', '-2', '-1', '0', '1', '3', '100']));
await cases('left', 'string', ['string', 'int64'], 'left($1, $2)', cross(TEXTS, AT));
await cases('right', 'string', ['string', 'int64'], 'right($1, $2)', cross(TEXTS, AT));
await cases('string_extract', 'string', ['string', 'int64'], '($1)[$2]', cross(TEXTS, AT));
await cases('string_slice', 'string', ['string', 'int64', 'int64'], '($1)[$2:$3]', cross(['', 'hello', 'héllo'], AT, AT));
await cases('string_concat', 'string', ['string', 'string'], '$1 || $2', cross(TEXTS, ['', 'z', 'a longer text', null]));
await cases('string_concat', 'binary', ['binary', 'binary'], '$1 || $2', cross(['', 'a', '\\xAA\\x00'], ['', 'b', '\\xFF']));
await cases('concat', 'string', ['string', 'string', 'string'], 'concat($1, $2, $3)', cross(['a', null, ''], ['b', null], ['long enough not to be inline', null]));
await cases('concat_ws', 'string', ['string', 'string', 'string', 'string'], 'concat_ws($1, $2, $3, $4)', cross([',', '', null], ['a', null], ['b', null], ['', null]));
await cases('replace', 'string', ['string', 'string', 'string'], 'replace($1, $2, $3)', cross(TEXTS, ['a', 'l', '', 'llo', 'é'], ['', 'XY']));
await cases('translate', 'string', ['string', 'string', 'string'], 'translate($1, $2, $3)', cross(['hello', 'héllo', '', 'aaa'], ['el', 'é', '', 'aa'], ['ip', 'x', '', 'bc']));
await cases('repeat', 'string', ['string', 'int64'], 'repeat($1, $2)', cross(['ab', '', 'é'], ['-1', '0', '1', '7']));
for (const fn of ['lpad', 'rpad']) await cases(fn, 'string', ['string', 'int32', 'string'], `${fn}($1, $2, $3)`, cross(['abc', '', 'é'], ['-1', '0', '2', '6'], ['x', 'xy', 'ü', '']));
for (const [fn, name] of [['starts_with', 'starts_with'], ['ends_with', 'suffix'], ['contains', 'contains']]) {
  await cases(fn, 'bool', ['string', 'string'], `${name}($1, $2)`, cross(TEXTS, ['', 'a', 'hel', 'llo', 'world', '日', 'fox jumps over', 'dog']));
}
await cases('position', 'int64', ['string', 'string'], 'instr($1, $2)', cross(TEXTS, ['', 'a', 'lo', '語', 'zzz', 'fox']));
await cases('split_part', 'string', ['string', 'string', 'int64'], 'split_part($1, $2, $3)', cross(['a,b,,c', '', 'abc', 'é,日'], [',', '', 'b'], ['-5', '-1', '0', '1', '2', '4', '9']));
await cases('string_split', 'list<string>', ['string', 'string'], 'string_split($1, $2)', cross([...TEXTS.slice(0, 7), null], [',', '', 'l', null]));
const PATTERNS = ['', '%', 'a%', '%c', '%b%', 'h_llo', '_', '%l%o%', 'abc', 'a%c', '%%', '___', '日%', '%語%', 'héllo', '_é%', '%l_', 'a,%,c', '%brown%lazy%'];
await cases('like', 'bool', ['string', 'string'], '$1 LIKE $2', cross(TEXTS, PATTERNS));
await cases('ilike', 'bool', ['string', 'string'], '$1 ILIKE $2', cross(TEXTS, [...PATTERNS, 'ABC', 'HÉLLO', 'àéî%', '%QUICK%']));
await cases('like', 'bool', ['string', 'string', 'string'], '$1 LIKE $2 ESCAPE $3', [['a%b', 'a\\%b', '\\'], ['aXb', 'a\\%b', '\\'], ['a_b', 'a$_b', '$'], ['a$b', 'a$$b', '$'], ['abc', 'a%', ''], ['50%', '%$%', '$'], ['abc', 'a%', 'ab']]);
for (const fn of ['ascii', 'unicode']) await cases(fn, 'int32', ['string'], `${fn}($1)`, ones(TEXTS));
await cases('chr', 'string', ['int32'], 'chr($1)', ones(['65', '233', '8364', '128512', '-1', '1114112']));
await cases('hex', 'string', ['string'], 'hex($1)', ones(TEXTS));
await cases('hex', 'string', ['int64'], 'hex($1)', ones(['0', '1', '255', '-1', '9223372036854775807']));
await cases('bin', 'string', ['int64'], 'bin($1)', ones(['0', '1', '5', '-1']));
await cases('unhex', 'binary', ['string'], 'unhex($1)', ones(['', '41', '4142', 'abc', 'zz', 'FFfe']));
await cases('to_base64', 'string', ['binary'], 'to_base64($1)', ones(['', 'a', 'ab', 'abc', 'abcd', '\\x00\\xFF']));
await cases('from_base64', 'binary', ['string'], 'from_base64($1)', ones(['', 'YQ==', 'YWI=', 'YWJj', 'YWJ', '!!!!']));
await cases('levenshtein', 'int64', ['string', 'string'], 'levenshtein($1, $2)', cross(['', 'kitten', 'é'], ['', 'sitting', 'e']));
await cases('octet_length', 'int64', ['binary'], 'octet_length($1)', ones(['', 'abc', '\\x00\\xFF']));
await cases('regexp_matches', 'bool', ['string', 'string'], 'regexp_matches($1, $2)', cross(TEXTS, ['b', '^a', 'l+', '\\d', 'é', '(', '^$']));
await cases('regexp_full_match', 'bool', ['string', 'string'], 'regexp_full_match($1, $2)', cross(TEXTS, ['abc', 'a.*', '.*']));
await cases('regexp_extract', 'string', ['string', 'string', 'int32'], 'regexp_extract($1, $2, 1)', cross(TEXTS, ['(b)', '(l+)(o)', 'x(y)?'], ['1']));
await cases('regexp_replace', 'string', ['string', 'string', 'string'], 'regexp_replace($1, $2, $3)', cross(TEXTS, ['l', '(a)', '[aeiou]'], ['_', '[\\1]', '\\0\\0']));
await cases('regexp_replace', 'string', ['string', 'string', 'string', 'string'], "regexp_replace($1, $2, $3, 'g')", cross(TEXTS, ['l', '[aeiou]'], ['_', ''], ['g']));
for (const fn of [['eq', '='], ['ne', '<>'], ['lt', '<'], ['le', '<='], ['gt', '>'], ['ge', '>=']]) {
  await cases(fn[0], 'bool', ['string', 'string'], `$1 ${fn[1]} $2`, cross(TEXTS, TEXTS));
  await cases(fn[0], 'bool', ['list<int32>', 'list<int32>'], `$1 ${fn[1]} $2`, cross(['[]', '[1]', '[1, 2]', '[1, NULL]', '[2]', '[NULL]'], ['[]', '[1]', '[1, 2]', '[1, NULL]', '[2]', '[NULL]']));
  await cases(fn[0], 'bool', ['struct<a:int32,b:string>', 'struct<a:int32,b:string>'], `$1 ${fn[1]} $2`, cross(['{a: 1, b: x}', '{a: 1, b: NULL}', '{a: 2, b: a}'], ['{a: 1, b: x}', '{a: NULL, b: x}', '{a: 1, b: NULL}']));
  await cases(fn[0], 'bool', ['interval', 'interval'], `$1 ${fn[1]} $2`, cross(['1 month', '30 days', '29 days 24 hours', '1 year', '-1 day'], ['1 month', '30 days', '12 months', '-24 hours']));
  await cases(fn[0], 'bool', ['uuid', 'uuid'], `$1 ${fn[1]} $2`, cross(['00000000-0000-0000-0000-000000000001', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '80000000-0000-0000-0000-000000000000'], ['00000000-0000-0000-0000-000000000001', '7fffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff']));
  await cases(fn[0], 'bool', ['binary', 'binary'], `$1 ${fn[1]} $2`, cross(['', 'a', '\\xFF', 'a\\x00'], ['', 'a', '\\xFF', 'b']));
}
await cases('is_distinct_from', 'bool', ['int32', 'int32'], '$1 IS DISTINCT FROM $2', cross(['1', '2', null], ['1', null]));
await cases('is_not_distinct_from', 'bool', ['string', 'string'], '$1 IS NOT DISTINCT FROM $2', cross(['a', 'b', null], ['a', null]));
await cases('nullif', 'int32', ['int32', 'int32'], 'nullif($1, $2)', cross(['1', '2', null], ['1', null]));
await cases('greatest', 'string', ['string', 'string', 'string'], 'greatest($1, $2, $3)', cross(['a', null], ['b', null], ['ab', null]));
await cases('least', 'float64', ['float64', 'float64'], 'least($1, $2)', cross(['1', 'nan', '-inf', null], ['2', 'nan', null]));
await cases('is_null', 'bool', ['int32'], '$1 IS NULL', ones(['1', null]));
await cases('is_not_null', 'bool', ['string'], '$1 IS NOT NULL', ones(['a', null]));
await cases('not', 'bool', ['bool'], 'NOT $1', ones(['true', 'false', null]));

// ---- dates and times ----
const DATES = ['1970-01-01', '2020-02-29', '1969-12-31', '2000-01-01', '1999-12-31', '2021-01-03', '2024-12-30', '0001-01-01', '0044-03-15 (BC)', '9999-12-31', 'infinity'];
const STAMPS = ['1970-01-01 00:00:00', '2020-02-29 23:59:59.999999', '1969-12-31 23:59:59.5', '2021-01-03 12:34:56.789012', '0044-03-15 (BC) 01:02:03', '9999-12-31 23:59:59', 'infinity', '-infinity'];
const TIMES = ['00:00:00', '12:34:56.789012', '23:59:59.999999'];
const SPANS = ['1 day', '-1 day', '1 month', '14 months', '-1 year', '01:30:00', '1 year 2 months 3 days 04:05:06.789', '-00:00:00.5', '100 days', '0 days'];
const PARTS = ['era', 'millennium', 'century', 'decade', 'year', 'quarter', 'month', 'day', 'week', 'isoyear', 'yearweek', 'dow', 'isodow', 'doy'];
const FINE = ['hour', 'minute', 'second', 'millisecond', 'microsecond'];
for (const part of [...PARTS, ...FINE]) {
  await cases(part, 'int64', ['date'], `date_part('${part}', $1)`, ones(DATES));
  await cases(part, 'int64', ['timestamp(us)'], `date_part('${part}', $1)`, ones(STAMPS));
  await cases('date_part', 'int64', ['string', 'timestamp(us)'], `date_part('${part}', $2)`, ones(STAMPS.slice(1, 4)).map((r) => [part, ...r]));
}
for (const part of FINE) await cases(part, 'int64', ['time'], `date_part('${part}', $1)`, ones(TIMES));
for (const part of ['millennium', 'century', 'decade', 'year', 'quarter', 'month', 'day', ...FINE]) await cases(part, 'int64', ['interval'], `date_part('${part}', $1)`, ones(SPANS));
for (const type of ['date', 'timestamp(us)', 'time', 'interval']) {
  const list = type === 'date' ? DATES : type === 'time' ? TIMES : type === 'interval' ? SPANS : STAMPS;
  await cases('epoch', 'float64', [type], 'epoch($1)', ones(list));
  await cases('epoch_ms', 'int64', [type], 'epoch_ms($1)', ones(list));
  await cases('epoch_us', 'int64', [type], 'epoch_us($1)', ones(list));
}
await cases('epoch_ns', 'int64', ['timestamp(us)'], 'epoch_ns($1)', ones(STAMPS.slice(0, 4)));
await cases('nanosecond', 'int64', ['timestamp(ns)'], 'nanosecond($1)', ones(['2020-01-01 00:00:01.123456789']));
await cases('julian', 'float64', ['timestamp(us)'], "date_part('julian', $1)", ones(STAMPS.slice(0, 4)));
const CUT = [...PARTS.filter((p) => p !== 'era'), ...FINE];
for (const part of CUT) {
  await cases('date_trunc', 'timestamp(us)', ['string', 'timestamp(us)'], 'date_trunc($1, $2)', cross([part], STAMPS));
  await cases('date_trunc', 'timestamp(us)', ['string', 'date'], 'date_trunc($1, $2)', cross([part], DATES));
  await cases('date_diff', 'int64', ['string', 'timestamp(us)', 'timestamp(us)'], 'date_diff($1, $2, $3)', cross([part], STAMPS.slice(0, 5), STAMPS));
  await cases('date_diff', 'int64', ['string', 'date', 'date'], 'date_diff($1, $2, $3)', cross([part], DATES.slice(0, 8), DATES.slice(0, 8)));
  await cases('date_sub', 'int64', ['string', 'timestamp(us)', 'timestamp(us)'], 'date_sub($1, $2, $3)', cross([part], STAMPS.slice(0, 5), [...STAMPS, '2020-01-31 10:00:00', '2020-03-31 09:00:00']));
}
for (const part of ['century', 'year', 'quarter', 'month', 'week', 'day', 'hour', 'second']) {
  await cases('date_trunc', 'interval', ['string', 'interval'], 'date_trunc($1, $2)', cross([part], SPANS));
}
await cases('add', 'date', ['date', 'int32'], '$1 + $2', cross(DATES.slice(0, 10), ['0', '1', '-1', '365', '2147483647']));
await cases('sub', 'date', ['date', 'int32'], '$1 - $2', cross(DATES.slice(0, 10), ['0', '1', '-365']));
await cases('sub', 'int64', ['date', 'date'], '$1 - $2', cross(DATES, DATES));
await cases('add', 'timestamp(us)', ['date', 'interval'], '$1 + $2', cross(DATES, SPANS));
await cases('sub', 'timestamp(us)', ['date', 'interval'], '$1 - $2', cross(DATES, SPANS));
await cases('add', 'timestamp(us)', ['date', 'time'], '$1 + $2', cross(DATES.slice(0, 5), TIMES));
await cases('add', 'timestamp(us)', ['timestamp(us)', 'interval'], '$1 + $2', cross(STAMPS, SPANS));
await cases('sub', 'timestamp(us)', ['timestamp(us)', 'interval'], '$1 - $2', cross(STAMPS, SPANS));
await cases('sub', 'interval', ['timestamp(us)', 'timestamp(us)'], '$1 - $2', cross(STAMPS.slice(0, 6), STAMPS.slice(0, 6)));
await cases('age', 'interval', ['timestamp(us)', 'timestamp(us)'], 'age($1, $2)', cross([...STAMPS.slice(0, 5), '2020-03-01 01:00:00'], [...STAMPS.slice(0, 4), '2020-01-31 02:00:00']));
await cases('add', 'time', ['time', 'interval'], '$1 + $2', cross(TIMES, SPANS));
await cases('sub', 'time', ['time', 'interval'], '$1 - $2', cross(TIMES, SPANS));
for (const [fn, sign] of [['add', '+'], ['sub', '-']]) await cases(fn, 'interval', ['interval', 'interval'], `$1 ${sign} $2`, cross(SPANS, SPANS));
await cases('neg', 'interval', ['interval'], '-$1', ones(SPANS));
await cases('mul', 'interval', ['interval', 'int64'], '$1 * $2', cross(SPANS, ['0', '2', '-3']));
await cases('mul', 'interval', ['interval', 'float64'], '$1 * $2', cross(['1 day', '1 month', '01:00:00'], ['1.5', '0.25', '-1.5']));
await cases('div', 'interval', ['interval', 'float64'], '$1 / $2', cross(['1 day', '1 month', '03:00:00'], ['2', '4', '8', '0']));
await cases('last_day', 'date', ['date'], 'last_day($1)', ones(DATES));
await cases('dayname', 'string', ['date'], 'dayname($1)', ones(DATES));
await cases('monthname', 'string', ['timestamp(us)'], 'monthname($1)', ones(STAMPS));
await cases('make_date', 'date', ['int64', 'int64', 'int64'], 'make_date($1, $2, $3)', cross(['2020', '0', '-44'], ['1', '2', '13'], ['1', '29', '31']));
await cases('make_time', 'time', ['int64', 'int64', 'float64'], 'make_time($1, $2, $3)', cross(['0', '23', '25'], ['0', '59', '60'], ['0', '1.5', '59.999999', '61']));
await cases('make_timestamp', 'timestamp(us)', ['int64', 'int64', 'int64', 'int64', 'int64', 'float64'], 'make_timestamp($1, $2, $3, $4, $5, $6)', [['2020', '1', '2', '3', '4', '5.25'], ['2020', '2', '30', '0', '0', '0'], ['1969', '12', '31', '23', '59', '59.9999']]);
await cases('make_timestamp', 'timestamp(us)', ['int64'], 'make_timestamp($1)', ones(['0', '1500000', '-1']));
await cases('to_timestamp', 'timestamptz', ['float64'], 'to_timestamp($1)', ones(['0', '1.5', '-1.25', '1e18']));
const FORMATS = ['%Y-%m-%d', '%y%m%d', '%a %A %b %B', '%H:%M:%S.%f', '%I:%M %p', '%j', '%U %W %V %u %w', '%-d/%-m/%Y', '%c', '%x %X', '100%%', '%g'];
await cases('strftime', 'string', ['timestamp(us)', 'string'], 'strftime($1, $2)', cross(STAMPS, FORMATS));
await cases('strftime', 'string', ['date', 'string'], 'strftime($1, $2)', cross(DATES, FORMATS));
await cases('strftime', 'string', ['date', 'string'], 'strftime($1, $2)', cross(DATES.slice(0, 7), ['%G']));
await cases('strptime', 'timestamp(us)', ['string', 'string'], 'strptime($1, $2)', [['2020-01-02', '%Y-%m-%d'], ['2 Jan 2020', '%-d %b %Y'], ['01/02/20', '%m/%d/%y'], ['2020-01-02 03:04:05.678', '%Y-%m-%d %H:%M:%S.%f'], ['03:04 PM', '%I:%M %p'], ['12:30 am', '%I:%M %p'], ['Thursday, 2 January 2020', '%A, %d %B %Y'], ['032 2020', '%j %Y'], ['x', '%Y'], ['2020-13', '%Y-%m'], ['2020-02-30', '%Y-%m-%d'], [' 2020-01-01 ', '%Y-%m-%d'], ['69', '%y'], ['20200101', '%Y%m%d']]);

// ---- lists, structs, maps ----
const LISTS = ['[]', '[1]', '[1, 2, 3]', '[NULL]', '[1, NULL, 3]', null];
await cases('len', 'int64', ['list<int32>'], 'len($1)', ones(LISTS));
await cases('list_extract', 'int32', ['list<int32>', 'int64'], 'list_extract($1, $2)', cross(LISTS, ['-4', '-1', '0', '1', '3', '4', null]));
await cases('list_slice', 'list<int32>', ['list<int32>', 'int64', 'int64'], 'list_slice($1, $2, $3)', cross(LISTS, ['-5', '-2', '0', '1', '2', '9'], ['-5', '-1', '0', '1', '2', '9']));
await cases('list_value', 'list<int32>', ['int32', 'int32'], '[$1, $2]', cross(['1', null], ['2', null]));
await cases('list_concat', 'list<int32>', ['list<int32>', 'list<int32>'], 'list_concat($1, $2)', cross(LISTS, LISTS));
await cases('list_contains', 'bool', ['list<int32>', 'int32'], 'list_contains($1, $2)', cross(LISTS, ['1', '3', '9']));
await cases('list_position', 'int32', ['list<int32>', 'int32'], 'list_position($1, $2)', cross(LISTS.slice(0, 5), ['1', '3', '9']));
await cases('struct_extract', 'string', ['struct<a:int32,b:string>', 'string'], "struct_extract($1, 'b')", cross(['{a: 1, b: x}', '{a: 1, b: NULL}', null], ['b']));
await cases('struct_pack', 'struct<a:int32,b:string>', ['int32', 'string'], '{a: $1, b: $2}', cross(['1', null], ['x y', null]));
await cases('map_extract', 'list<int32>', ['map<string,int32>', 'string'], 'map_extract($1, $2)', cross(['{a=1, b=NULL}', '{}'], ['a', 'b', 'c']));
await cases('map_extract_value', 'int32', ['map<string,int32>', 'string'], '$1[$2]', cross(['{a=1, b=NULL}', '{}'], ['a', 'b', 'c']));
await cases('map_keys', 'list<string>', ['map<string,int32>'], 'map_keys($1)', ones(['{a=1, b=NULL}', '{}']));
await cases('map_values', 'list<int32>', ['map<string,int32>'], 'map_values($1)', ones(['{a=1, b=NULL}', '{}']));
await cases('cardinality', 'uint64', ['map<string,int32>'], 'cardinality($1)', ones(['{a=1, b=NULL}', '{}']));

// ---- casts: of text (through `string` arguments) and between types ----
const INT_TEXTS = ['0', '1', '-1', '127', '128', '255', '256', '2147483647', '2147483648', '-2147483648', '9223372036854775807', '9223372036854775808', '18446744073709551615', ' 12 ', '+5', '-0', '1.5', '2.5', '-2.5', '.5', '12.', '1e3', '15e-1', '25e-1', '1e30', '0x1F', '0b11', '1_000', '1__0', '_1', '1_', '', 'abc', '1 2', '--1', '1e', '-0.4', '99999999999999999999999999999999999999999'];
for (const type of integers) await cases('try_cast', type, ['string'], `TRY_CAST($1 AS ${sqlType(type)})`, ones(INT_TEXTS));
const REAL_TEXTS = ['0', '-0', '1.5', ' 1.5 ', '1e3', '1e400', '-1e400', '1e-400', 'inf', '-Infinity', 'NaN', '+nan', '1,5', '0x10', '1_000.5', '.5', '5.', '1e', '+.5e+3', '-', '.', '', '123456789.123456789', '3.4028235e38', '3.5e38', '1e39', '0.1', '1e-5', '1e15', '1e16', '123456789012345678'];
for (const type of ['float32', 'float64']) await cases('try_cast', type, ['string'], `TRY_CAST($1 AS ${sqlType(type)})`, ones(REAL_TEXTS));
const DECIMAL_TEXTS = ['0', '1.005', '1.015', '-1.005', '1e2', '1.5e1', '999.995', '999.994', '-999.995', '1e-2', '5e-3', '4e-3', '.5', '5.', ' 5 ', '1_0', 'nan', '', '.', '+1', '0x1', '1.5.', '1e100', '1e-100', '123456789012345678901234567890123456', '99999999999999999999999999999999999999.5'];
for (const type of ['decimal(5,2)', 'decimal(5,0)', 'decimal(2,2)', 'decimal(18,6)', 'decimal(38,2)', 'decimal(38,38)']) await cases('try_cast', type, ['string'], `TRY_CAST($1 AS ${type})`, ones(DECIMAL_TEXTS.filter((t) => !/e-/.test(t) || !/,0|(\d+),\1/.test(type))));
await cases('try_cast', 'bool', ['string'], 'TRY_CAST($1 AS BOOL)', ones(['true', 't', 'TRUE', 'yes', 'y', '1', '0', 'f', 'No', 'n', ' true ', 'on', '2', '', 'off']));
const DATE_TEXTS = ['2020-1-2', '2020/01/02', '2020 01 02', '2020-01-02 ', ' 2020-01-02', '2020-02-30', '20200102', '2020-01-02 10:00:00', '2020-01-02T10:00:00Z', '2020-01-02 abc', '0044-03-15 (BC)', '44-03-15', '-44-03-15', 'infinity', '-infinity', 'epoch', 'inf', '2020-01', '2020-001', '12020-01-02', '2020.01.02', '2020\\01\\02', '2020-01/02', '5874898-01-01', '5881580-07-10', '5881580-07-11', '2020-01-2x', '2020-1-32', '2020-13-1', '1-1-1', '2020-01-011', '', 'x', '5877642-06-25 (BC)', '5877642-06-24 (BC)'];
await cases('try_cast', 'date', ['string'], 'TRY_CAST($1 AS DATE)', ones(DATE_TEXTS));
const TIME_TEXTS = ['10:00', '10:00:00.1234567', '24:00:00', '24:00:01', '23:59:60', '1:2:3', ' 10:00:00 ', '10:00:00+02', '10', '2020-01-01 10:00:00', '10:00:00.5x', '10:0', '25:00:00', '10:00:00.', '', 'x'];
await cases('try_cast', 'time', ['string'], 'TRY_CAST($1 AS TIME)', ones(TIME_TEXTS));
const STAMP_TEXTS = ['2020-01-01', '2020-01-01 10:00', '2020-01-01T10:00:00.123456789', '2020-01-01 10:00:00Z', '2020-01-01 10:00:00+02', '2020-01-01 10:00:00 UTC', '2020-01-01 10', '2020-01-01 10:00:00+02:30', ' 2020-01-01 10:00:00 ', '2020-01-01 24:00:00', '2020-01-01 10:00:00 -0230', '2020-01-01 10:00:00-0230', 'infinity', '-infinity', 'epoch', '2020-01-01  10:00:00', '2020-01-01 10:00:60', '20200101', '294247-01-10 04:00:54.775806', '294247-01-10 04:00:54.775807', '290309-12-22 (BC) 00:00:00', '2020-01-01T', '2020-01-01 10:00:00abc', '2020-13-01 10:00', '', '1960-01-01 10:00:00.5', '1960-01-01 10:00:00.4567'];
// Left out: ends of the range outside microseconds, where DuckDB differs by unit; offsets of TIMESTAMP_NS, which it applies.
for (const type of ['timestamp(us)', 'timestamptz', 'timestamp(ms)', 'timestamp(s)']) await cases('try_cast', type, ['string'], `TRY_CAST($1 AS ${sqlType(type)})`, ones(STAMP_TEXTS.filter((t) => type === 'timestamp(us)' || !t.startsWith('294247'))));
await cases('try_cast', 'timestamp(ns)', ['string'], 'TRY_CAST($1 AS TIMESTAMP_NS)', ones(STAMP_TEXTS.filter((t) => !t.startsWith('29') && !/:00[+-]/.test(t))));
const SPAN_TEXTS = ['1 day 2 hours', '1d', '1.5 days', '1 mon', '01:02:03', '-01:02:03', '1 day ago', '5', '1y', '3 weeks', '1 century', '@ 1 day', '1.5 hours', '1.5 months', 'abc', '1 day 10:00', '', '2 years 3 mons -4 days', '1 quarter', '10 ms', '7 us', '-1.5 seconds', '100:00:00'];
await cases('try_cast', 'interval', ['string'], 'TRY_CAST($1 AS INTERVAL)', ones(SPAN_TEXTS));
await cases('try_cast', 'uuid', ['string'], 'TRY_CAST($1 AS UUID)', ones(['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}', 'A0EEBC999C0B4EF8BB6D6BB9BD380A11', 'x', '', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1']));
await cases('try_cast', 'binary', ['string'], 'TRY_CAST($1 AS BLOB)', ones(['', 'abc', '\\xAA\\x00', '\\x5', '\\', '\\xZZ', 'é', '\\x5c\\x27\\x22 ~']));
await cases('try_cast', 'list<int32>', ['string'], 'TRY_CAST($1 AS INT[])', ones(['[1,2]', '[1, NULL, 3]', '[]', ' [ 1 , 2 ] ', '1,2', '[1,x]', '[1,]', 'NULL', '']));
await cases('try_cast', 'list<string>', ['string'], 'TRY_CAST($1 AS VARCHAR[])', ones(['[a, "b c", \'d\']', '[,]', '[null]', '["null"]', '["a\\"b"]', "['it\\'s']", '[ a b , c ]', '[{a: 1}]', "[a']", '[a]b', '[(a,b), c]', '["a" b]']));
await cases('try_cast', 'list<list<int32>>', ['string'], 'TRY_CAST($1 AS INT[][])', ones(['[[1],[2]]', '[[1, 2], null]', '[[]]', '[1]']));
await cases('try_cast', 'list<float32>', ['string'], 'TRY_CAST($1 AS FLOAT[])', ones(['[1.5, 2e3]', '[0.1,-0.0]']));
await cases('try_cast', 'struct<a:int32,b:string>', ['string'], 'TRY_CAST($1 AS STRUCT(a INT, b VARCHAR))', ones(['{a: 1, b: x}', "{'a': 1}", '{b: 1}', '{c: 1}', '{}', '(1, x)', '{a: 1, b: "x, y"}', '{a}', 'x']));
await cases('try_cast', 'map<string,int32>', ['string'], 'TRY_CAST($1 AS MAP(VARCHAR, INT))', ones(['{a=1, b=NULL}', '{}', "{'a b'=1}", 'x', '{a}']));

const SAMPLES = { bool: ['true', 'false'], float32: [...FLOATS, '2147483648', '255.4', '-0.5', '3.5', '126.5'], float64: [...REALS, '2147483647.4', '9.3e18', '-129', '255.4', '3.5', '1e39', '1.005', '0.285', '2.675'], 'decimal(5,2)': [...D1, '2.50', '-2.50', '127.49'], 'decimal(38,4)': D2 };
for (const type of integers) SAMPLES[type] = values(type);
for (const from of Object.keys(SAMPLES)) {
  for (const to of [...integers, 'bool', 'float32', 'float64', 'decimal(5,2)', 'decimal(4,0)', 'decimal(18,3)', 'decimal(38,10)', 'string']) {
    if (from === to) continue;
    // DuckDB casts FLOAT to DECIMAL in single precision, and lets 127.5 and 255.5 overflow.
    if (from === 'float32' && to.startsWith('decimal(') && to !== 'decimal(5,2)') continue;
    await cases('cast', to, [from], `CAST($1 AS ${sqlType(to)})`, ones(SAMPLES[from]));
    await cases('try_cast', to, [from], `TRY_CAST($1 AS ${sqlType(to)})`, ones(SAMPLES[from]));
  }
}
for (const to of ['timestamp(us)', 'timestamp(ns)', 'timestamp(ms)', 'timestamp(s)', 'timestamptz', 'string']) await cases('try_cast', to, ['date'], `TRY_CAST($1 AS ${sqlType(to)})`, ones(to === 'timestamp(ns)' ? DATES.slice(0, 7) : [...DATES, ...(to === 'timestamp(us)' ? ['5000000-01-01'] : [])]));
for (const to of ['date', 'time', 'timestamp(ms)', 'timestamp(s)', 'timestamptz', 'string']) await cases('try_cast', to, ['timestamp(us)'], `TRY_CAST($1 AS ${sqlType(to)})`, ones([...STAMPS.slice(0, to === 'time' ? 6 : 8), '1960-01-01 10:00:00.5', '1960-01-01 10:00:00.4567']));
for (const to of ['timestamp(us)', 'date', 'time', 'string']) await cases('cast', to, ['timestamp(ns)'], `CAST($1 AS ${sqlType(to)})`, ones(['2020-01-01 10:00:00.123456789', '1960-01-01 10:00:00.123456789']));
await cases('cast', 'string', ['interval'], 'CAST($1 AS VARCHAR)', ones(SPANS));
await cases('cast', 'string', ['uuid'], 'CAST($1 AS VARCHAR)', ones(['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']));
await cases('cast', 'string', ['binary'], 'CAST($1 AS VARCHAR)', ones(['', 'abc', '\\xAA\\x00', '\\x5c\\x27\\x22 ~']));
await cases('cast', 'list<float64>', ['list<int32>'], 'CAST($1 AS DOUBLE[])', ones(LISTS));
await cases('cast', 'list<int8>', ['list<int32>'], 'CAST($1 AS TINYINT[])', ones([...LISTS, '[300]']));
await cases('try_cast', 'list<int8>', ['list<int32>'], 'TRY_CAST($1 AS TINYINT[])', ones([...LISTS, '[300, 1]']));
await cases('cast', 'list<string>', ['list<float64>'], 'CAST($1 AS VARCHAR[])', ones(['[1.5, nan]', '[]']));
await cases('cast', 'struct<a:string,b:string>', ['struct<a:int32,b:string>'], 'CAST($1 AS STRUCT(a VARCHAR, b VARCHAR))', ones(['{a: 1, b: x}', null]));
await cases('cast', 'string', ['list<timestamp(us)>'], 'CAST($1 AS VARCHAR)', ones(["['2020-01-01 10:00:00']"]));
await cases('cast', 'string', ['list<binary>'], 'CAST($1 AS VARCHAR)', ones(['["a", "b,"]']));

writeFileSync(new URL('cases.tsv', import.meta.url), `${lines.join('\n')}\n`);
process.stdout.write(`${lines.length} cases\n`);
