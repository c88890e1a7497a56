import { expect, test } from 'vitest';
import { idsAfter } from '../../../src/planner/logical/shared.ts';
import { groupDistinct } from '../../../src/planner/optimize/group_distinct.ts';
import { bindSql, logicalText } from '../sample_table.ts';

async function regrouped(sql: string): Promise<{ before: string; after: string }> {
  const plan = await bindSql(sql);
  return {
    before: logicalText(plan),
    after: logicalText({ ...plan, root: groupDistinct(plan.root, idsAfter(plan.root)) }),
  };
}

test('aggregates with DISTINCT of one argument are a group-by over a group-by', async () => {
  const { after } = await regrouped('SELECT s, count(DISTINCT i), avg(DISTINCT i), count(*), max(i) FROM t GROUP BY s');
  expect(after.match(/^ *aggregate/gm)).toHaveLength(2);
  expect(after).not.toMatch(/\(distinct/);
});

test.each([
  ['of two arguments', 'SELECT count(DISTINCT i), count(DISTINCT s) FROM t'],
  ['with FILTER', 'SELECT count(DISTINCT i) FILTER (WHERE i > 1) FROM t'],
  ['beside one that is none of its parts', 'SELECT count(DISTINCT i), avg(i) FROM t'],
  ['with ORDER BY', 'SELECT list(DISTINCT i ORDER BY i) FROM t'],
  ['in the order of rows', "SELECT string_agg(DISTINCT s, ',') FROM t"],
  ['none', 'SELECT count(i), sum(i) FROM t'],
])('DISTINCT stays: %s', async (_, sql) => {
  const { before, after } = await regrouped(sql);
  expect(after).toBe(before);
});
