import { expect, test } from 'vitest';
import { distinctValues } from '../../src/catalog/distinct_values.ts';

const bounds = (min: bigint, max: bigint, nullCount: number | null = 0) => ({
  min,
  max,
  exact: true,
  nullCount,
  mayHoldNan: false,
});

test('nothing known is unknown', () => {
  expect(distinctValues([], 1000, null)).toBeNull();
  expect(distinctValues([], 1000, bounds(1n, 5000n))).toBeNull();
});

test('bounds alone limit whole numbers', () => {
  expect(distinctValues([], 1000, bounds(1n, 12n))).toBe(12);
});

test('a dictionary of all rows is the number', () => {
  expect(distinctValues([{ entries: 37, rows: 1000 }], 1000, null)).toBe(37);
});

test('a small dictionary of some rows stays what it is', () => {
  expect(distinctValues([{ entries: 12, rows: 10_000 }], 1_000_000, null)).toBe(12);
});

test('a dictionary of nearly all values grows with the rows', () => {
  expect(distinctValues([{ entries: 1000, rows: 1000 }], 50_000, null)).toBe(50_000);
});

test('a dictionary in between is a domain half seen', () => {
  // 10,000 draws of 10,000 equally likely values see 63.2 % of them
  const found = distinctValues([{ entries: 6321, rows: 10_000 }], 1_000_000, null);
  expect(found).toBeGreaterThan(9_950);
  expect(found).toBeLessThan(10_050);
});

test('a chunk without a dictionary has mostly different values, as far as bounds and NULLs allow', () => {
  expect(distinctValues([{ entries: null, rows: 1000 }], 1000, bounds(1n, 100_000n, 100))).toBe(900);
  expect(distinctValues([{ entries: null, rows: 1000 }], 1000, bounds(1n, 50n))).toBe(50);
});
