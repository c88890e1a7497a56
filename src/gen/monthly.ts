import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../common/batch.ts';
import type { Session } from '../session/types.ts';
import type { MonthlyTable } from './tables.ts';

/** Name of the folder whose rows have no date, as Hive has it. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';

/** Julian day number of 1970-01-01: what the numbers of days count from. */
const EPOCH_DAY_NUMBER = 2_440_588;

interface Partition {
  /** `year_key=1998/month_key=1` */
  readonly folder: string;
  readonly condition: string;
}

const quoted = (path: string): string => `'${path.replaceAll("'", "''")}'`;

/** The rows of a result whose columns are BIGINT without NULL. */
async function wholeNumbers(result: Result): Promise<number[][]> {
  const rows: number[][] = [];
  for await (const batch of result.batches()) {
    const columns = batch.columns.map((column) => column.values as BigInt64Array);
    for (let i = 0; i < batch.rows; i++) rows.push(columns.map((values) => Number(values[i])));
  }
  return rows;
}

async function numbersOf(session: Session, sql: string, signal: AbortSignal): Promise<number[][]> {
  for await (const { result } of session.query(sql, { signal })) return wholeNumbers(result);
  return [];
}

/** The months that have rows, in order, and where there are any the rows without a date. */
async function partitionsOf(session: Session, table: MonthlyTable, source: string, signal: AbortSignal) {
  const { date, yearKey, monthKey } = table;
  const months = await numbersOf(
    session,
    `SELECT year(day), month(day), min(key)::BIGINT, max(key)::BIGINT
       FROM (SELECT ${date} AS key, DATE '1970-01-01' + (${date} - ${EPOCH_DAY_NUMBER}) AS day FROM ${source})
       WHERE key IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    signal,
  );
  const partitions = months.map(
    ([year, month, first, last]): Partition => ({
      folder: join(`${yearKey}=${year}`, `${monthKey}=${month}`),
      condition: `${date} BETWEEN ${first} AND ${last}`,
    }),
  );
  const [dateless] = await numbersOf(session, `SELECT count(*) FROM ${source} WHERE ${date} IS NULL`, signal);
  if (dateless?.[0] === 0) return partitions;
  return [
    ...partitions,
    { folder: join(`${yearKey}=${NO_VALUE}`, `${monthKey}=${NO_VALUE}`), condition: `${date} IS NULL` },
  ];
}

/**
 * Lays a written table out again by month. `writeFile` writes the rows of a statement to a file and returns their
 * number. The folder appears complete or not at all.
 */
export async function writeMonthly(
  session: Session,
  table: MonthlyTable,
  out: string,
  signal: AbortSignal,
  writeFile: (sql: string, path: string) => Promise<number>,
): Promise<{ rows: number; bytes: number }> {
  const source = quoted(join(out, `${table.of}.parquet`));
  const unfinished = join(out, `.${table.table}.unfinished`);
  let rows = 0;
  let bytes = 0;
  try {
    for (const { folder, condition } of await partitionsOf(session, table, source, signal)) {
      const path = join(unfinished, folder, 'part-0.parquet');
      await mkdir(join(unfinished, folder), { recursive: true });
      rows += await writeFile(`SELECT * FROM ${source} WHERE ${condition}`, path);
      bytes += (await stat(path)).size;
    }
    const finished = join(out, table.table);
    await rm(finished, { recursive: true, force: true });
    await rename(unfinished, finished);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return { rows, bytes };
}
