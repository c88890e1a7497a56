import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { typeName } from '../../../src/common/data_type.ts';
import { bindSql, SHARED_COLUMNS } from '../sample_table.ts';

/** Expressions over the sample table whose names and types DuckDB decides as well. */
const EXPRESSIONS = `
ti + 1, ti + 1000, si + 1, bi + 1, uti + 1, ui + 1, ubi + 1, ti + si, ti + uti, i + ui, bi + ubi, i + ubi
f + 1, f + 1.5, f + i, f + bi, d + 1, f + dc, d + dc, f + d, -f, -dc, -i, +i, - 5, -bi
dc + 1, dc + i, dc + bi, dc + dd, dc * dd, dc * i, dc * 1, dc * ti, dc * bi, dc / 2, dc % 2, dc - hi, hi * 2, hi + dc, hi / 2, hi % 2
i // 2, bi // 2, d // 2, f // 2, ti // 2, dc // 2, hi // 2, i / 2, f / 2, f / f, i % 2, bi % 3, d % 2, f % 2
2147483648, 9223372036854775807, 9223372036854775808, 1.5, 0.05, .5, 2., 1e0, 1 + 1, 2147483648 + 1
coalesce(ti, 1), coalesce(dc, 0), coalesce(dc, i), coalesce(f, 1.5), coalesce(d, dc), coalesce(f, bi), coalesce(i, '5'), coalesce(i, ubi), coalesce(uti, ti), coalesce(ti, 1000)
coalesce(dt, ts), coalesce(dt, '2020-01-01'), coalesce(ts, tz), coalesce(b, i), coalesce(li, [1.5])
i = '3', dt = '2020-01-01', dt > ts, ts = dt, i = 2.5, dc = 1.255, b = 1, li = [1, 2], st IS NULL, s = dt
dt + 1, dt + i, dt - 1, dt - dt, ts + iv, ts - ts, tm + iv, dt - ts, 1 + dt, dt + tm, iv + iv, iv * 2, 2 * iv, iv / 2
abs(ti), abs(dc), abs(f), sign(d), ceil(dc), floor(d), ceil(f), ceil(i), floor(bi), trunc(dc), trunc(d), sqrt(i), pow(i, 2), ln(dc), exp(1), bit_count(i), xor(i, 3), i & 3, i << 2, ~i
round(dc), round(dc, 1), round(d, 1), round(f, 1), round(i), round(i, -1), round(bi), round(dd, -1), round(dc, 5)
greatest(i, dc), least(i, 2.5), nullif(i, '3'), nullif(i, 2.5), ifnull(i, 2.5), if(b, 1, 2.5)
CASE WHEN b THEN dc ELSE 0 END, CASE WHEN b THEN 1 ELSE 2.5 END, CASE WHEN b THEN 'a' END, CASE i WHEN 1 THEN 1 END
[1, 2.5], [1, NULL], [i, bi], ['a', 1], [], [1, 2.5::DOUBLE], {'a': 1, 'b': 'x'}, (1, 'x'), MAP {'a': 1}
li[1], li[1:2], li[-1], len(li), li || [1], list_contains(li, 1), list_position(li, 1), list_concat(li, [2]), s[1], s[1:2], m['a'], map_keys(m), st.a, st['B'], cardinality(m)
upper(s), length(s), strlen(s), substring(s, 1, 2), s || i, concat(s, i), concat_ws(',', s, i), trim(s), replace(s, 'a', 'b'), s LIKE 'a%', s ILIKE 'a', s NOT LIKE 'b', s SIMILAR TO 'a', s ~ 'a', starts_with(s, 'a'), contains(s, 'a'), strpos(s, 'a'), split_part(s, ',', 1), string_split(s, ','), regexp_matches(s, 'a'), regexp_replace(s, 'a', 'b'), regexp_extract(s, 'a'), ascii(s), chr(65), md5(s), left(s, 2), lpad(s, 3, ' '), repeat(s, 2), reverse(s), hex(s)
year(dt), month(ts), date_part('year', dt), date_trunc('month', dt), date_trunc('hour', ts), date_diff('day', dt, dt), last_day(ts), strftime(ts, '%Y'), strptime('2020', '%Y'), make_date(2020, 1, 1), epoch(ts), epoch_ms(ts), dayname(ts), to_timestamp(0), age(ts, ts), to_days(3), hour(tm), julian(dt)
i::VARCHAR, s::DATE, d::DECIMAL(9, 3), TRY_CAST(s AS INTEGER), i::DECIMAL, dt::TIMESTAMP, ts::DATE, li::DOUBLE[]
i BETWEEN 1 AND 2, i IN (1, 2), i NOT IN (3), NOT b, b AND i > 1, i IS NULL, s IS NOT DISTINCT FROM 'a', b IS TRUE
`
  .trim()
  .split('\n');

const AGGREGATES = `
count(*), count(i), count(DISTINCT i), sum(bi), sum(hi), sum(ubi), sum(dc), sum(f), sum(d), avg(i), avg(dc), avg(f), min(s), max(li), min(dt)
stddev(i), var_pop(dc), corr(i, d), bit_and(ti), bool_and(b), string_agg(s, ','), list(i), approx_count_distinct(i), any_value(s), arg_min(i, d), product(i), median(i), quantile_cont(i, 0.5), quantile_disc(i, 0.5), mode(s)
`
  .trim()
  .split('\n');

const sameName = (type: string): string =>
  type
    .replaceAll('"" ', '') // fields without a name: DuckDB itself shows none
    .replaceAll('HUGEINT', 'DECIMAL(38,0)')
    .replaceAll('"" ', '') // typeof() of DuckDB leaves the name of an unnamed field out
    .replace(/"(\w+)" /g, (_, n) => (/^[a-z_][a-z0-9_]*$/.test(n) ? `${n} ` : `"${n}" `));

describe('names and types are those of DuckDB', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:')).connect();
    const columns = SHARED_COLUMNS.map((c) => `NULL::${c.name === 'hi' ? 'HUGEINT' : typeName(c.type)} AS ${c.name}`);
    await connection.run(`CREATE TABLE t AS SELECT ${columns.join(', ')}`);
  });

  const duckdb = async (sql: string): Promise<string[]> => {
    const prepared = await connection.prepare(sql);
    return Array.from(
      { length: prepared.columnCount },
      (_, i) => `${prepared.columnName(i)} :: ${sameName(String(prepared.columnType(i)))}`,
    );
  };
  const quern = async (sql: string): Promise<string[]> =>
    (await bindSql(sql)).columns.map((column) => `${column.name} :: ${typeName(column.type)}`);

  test.each([...EXPRESSIONS, ...AGGREGATES])('%s', async (expressions) => {
    const sql = `SELECT ${expressions} FROM t`;
    expect(await quern(sql)).toEqual(await duckdb(sql));
  });

  test.each([
    'SELECT * EXCLUDE (s) FROM (SELECT i, s, f FROM t)',
    "SELECT COLUMNS('^.i$') + 1 FROM (SELECT ti, si, bi FROM t)",
    'SELECT min(COLUMNS(*)) FROM (SELECT i, s FROM t)',
    "SELECT COLUMNS('(.)i') AS '\\1x' FROM (SELECT ti, si, bi FROM t)",
    "SELECT COLUMNS(c -> c LIKE 't%') FROM (SELECT ti, si, ts FROM t)",
    'SELECT * RENAME (i AS j) FROM (SELECT i, s FROM t)',
    'SELECT * REPLACE (i + 1 AS i) FROM (SELECT i, s FROM t)',
    'SELECT * FROM (SELECT i, i, i AS i_1 FROM t)',
    'SELECT i, s FROM t UNION ALL SELECT dc, NULL FROM t',
    'SELECT i AS a FROM t UNION BY NAME SELECT s AS b FROM t',
    "VALUES (1, 'a', NULL), (2.5, 'b', 3)",
    'SELECT * FROM range(3)',
    'SELECT * FROM (VALUES (1, 2)) v(a)',
    'SELECT i, unnest(li) FROM t',
    'SELECT u.y, u.o FROM t, unnest(li) WITH ORDINALITY AS u(y, o)',
    'WITH c(a) AS (SELECT i, s FROM t) SELECT * FROM c',
    'SELECT t FROM (SELECT i, s FROM t) t',
    'SELECT I, t.S, "TI", UPPER(S) FROM t GROUP BY ALL',
    'SELECT #2, #1 FROM (SELECT i, s FROM t)',
  ])('%s', async (sql) => {
    expect(await quern(sql)).toEqual(await duckdb(sql));
  });
});
