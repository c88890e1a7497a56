import { expect, test } from 'vitest';
import { UNKNOWN_FACTS } from '../../../src/planner/estimate/column_facts.ts';
import { equalPairs, estimateRows } from '../../../src/planner/estimate/rows.ts';
import { plansOf } from '../sample_table.ts';

/** Estimated rows of a query over t (1,000 rows) and bounded (1,000 rows, k from 1 to 90 in 990 of them). */
const rowsOf = async (sql: string): Promise<number | null> => estimateRows((await plansOf(sql)).optimized.root);

test('a range keeps its share of the bounds and of what is not NULL', async () => {
  expect(await rowsOf('SELECT k FROM bounded WHERE k <= 45')).toBe(495);
  expect(await rowsOf('SELECT k FROM bounded WHERE k > 30 AND k <= 45')).toBe(165);
});

test('a value outside of the bounds keeps nothing', async () => {
  expect(await rowsOf('SELECT k FROM bounded WHERE k = 91')).toBe(0);
  expect(await rowsOf('SELECT k FROM bounded WHERE k > 90')).toBe(0);
});

test('an equality keeps one of the distinct values', async () => {
  expect(await rowsOf('SELECT k FROM bounded WHERE k = 7')).toBe(11);
  expect(await rowsOf('SELECT k FROM bounded WHERE k IN (7, 8, 9, 1000)')).toBe(33);
});

test('NULL counts are known', async () => {
  expect(await rowsOf('SELECT k FROM bounded WHERE k IS NULL')).toBe(10);
  expect(await rowsOf('SELECT k FROM bounded WHERE k IS NOT NULL')).toBe(990);
});

test('groups are as many as their keys have values', async () => {
  expect(await rowsOf('SELECT k, count(*) FROM bounded GROUP BY k')).toBe(91);
  expect(await rowsOf('SELECT k, count(*) FROM bounded WHERE k < 10 GROUP BY k')).toBe(9);
  expect(await rowsOf('SELECT count(*) FROM bounded WHERE k < 10')).toBe(1);
});

test('a CASE has the values of its branches', async () => {
  const kind = "CASE WHEN k < 10 THEN 'low' WHEN k < 20 THEN 'middle' ELSE NULL END";
  expect(await rowsOf(`SELECT ${kind}, count(*) FROM bounded GROUP BY 1`)).toBe(2);
  expect(await rowsOf('SELECT CASE WHEN x > 1 THEN k ELSE 0 END, count(*) FROM bounded GROUP BY 1')).toBe(91);
});

test('a join of equal domains keeps one pair of each value', async () => {
  expect(await rowsOf('SELECT a.x FROM bounded a JOIN bounded b ON a.k = b.k')).toBe(11112);
  expect(await rowsOf('SELECT a.x FROM bounded a JOIN bounded b ON a.k = b.k WHERE b.k = 3')).toBe(121);
});

test('a semi join keeps the share of values that the other side has', async () => {
  expect(await rowsOf('SELECT x FROM bounded WHERE k IN (SELECT k FROM bounded WHERE k <= 45)')).toBe(495);
  expect(await rowsOf('SELECT x FROM bounded WHERE k NOT IN (SELECT k FROM bounded WHERE k <= 45)')).toBe(500);
});

test('rows outside of the range of the other side join nothing', () => {
  const sales = { ...UNKNOWN_FACTS, domain: 1800, min: 36_001, max: 37_800 };
  const days = { ...UNKNOWN_FACTS, domain: 72_000, min: 1, max: 72_000 };
  const input = (rows: number, tableRows = rows) => ({ rows, tableRows });
  // every sale has its day
  expect(equalPairs([[sales, days]], input(1_000_000), input(72_000))).toBeCloseTo(1_000_000);
  // a year of five
  expect(equalPairs([[sales, days]], input(1_000_000), input(360, 72_000))).toBeCloseTo(200_000);
  // days before the first sale
  const before = { ...days, domain: 36_000, max: 36_000 };
  expect(equalPairs([[sales, before]], input(1_000_000), input(36_000, 72_000))).toBe(0);
});
