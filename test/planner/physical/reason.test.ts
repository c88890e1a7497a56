import { describe, expect, test } from 'vitest';
import { nodeOrder } from '../../../src/operators/index.ts';
import { nodeChoices, placementLine } from '../../../src/planner/explain/placement.ts';
import { countText } from '../../../src/planner/physical/reason.ts';
import { plansOf } from '../sample_table.ts';

async function reasonOf(kind: string, sql: string): Promise<string | null | undefined> {
  const { physical } = await plansOf(sql);
  return nodeOrder(physical).findLast((node) => node.kind === kind)?.reason;
}

test('counts in three digits', () => {
  const counts = [0, 7, 999, 1000, 12_345, 287_514, 999_999, 2_880_404, 19e9].map(countText);
  expect(counts).toEqual(['0', '7', '999', '1k', '12.3k', '288k', '1M', '2.88M', '19G']);
});

describe('reasons', () => {
  test('of the side that a hash join builds', async () => {
    const join = (sql: string) => reasonOf('hash_join', sql);
    expect(await join('SELECT 1 FROM t JOIN bounded ON i = k WHERE i < 5')).toBe(
      'build=right: fewer rows (~44 against ~334)',
    );
    expect(await join('SELECT 1 FROM t a JOIN t b USING (i)')).toBe('build=right: as written, equal rows');
    expect(await join('SELECT 1 FROM t SEMI JOIN bounded ON i = k')).toBe('build=right: semi gives rows of the left');
  });

  test('of a join without a table, and of a sort that keeps a few rows', async () => {
    expect(await reasonOf('conditional_join', 'SELECT 1 FROM t JOIN bounded ON i < k')).toBe('no equality to hash');
    expect(await reasonOf('top_k', 'SELECT i FROM t ORDER BY i LIMIT 5 OFFSET 2')).toBe(
      'no full sort: 7 of ~1k rows are kept',
    );
    expect(await reasonOf('sort', 'SELECT i FROM t ORDER BY i')).toBe(null);
  });
});

test('each node says where it runs and what else could run it', async () => {
  const { physical } = await plansOf('SELECT i FROM t ORDER BY i');
  const capabilities = { devices: ['cpu'], operators: ['scan_parquet', 'sort'] };
  expect(nodeChoices(physical, capabilities)).toEqual([
    { kind: 'scan_parquet', device: 'cpu', instances: 1, capable: ['cpu'], reason: null },
    { kind: 'sort', device: 'cpu', instances: 1, capable: ['cpu'], reason: null },
  ]);
  expect(placementLine(physical, capabilities)).toBe(
    'device cpu (the only device of this build) · instances 1 · exchanges 0',
  );
  expect(placementLine(physical, { ...capabilities, devices: ['cpu', 'gpu'] })).toBe(
    'device cpu (of cpu, gpu) · instances 1 · exchanges 0',
  );
});
