import type { QueryMetrics, Result, ResultBatch, ResultColumn, Schema } from '../common/batch.ts';
import { INT64, STRING } from '../common/data_type.ts';

export const NO_METRICS: QueryMetrics = {
  elapsedMs: 0,
  rows: 0,
  bytesRead: 0,
  peakMemory: 0,
  pagesRead: 0,
  pagesSkipped: 0,
  rowGroupsRead: 0,
  rowGroupsSkipped: 0,
  pairsTested: 0,
  pairsWritten: 0,
};

/** Of a statement that gives no rows; `schema` is what a dry run found out. */
export function emptyResult(schema: Schema = []): Result {
  return { kind: 'none', schema, batches: async function* () {}, metrics: () => NO_METRICS };
}

/** A table of texts that needs no engine, such as SHOW TABLES. */
export function textResult(
  names: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  metrics: QueryMetrics = NO_METRICS,
): Result {
  const batch: ResultBatch = {
    rows: rows.length,
    columns: names.map((_, i) => textColumn(rows.map((row) => row[i] ?? null))),
  };
  return {
    kind: 'rows',
    schema: names.map((name) => ({ name, type: STRING })),
    batches: async function* () {
      if (rows.length > 0) yield batch;
    },
    metrics: () => ({ ...metrics, rows: rows.length }),
  };
}

/** What a writing statement gives: the number of rows, in batches that are no result. */
export function countResult(schema: Schema, rows: number, metrics: () => QueryMetrics): Result {
  const column: ResultColumn = { type: INT64, rows: 1, nullCount: 0, values: BigInt64Array.of(BigInt(rows)) };
  return {
    kind: 'none',
    schema,
    batches: async function* () {
      yield { rows: 1, columns: [column] };
    },
    metrics,
  };
}

function textColumn(values: readonly (string | null)[]): ResultColumn {
  const bytes = values.map((value) => Buffer.from(value ?? '', 'utf8'));
  const offsets = new Int32Array(values.length + 1);
  for (const [i, value] of bytes.entries()) offsets[i + 1] = (offsets[i] ?? 0) + value.length;
  const validity = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  for (const [i, value] of values.entries()) {
    if (value === null) nullCount++;
    else validity[i >> 3] = (validity[i >> 3] ?? 0) | (1 << (i & 7));
  }
  return {
    type: STRING,
    rows: values.length,
    nullCount,
    validity: nullCount === 0 ? undefined : validity,
    values: new Uint8Array(Buffer.concat(bytes)),
    offsets,
  };
}
