import type { Result } from '../common/batch.ts';
import { arrow } from '../output/arrow/index.ts';
import type { RowsWrite } from '../session/types.ts';
import type { Interruption } from './interruption.ts';
import { openTarget } from './output_target.ts';

/** COPY in a format that is written here. A file that is there is replaced, as in DuckDB. */
export async function copyRows(result: Result, { path }: RowsWrite, interruption: Interruption): Promise<void> {
  const target = openTarget(path, true, interruption);
  try {
    const writer = arrow.create(target, { arrowStream: /\.arrows$/i.test(path) });
    await writer.begin(result.schema);
    for await (const batch of result.batches()) await writer.batch(batch);
    await writer.end();
    await target.commit();
  } catch (error) {
    target.discard();
    throw error;
  }
}
