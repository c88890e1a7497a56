import { readFile, writeFile } from 'node:fs/promises';
import { openPlanSource, PAGES_WITH_PLANS, withPlans } from './plan_excerpts.ts';
import { sqlReference } from './sql_reference.ts';

await writeFile('docs/sql.md', sqlReference());
const plans = await openPlanSource();
try {
  for (const page of PAGES_WITH_PLANS) await writeFile(page, await withPlans(await readFile(page, 'utf8'), plans));
} finally {
  await plans.close();
}
