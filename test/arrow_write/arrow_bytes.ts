import { arrow } from '../../src/output/arrow/index.ts';
import type { Session } from '../../src/session/index.ts';

/** The one result of `sql` as Arrow IPC. */
export async function arrowBytes(session: Session, sql: string, form: 'file' | 'stream'): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const sink = { writeBytes: (more: readonly Uint8Array[]) => void parts.push(...more) };
  for await (const { result } of session.query(sql)) {
    const writer = arrow.create(sink, { arrowStream: form === 'stream' });
    await writer.begin(result.schema);
    for await (const batch of result.batches()) await writer.batch(batch);
    await writer.end();
  }
  return Buffer.concat(parts);
}
