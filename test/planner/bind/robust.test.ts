import { expect, test } from 'vitest';
import { QuernError } from '../../../src/common/error.ts';
import { ACCEPTED_TEXTS } from '../../sql/accepted_texts.ts';
import { plansOf } from '../sample_table.ts';

/** What the planner makes of a text: 'planned', or the code of its error; anything else it throws is a bug. */
async function outcome(sql: string): Promise<string> {
  try {
    await plansOf(sql);
    return 'planned';
  } catch (error) {
    if (error instanceof QuernError) return error.code;
    if (error instanceof Error && /^no (query|statement)$/.test(error.message)) return 'planned';
    throw new Error(`${sql}: ${String(error)}`, { cause: error });
  }
}

test('whatever parses is planned, or is an error that says why', async () => {
  const counts = new Map<string, number>();
  for (const sql of ACCEPTED_TEXTS) {
    const found = await outcome(sql);
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const codes = [...counts.keys()].filter((code) => code !== 'planned').sort();
  expect(codes).toEqual(['binder', 'catalog', 'type', 'unsupported']);
});
