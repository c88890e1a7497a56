import { describe, expect, test } from 'vitest';
import { inferFilters } from '../../../src/planner/optimize/infer_filters.ts';
import { pushFilters } from '../../../src/planner/optimize/push_filters.ts';
import { simplifyNodes } from '../../../src/planner/optimize/simplify_nodes.ts';
import { bindSql, logicalText } from '../sample_table.ts';

/** The filters of the scans after the rule, in the order of the plan. */
async function scansAfter(sql: string): Promise<string[]> {
  const plan = await bindSql(sql);
  const root = [simplifyNodes, pushFilters, inferFilters].reduce((node, rule) => rule(node), plan.root);
  return logicalText({ ...plan, root })
    .replace(/ columns=\[[^\]]*\]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('scan'));
}

describe('constants through equalities', () => {
  test('to the other side, over several joins and in both directions', async () => {
    expect(
      await scansAfter('SELECT 1 FROM t a, bounded, t b WHERE a.i = k AND k = b.si AND b.si IN (1, 2) AND a.i < 9'),
    ).toEqual([
      'scan t filter=[i < 9 AND i IN (1, 2)]',
      'scan bounded filter=[k < 9 AND k IN (1, 2)]',
      'scan t filter=[si IN (1, 2) AND si < 9]',
    ]);
  });

  test('through casts between whole numbers, both ways', async () => {
    expect(await scansAfter('SELECT 1 FROM t JOIN bounded ON bi = k WHERE k BETWEEN 1 AND 5')).toEqual([
      'scan t filter=[bi >= 1 AND bi <= 5]',
      'scan bounded filter=[k >= 1 AND k <= 5]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t JOIN bounded ON bi = k WHERE bi = 7')).toEqual([
      'scan t filter=[bi = 7]',
      'scan bounded filter=[k = 7]',
    ]);
  });

  test('not where another value of the same number would differ, nor where the type has no such value', async () => {
    expect(await scansAfter('SELECT 1 FROM t JOIN bounded ON s = n WHERE upper(n) = $text')).toEqual([
      'scan t',
      "scan bounded filter=[upper(n) = '2024-01-02']",
    ]);
    expect(await scansAfter('SELECT 1 FROM t a JOIN t b ON a.s::INTEGER = b.i WHERE b.i = 7')).toEqual([
      'scan t',
      'scan t filter=[i = 7]',
    ]);
  });

  test('to the side that gives no rows of its own, of outer, semi and anti joins', async () => {
    expect(await scansAfter('SELECT 1 FROM t LEFT JOIN bounded ON i = k WHERE i = 7')).toEqual([
      'scan t filter=[i = 7]',
      'scan bounded filter=[k = 7]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t LEFT JOIN bounded ON i = k AND k = 7')).toEqual([
      'scan t',
      'scan bounded filter=[k = 7]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t FULL JOIN (SELECT k FROM bounded WHERE k = 7) ON i = k')).toEqual([
      'scan t',
      'scan bounded filter=[k = 7]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t WHERE i IN (SELECT k FROM bounded WHERE k = 7)')).toEqual([
      'scan t filter=[i = 7]',
      'scan bounded filter=[k = 7]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t ANTI JOIN bounded ON i = k WHERE i = 7')).toEqual([
      'scan t filter=[i = 7]',
      'scan bounded filter=[k = 7]',
    ]);
    expect(await scansAfter('SELECT 1 FROM t ANTI JOIN (SELECT k FROM bounded WHERE k = 7) ON i = k')).toEqual([
      'scan t',
      'scan bounded filter=[k = 7]',
    ]);
  });

  test('not to what NOT IN compares: a NULL there decides', async () => {
    expect(await scansAfter('SELECT 1 FROM t WHERE i = 7 AND i NOT IN (SELECT k FROM bounded)')).toEqual([
      'scan t filter=[i = 7]',
      'scan bounded',
    ]);
  });

  test('through groups, their keys only', async () => {
    expect(
      await scansAfter('SELECT 1 FROM t JOIN (SELECT k, max(x) AS x FROM bounded GROUP BY k) ON i = k WHERE i = 7'),
    ).toEqual(['scan t filter=[i = 7]', 'scan bounded filter=[k = 7]']);
  });
});

describe('what an OR says of one side', () => {
  test('equalities that all branches share become keys, the rest goes to the scans', async () => {
    expect(
      await scansAfter(
        "SELECT 1 FROM t, bounded WHERE (i = k AND s = 'a' AND loose > 1) OR (i = k AND s = 'b' AND loose < 0) OR (i = k AND s = 'c' AND loose = 5)",
      ),
    ).toEqual([
      "scan t filter=[s IN ('a', 'b', 'c')]",
      'scan bounded filter=[(loose > 1) OR (loose < 0) OR (loose = 5)]',
    ]);
  });

  test('nothing where a branch says nothing of the side, or may fail', async () => {
    expect(
      await scansAfter(
        "SELECT 1 FROM t, bounded WHERE i = k AND ((s = 'a' AND loose > 1) OR (bi = 2 AND plain > 2) OR loose = 0)",
      ),
    ).toEqual(['scan t', 'scan bounded filter=[(loose > 1) OR (plain > 2) OR (loose = 0)]']);
    expect(
      await scansAfter(
        'SELECT 1 FROM t, bounded WHERE i = k AND ((s::INTEGER = 1 AND loose > 1) OR (s::INTEGER = 2 AND loose > 2))',
      ),
    ).toEqual(['scan t', 'scan bounded filter=[(loose > 1) OR (loose > 2)]']);
  });

  test('over three tables each gets its own', async () => {
    expect(
      await scansAfter(
        "SELECT 1 FROM t a, bounded, t b WHERE a.i = k AND b.i = k AND ((a.s = 'a' AND b.s = 'x' AND loose > 1) OR (a.s = 'b' AND b.s = 'y' AND loose > 2))",
      ),
    ).toEqual([
      "scan t filter=[s IN ('a', 'b')]",
      'scan bounded filter=[(loose > 1) OR (loose > 2)]',
      "scan t filter=[s IN ('x', 'y')]",
    ]);
  });
});
