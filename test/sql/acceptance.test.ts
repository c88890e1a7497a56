import { expect, test } from 'vitest';
import { parseStatements } from '../../src/sql/index.ts';
import { ACCEPTED_TEXTS } from './accepted_texts.ts';
import { duckdbParseError } from './oracle.ts';
import { faultOf } from './tree.ts';

test('there are many texts', () => {
  expect(ACCEPTED_TEXTS.length).toBeGreaterThan(200);
});

test.each(ACCEPTED_TEXTS)('DuckDB and quern parse: %s', async (text) => {
  expect(await duckdbParseError(text)).toBeUndefined();
  expect(parseStatements(text).length).toBe(text === 'select 1; select 2;' ? 2 : 1);
});

// What quern refuses by its grammar DuckDB refuses too, at the same place.
test.each([
  'select a < b < c',
  'select s like t like u',
  'select a between 1 and 2 between 3 and 4',
  'select f(a,)',
  'select (a,)',
  'select 1 2',
  "select 'a' 'b'",
  'select a left from t',
  'select ()',
  'select {}',
  'select cast(a int)',
  'select interval a day',
  'select interval 1.5 day',
  'select * from t join u',
  'select case when a then b end case',
  'select 1 from t left semi join u using (x)',
  'select 1 limit',
  'select a from t group by',
  'select a from t order by',
  'with a as select 1 select 1',
  'select a, count(*) over (partition a) from t',
  'select 1 union',
  'select not',
  'select a between 1',
  'select 1 from (select 1',
  'select 1)',
  'select l[1 from t',
])('DuckDB and quern refuse: %s', async (text) => {
  const theirs = await duckdbParseError(text);
  expect(theirs).toMatch(/^Parser Error: syntax error/);
  expect(faultOf(text)).toMatch(/^parse: syntax error/);
  expect(faultOf(text).split(' @')[0]).toBe(theirs?.replace('Parser Error', 'parse'));
});
