import { expect, test } from 'vitest';
import { distinctValues } from '../../src/catalog/distinct_values.ts';

const bounds = (min: bigint, max: bigint, nullCount: number | null = 0) => ({
  min,
  max,
  exact: true,
  nullCount,
  mayHoldNan: false,
});

const sample = (entries: number | null, rows: number, part: ReturnType<typeof bounds> | null = null) => ({
  entries,
  rows,
  bounds: part,
});

test('nothing known is unknown', () => {
  expect(distinctValues([], 1000, null)).toBeNull();
  expect(distinctValues([], 1000, bounds(1n, 5000n))).toBeNull();
});

test('bounds alone limit whole numbers', () => {
  expect(distinctValues([], 1000, bounds(1n, 12n))).toBe(12);
});

test('a dictionary of all rows is the number', () => {
  expect(distinctValues([sample(37, 1000)], 1000, null)).toBe(37);
});

test('a small dictionary of some rows stays what it is', () => {
  expect(distinctValues([sample(12, 10_000)], 1_000_000, null)).toBe(12);
});

test('a dictionary of nearly all values grows with the rows', () => {
  expect(distinctValues([sample(1000, 1000)], 50_000, null)).toBe(50_000);
});

test('a dictionary in between is a domain half seen', () => {
  // 10,000 draws of 10,000 equally likely values see 63.2 % of them
  const found = distinctValues([sample(6321, 10_000)], 1_000_000, null);
  expect(found).toBeGreaterThan(9_950);
  expect(found).toBeLessThan(10_050);
});

test('a chunk without a dictionary has mostly different values, as far as bounds and NULLs allow', () => {
  expect(distinctValues([sample(null, 1000)], 1000, bounds(1n, 100_000n, 100))).toBe(900);
  expect(distinctValues([sample(null, 1000)], 1000, bounds(1n, 50n))).toBe(50);
});

test('row groups of their own ranges have values of their own', () => {
  // 10 row groups of 1,000 rows, sorted: 100 values each
  const sorted = [0n, 400n, 900n].map((first) => sample(100, 1000, bounds(first, first + 99n)));
  expect(distinctValues(sorted, 10_000, bounds(0n, 999n))).toBe(1000);
  // the same dictionaries over the whole range, which cannot have been seen as a whole
  const mixed = [0n, 0n, 0n].map(() => sample(100, 1000, bounds(0n, 999n)));
  expect(distinctValues(mixed, 10_000, bounds(0n, 999n))).toBe(100);
});

test('row groups of one value each have at most a value each', () => {
  const constant = [5n, 7n].map((value) => sample(1, 1000, bounds(value, value)));
  expect(distinctValues(constant, 10_000, bounds(0n, 1_000_000n))).toBe(10);
});

test('a column of one float has one value', () => {
  const floats = { min: 0.5, max: 0.5, exact: true, nullCount: 0, mayHoldNan: true };
  expect(distinctValues([{ entries: 1, rows: 10, bounds: floats }], 100, floats)).toBe(1);
});
