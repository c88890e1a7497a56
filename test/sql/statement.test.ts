import { expect, test } from 'vitest';
import { parseStatements } from '../../src/sql/index.ts';
import { canonicalScript, faultOf, withoutSpans } from './tree.ts';

test.each([
  ['explain select 1', 'EXPLAIN SELECT 1'],
  ['explain analyze select 1', 'EXPLAIN ANALYZE SELECT 1'],
  ['explain (analyze, format json) select 1', "EXPLAIN ANALYZE (format 'json') SELECT 1"],
  ["explain (format 'json', analyze true) select 1", "EXPLAIN ANALYZE (format 'json') SELECT 1"],
  ['explain (analyze false) select 1', 'EXPLAIN SELECT 1'],
  ['explain analyze (format tree) select 1', "EXPLAIN ANALYZE (format 'tree') SELECT 1"],
  ['explain (select 1)', 'EXPLAIN SELECT 1'],
  ["explain copy (select 1) to 'x'", "EXPLAIN COPY (SELECT 1) TO 'x'"],
  ['describe t', 'DESCRIBE t'],
  ["desc 'x.parquet'", "DESCRIBE 'x.parquet'"],
  ['describe select 1', 'DESCRIBE SELECT 1'],
  ['describe (select 1)', 'DESCRIBE SELECT 1'],
  ["describe read_parquet('x')", "DESCRIBE read_parquet('x')"],
  ['show s.t', 'DESCRIBE s.t'],
  ['describe', 'SHOW TABLES'],
  ['summarize t', 'SUMMARIZE t'],
  ['summarize from t', 'SUMMARIZE SELECT * FROM t'],
  ['show', 'SHOW TABLES'],
  ['show tables', 'SHOW TABLES'],
  ["copy t to E'a\\tb'", "COPY (SELECT * FROM t) TO 'a\tb'"],
  ['show all tables', 'SHOW ALL TABLES'],
  ['show all', 'SHOW ALL TABLES'],
  ['show settings', 'SHOW SETTINGS'],
  ['show functions', 'SHOW FUNCTIONS'],
  ['set threads = 4', 'SET threads = 4'],
  ['set THREADS to 4', 'SET threads = 4'],
  ["set memory_limit = '4GB'", "SET memory_limit = '4GB'"],
  ['set list.offset_limit = 16', 'SET list.offset_limit = 16'],
  ['set session default_order = desc', "SET default_order = 'desc'"],
  ['set x = on', "SET x = 'on'"],
  ['set x = true', 'SET x = TRUE'],
  ['set x = -1', 'SET x = (- 1)'],
  ['set x = default', 'SET x = DEFAULT'],
  ['reset threads', 'RESET threads'],
  ['reset list.offset_limit', 'RESET list.offset_limit'],
  ['create view v as select 1', 'CREATE VIEW v AS SELECT 1'],
  ['create or replace temp view s.v(a, b) as select 1, 2', 'CREATE OR REPLACE TEMPORARY VIEW s.v(a, b) AS SELECT 1, 2'],
  ['create temporary view if not exists v as from t', 'CREATE TEMPORARY VIEW IF NOT EXISTS v AS SELECT * FROM t'],
  ['drop view v', 'DROP VIEW v'],
  ['drop view if exists a.v, w', 'DROP VIEW IF EXISTS a.v, w'],
  ["copy (select 1) to 'x.parquet'", "COPY (SELECT 1) TO 'x.parquet'"],
  ["copy t to 'x'", "COPY (SELECT * FROM t) TO 'x'"],
  ["copy s.t(a, b) to 'x'", "COPY (SELECT a, b FROM s.t) TO 'x'"],
  [
    "copy (from t) to 'x' with (format parquet, compression 'zstd', row_group_size 100000, partition_by (y, m), header)",
    "COPY (SELECT * FROM t) TO 'x' (format 'parquet', \"compression\" 'zstd', row_group_size 100000, partition_by ('y', 'm'), \"header\")",
  ],
  [
    "copy (from t) to 'x' (format = csv, delimiter = '|', header false)",
    "COPY (SELECT * FROM t) TO 'x' (format 'csv', \"delimiter\" '|', \"header\" FALSE)",
  ],
  ['TABLE t', 'SELECT * FROM t'],
])('%s', (text, expected) => {
  expect(canonicalScript(text)).toBe(expected);
});

test('the place of a setting and of a copy target', () => {
  expect(parseStatements("set a.b = 1; copy t to 'x'")).toMatchObject([
    { kind: 'set', name: 'a.b', nameSpan: { start: 4, end: 7 } },
    { kind: 'copy', target: 'x', targetSpan: { start: 23, end: 26 } },
  ]);
});

test('an option keeps its kind of value', () => {
  const [statement] = parseStatements("copy t to 'x' (a b, c 1, d (e, 'f'), g)");
  const string = (value: string): unknown => ({ kind: 'string_literal', value });
  expect(withoutSpans(statement)).toMatchObject({
    options: [
      { kind: 'option', name: 'a', value: string('b') },
      { kind: 'option', name: 'c', value: { kind: 'integer_literal', text: '1' } },
      { kind: 'option', name: 'd', value: { kind: 'row', elements: [string('e'), string('f')] } },
      { kind: 'option', name: 'g', value: null },
    ],
  });
});

test.each([
  ['insert into t values (1)', 'unsupported: unsupported: INSERT @0-6'],
  ['update t set a = 1', 'unsupported: unsupported: UPDATE @0-6'],
  ['pragma threads = 1', 'unsupported: unsupported: PRAGMA @0-6'],
  [
    'create table t (a int)',
    'unsupported: unsupported: CREATE TABLE @7-12 (quern creates views only: CREATE VIEW name AS query)',
  ],
  [
    'create or replace macro f(x) as x',
    'unsupported: unsupported: CREATE MACRO @18-23 (quern creates views only: CREATE VIEW name AS query)',
  ],
  ['drop table t', 'unsupported: unsupported: DROP TABLE @5-10'],
  ["copy t from 'x'", "unsupported: unsupported: COPY FROM @7-11 (read the file in a query: FROM 'file')"],
  ['set variable x = 1', 'unsupported: unsupported: SET VARIABLE @4-12'],
  ['show databases', 'unsupported: unsupported: SHOW DATABASES @5-14'],
  ['from a asof join b using (x)', 'unsupported: unsupported: ASOF JOIN @7-11'],
  ['from a positional join b', 'unsupported: unsupported: POSITIONAL JOIN @7-17'],
  ['from t tablesample 1%', 'unsupported: unsupported: TABLESAMPLE @7-18'],
  ['select * from t using sample 3', 'unsupported: unsupported: USING SAMPLE @16-21'],
  ['from t pivot (sum(a) for b in (1))', 'unsupported: unsupported: PIVOT @7-12'],
  ['select 1 limit 10%', 'unsupported: unsupported: LIMIT in percent @15-17'],
  ['select 1 limit 10 percent', 'unsupported: unsupported: LIMIT in percent @15-17'],
  ['select a::union(b int)', 'unsupported: unsupported: type UNION @10-15'],
  ["select interval '1' year to month", 'unsupported: unsupported: INTERVAL YEAR TO @25-27'],
  ['select a between symmetric 1 and 2', 'unsupported: unsupported: BETWEEN SYMMETRIC @17-26'],
  ['select a into b from t', 'unsupported: unsupported: SELECT INTO @9-13'],
  ['from (a join b on c) d', 'unsupported: unsupported: an alias of joined tables @21-22'],
])('not yet: %s', (text, expected) => {
  expect(faultOf(text)).toBe(expected);
});
