import type { QueryMetrics, Result, ResultBatch, Schema } from '../common/batch.ts';
import { QuernError } from '../common/error.ts';
import type { NativeQuery } from './addon.ts';
import { fromNative } from './native_error.ts';
import { toResultBatch } from './result_batch.ts';

/** Measurements of a query, down to its plan nodes (by index into the plan's nodes) and pipelines. */
export interface EngineMetrics extends QueryMetrics {
  /**
   * rows a node gave; its own time summed over threads; of a source by column: the number of elements that all its lists
   * have, -1 = they differ or there are none
   */
  readonly nodes: readonly {
    readonly rows: number;
    readonly ms: number;
    readonly strides?: readonly number[] | undefined;
    /** of a scan: what filters of joins left out; absent = nothing */
    readonly filteredRowGroups?: number | undefined;
    readonly filteredPages?: number | undefined;
    readonly filteredRows?: number | undefined;
    readonly stoppedFilters?: number | undefined;
    /** of a hash join: how its table finds rows */
    readonly index?: string | undefined;
  }[];
  /** `source` and `sink` are plan nodes; `ms` is wall time */
  readonly pipelines: readonly {
    readonly source: number;
    readonly sink: number;
    readonly morsels: number;
    readonly threads: number;
    readonly ms: number;
  }[];
  /** chains of GPU nodes, by the exchange at their end */
  readonly devices: readonly {
    readonly node: number;
    readonly deviceMs: number;
    readonly compileMs: number;
    readonly launches: number;
    readonly readBacks: number;
    readonly bytesToDevice: number;
    readonly bytesToHost: number;
    readonly peakBytes: number;
    readonly tiers: readonly { readonly node: number; readonly tier: string }[];
    /** column chunks that were decoded there, that were still there, and those that were decoded on the host, by reason */
    readonly deviceChunks: number;
    readonly cachedChunks: number;
    readonly hostChunks: readonly { readonly reason: string; readonly chunks: number }[];
  }[];
  readonly skippedFiles: readonly { readonly path: string; readonly reason: string }[];
}

export interface EngineResult extends Result {
  metrics(): EngineMetrics;
}

/** A running plan as a Result. Its rows can be read once. */
export function makeResult(query: NativeQuery, schema: Schema, signal: AbortSignal | undefined): EngineResult {
  return {
    kind: 'rows',
    schema,
    batches: () => readBatches(query, schema, signal),
    metrics: () => JSON.parse(query.metrics()) as EngineMetrics,
  };
}

async function* readBatches(
  query: NativeQuery,
  schema: Schema,
  signal: AbortSignal | undefined,
): AsyncGenerator<ResultBatch> {
  const cancel = (): void => query.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  let ended = false;
  try {
    if (signal?.aborted === true) cancel();
    for (;;) {
      const block = await query.next();
      if (block === null) break;
      yield toResultBatch(block, schema);
    }
    ended = true;
  } catch (error) {
    throw abortReason(signal) ?? fromNative(error);
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (!ended) cancel();
  }
}

/** Whoever aborts may say with which error, e.g. a timeout. */
function abortReason(signal: AbortSignal | undefined): QuernError | undefined {
  return signal?.aborted === true && signal.reason instanceof QuernError ? signal.reason : undefined;
}
