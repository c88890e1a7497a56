import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTables } from '../../../src/bench/tables.ts';
import { generateTpcds } from '../../../src/gen/index.ts';
import { readAsText } from '../../../src/reference/quern_engine.ts';
import { openSession } from '../../../src/session/index.ts';

/** Pages whose excerpts of plans are written by `npm run docs`. */
export const PAGES_WITH_PLANS = ['docs/optimizer.md', 'docs/operators.md'];

/** Scale of the tables that the excerpts ask: row numbers stay readable. */
const SCALE = 0.01;
const TABLES = [
  'customer',
  'customer_demographics',
  'date_dim',
  'item',
  'item_vec',
  'basket',
  'promotion',
  'store',
  'store_returns',
  'store_sales',
  'store_sales_by_month',
];

/** A statement that shows a plan, and the plan behind it; between them the plan as written, where the page wants it. */
const EXCERPT =
  /```sql\n(EXPLAIN[^`]*?;?)\n```\n\n(As written:\n\n```text\n[^`]*?```\n\nRewritten:\n\n)?```text\n[^`]*?```/g;

/** Runs statements over the generator's tables and gives the lines of their results. */
export interface PlanSource {
  lines(sql: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openPlanSource(): Promise<PlanSource> {
  const folder = await mkdtemp(join(tmpdir(), 'quern-plans-'));
  const session = await openSession({ threads: 2 });
  const out = { session, scale: SCALE, seed: 1n, out: folder, tables: TABLES, overwrite: false };
  const quiet = { compression: 'zstd', signal: new AbortController().signal, onProgress: () => {} } as const;
  await generateTpcds({ ...out, ...quiet });
  for (const { table, glob } of await findTables(folder, {})) session.registerTable(table, glob);
  return {
    async lines(sql) {
      const lines: string[] = [];
      for await (const { result } of session.query(sql)) {
        for (const row of (await readAsText(result))?.rows ?? []) lines.push(row[0] ?? '');
      }
      return lines;
    },
    async close() {
      await session.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The page with every plan as it is now. */
export async function withPlans(page: string, plans: PlanSource): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of page.matchAll(EXCERPT)) {
    const sql = match[1] as string;
    parts.push(page.slice(end, match.index), '```sql\n', sql, '\n```\n\n');
    if (match[2] !== undefined) {
      const written = await planText(plans, sql.replace(/^EXPLAIN/, 'EXPLAIN (LOGICAL)'));
      parts.push('As written:\n\n', written, '\n\nRewritten:\n\n');
    }
    parts.push(await planText(plans, sql));
    end = match.index + match[0].length;
  }
  return [...parts, page.slice(end)].join('');
}

const planText = async (plans: PlanSource, sql: string): Promise<string> =>
  `\`\`\`text\n${(await plans.lines(sql)).join('\n')}\n\`\`\``;
