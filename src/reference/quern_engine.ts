import type { Result } from '../common/batch.ts';
import { typeName } from '../common/data_type.ts';
import { renderValue } from '../output/render_value.ts';
import { openSession } from '../session/index.ts';
import type { TextEngine, TextEngineOptions, TextResult } from './text_engine.ts';

/** quern itself, through the same session as the command line. */
export async function openQuernEngine(options: TextEngineOptions = {}): Promise<TextEngine> {
  const session = await openSession(options);
  return {
    name: 'quern',
    run: async (sql) => {
      let last: TextResult | null = null;
      for await (const statement of session.query(sql)) last = await readAsText(statement.result);
      return last;
    },
    drain: async (sql, timeoutMs) => {
      const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
      let rows = 0;
      for await (const statement of session.query(sql, { signal })) {
        for await (const batch of statement.result.batches()) rows += batch.rows;
      }
      return rows;
    },
    registerTable: async (table, glob) => session.registerTable(table, glob),
    version: async () => '',
    close: () => session.close(),
  };
}

/** All rows of a result as text. */
export async function readAsText(result: Result): Promise<TextResult | null> {
  const rows: (string | null)[][] = [];
  for await (const batch of result.batches()) {
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => renderValue(column, row)));
  }
  if (result.kind === 'none') return null;
  return { columns: result.schema.map((field) => ({ name: field.name, type: typeName(field.type) })), rows };
}
