import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import type { RecordBatch as WasmBatch } from 'parquet-wasm';
import type { Result, ResultBatch } from '../common/batch.ts';
import { arrowStream } from '../output/arrow_ipc.ts';

export interface WriteOptions {
  readonly rowGroupRows: number;
  readonly compression: 'zstd' | 'snappy' | 'none';
  readonly onRows: (rows: number) => void;
}

/**
 * Writes a result as one Parquet file, streaming: at most one row group is held. The file appears under its name only
 * when complete; on any error nothing stays. Returns the number of rows.
 */
export async function writeParquet(result: Result, path: string, options: WriteOptions): Promise<number> {
  const wasm = await import('parquet-wasm');
  const codecs = {
    zstd: wasm.Compression.ZSTD,
    snappy: wasm.Compression.SNAPPY,
    none: wasm.Compression.UNCOMPRESSED,
  } as const;
  const properties = new wasm.WriterPropertiesBuilder()
    .setCompression(codecs[options.compression])
    .setMaxRowGroupSize(options.rowGroupRows)
    .setCreatedBy('quern')
    .build();
  let rows = 0;
  // What stopped the query: the writer reports it as an error of its own without the reason.
  let stopped: unknown;
  async function* recordBatches(): AsyncGenerator<WasmBatch> {
    try {
      for await (const group of rowGroups(result, options.rowGroupRows)) {
        const table = wasm.Table.fromIPCStream(arrowStream(result.schema, group));
        for (const batch of group) rows += batch.rows;
        options.onRows(rows);
        yield* table.recordBatches();
        table.free();
      }
    } catch (error) {
      stopped = error;
      throw error;
    }
  }
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const bytes = await wasm.transformParquetStream(ReadableStream.from(recordBatches()) as never, properties);
    await pipeline(Readable.fromWeb(bytes as ReadableStream), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw stopped ?? error;
  }
  return rows;
}

/** Batches in runs of at least `rows` rows (fewer at the end); at least one run, so that an empty result has a schema. */
async function* rowGroups(result: Result, rows: number): AsyncGenerator<ResultBatch[]> {
  let group: ResultBatch[] = [];
  let held = 0;
  for await (const batch of result.batches()) {
    group.push(batch);
    held += batch.rows;
    if (held >= rows) {
      yield group;
      group = [];
      held = 0;
    }
  }
  if (group.length > 0) yield group;
}
