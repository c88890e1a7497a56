import { renderValue } from '../../output/render_value.ts';
import type { Context } from '../context.ts';
import { openTarget } from '../output_target.ts';
import { runSql } from '../run_sql.ts';

/** `quern explain`: the plan as plain text, never in a box. */
export async function runExplain(context: Context): Promise<number> {
  const { options, interruption, terminal } = context;
  const asked = options.mode;
  const format = typeof asked === 'string' ? asked : terminal.stdoutIsTerminal ? 'tree' : 'text';
  const target = openTarget(undefined, false, interruption);
  const prefix = `EXPLAIN (${options.analyze === true ? 'ANALYZE, ' : ''}FORMAT ${format}) `;
  return runSql(context, {
    target,
    prefix,
    async onResult(result) {
      for await (const batch of result.batches()) {
        const plan = batch.columns[batch.columns.length - 1];
        if (plan === undefined) continue;
        for (let row = 0; row < batch.rows; row++) await target.write(`${(renderValue(plan, row) ?? '').trimEnd()}\n`);
      }
    },
  });
}
