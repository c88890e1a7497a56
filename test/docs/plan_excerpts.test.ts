import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanSource } from '../../scripts/runners/docs/plan_excerpts.ts';
import { openPlanSource, PAGES_WITH_PLANS, withPlans } from '../../scripts/runners/docs/plan_excerpts.ts';

let plans: PlanSource;
beforeAll(async () => {
  plans = await openPlanSource();
}, 60_000);
afterAll(() => plans.close());

test.each(PAGES_WITH_PLANS)('the plans of %s are what EXPLAIN gives (npm run docs)', async (path) => {
  const page = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(page).toContain('```sql\nEXPLAIN');
  expect(page).toBe(await withPlans(page, plans));
});
