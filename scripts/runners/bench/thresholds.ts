import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import type { Time } from './time_once.ts';
import { medianTime, timeOnce } from './time_once.ts';

/** One above a threshold may take so many times what the threshold takes. */
const BAR = 1.5;
const MEMORY_LIMIT = 4 * 1024 * 1024 * 1024;
const WARM_UPS = 1;

/** A number at which an operator changes what it does. */
interface Threshold {
  readonly name: string;
  /** what changes, and where the number stands */
  readonly what: string;
  readonly at: number;
  /** a statement whose count is `n` */
  readonly sql: (n: number) => string;
}

const grouped =
  (aggregates: string, rows: number, key = (n: number): string => `i * 7919 % ${n}`) =>
  (n: number): string =>
    `SELECT count(k), max(v) FROM (SELECT ${key(n)} AS k, ${aggregates} AS v FROM range(${rows}) t(i) GROUP BY k)`;

const MANY = 2_000_000;

const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'sum(i)',
  decimal: 'sum(i::DECIMAL(38, 2))',
  text: "max('text number ' || (i % 100))",
  variance: 'stddev(i::DOUBLE)',
};

function groupThresholds(): Threshold[] {
  const places: [number, string][] = [
    [128, 'groups of decimals'],
    [1024, 'slots of a table are doubled first (group_table.cpp, first_slots)'],
    [4096, 'partitions are merged in parallel (hash_group_by.cpp, few)'],
    [32_768, 'groups leave the cache of a core'],
    [524_288, 'slots are doubled only while keys repeat (group_table.cpp, unquestioned_slots)'],
    [1_000_000, 'most kept by mode and approximate best'],
  ];
  return places.flatMap(([at, what]) =>
    Object.entries(AGGREGATES).map(([name, aggregate]) => ({
      name: `group ${name} ${at}`,
      what,
      at,
      sql: grouped(aggregate, MANY),
    })),
  );
}

/** `n` keys `step` apart, joined by a million rows that hit them all. */
const joined = (keys: string, key: string, rest = ''): string =>
  `SELECT count(*), sum(i) FROM (SELECT i, ${key} AS k FROM range(1000000) t(i)) a JOIN (${keys}) b ON a.k = b.k${rest}`;

/** `rows` keys from 0 to `n` - 1, all but the last `step` apart. */
const apart = (rows: number, step: number, n: number): string =>
  `SELECT CASE WHEN j = ${rows - 1} THEN ${n - 1} ELSE j * ${step} END AS k FROM range(${rows}) u(j)`;

/** Ranges of keys at which the index of a join changes. */
const SPANS: readonly Threshold[] = [
  {
    name: 'join few places',
    what: 'a place for every number of a small range (join_direct.hpp, direct_span_always)',
    at: 1024,
    sql: (n) => joined(apart(100, 1, n), 'i % 100'),
  },
  {
    name: 'join few ranks',
    what: 'a place for every key of a small range (join_direct.hpp, ranked_span_always)',
    at: 65_536,
    sql: (n) => joined(apart(100, 1, n), 'i % 100'),
  },
  ...[100_000, 1_000_000].flatMap((rows): Threshold[] => [
    {
      name: `join places ${rows}`,
      what: 'a place for every number while there are four a row (join_direct.hpp, direct_span_per_row)',
      at: 4 * rows,
      sql: (n) => joined(apart(rows, 4, n), `i * 7919 % ${rows} * 4`),
    },
    {
      name: `join ranks ${rows}`,
      what: 'a place for every key of a range of 128 numbers a row (join_direct.hpp, ranked_span_per_row)',
      at: 128 * rows,
      sql: (n) => joined(apart(rows, 128, n), `i * 7919 % ${rows} * 128`),
    },
  ]),
];

const JOINS: readonly Threshold[] = [
  ...SPANS,
  {
    name: 'join parts',
    what: 'an index is made in parts (join_keys.cpp, rows_per_part)',
    at: 32_767,
    sql: (n) => joined(`SELECT j * 1000003 AS k FROM range(${n}) u(j)`, 'i % 32768 * 1000003'),
  },
  {
    name: 'join one repeated key',
    what: 'keys have lists of rows once one key has two',
    at: 500_000,
    sql: (n) => joined(`SELECT j % 500000 AS k FROM range(${n}) u(j)`, 'i * 7919 % 500000'),
  },
  {
    name: 'join one repeated key, hash',
    what: 'the same through a hash',
    at: 500_000,
    sql: (n) => joined(`SELECT j % 500000 * 1000003 AS k FROM range(${n}) u(j)`, 'i * 7919 % 500000 * 1000003'),
  },
  {
    name: 'join one repeated key, tested',
    what: 'candidates of a row are tested side by side once one key has two rows',
    at: 500_000,
    sql: (n) => joined(`SELECT j % 500000 AS k, j FROM range(${n}) u(j)`, 'i * 7919 % 500000', ' AND a.i > b.j + 5'),
  },
  ...[64, 4096, 262_144].map(
    (at): Threshold => ({
      name: `search levels ${at}`,
      what: 'sorted rows have one more level of blocks (join_sorted.hpp, level_bits)',
      at,
      sql: (n) =>
        `SELECT count(*), sum(i) FROM range(100000) t(i) JOIN (SELECT j AS lo, j + 3 AS hi FROM range(${n}) u(j)) b ON i % ${at} BETWEEN lo AND hi`,
    }),
  ),
  {
    name: 'search or every pair',
    what: 'pairs from which rows are sorted and searched (join_search.ts)',
    at: 101,
    sql: (n) => `SELECT count(*), sum(i) FROM range(200000) t(i) JOIN range(${n}) u(j) ON i % 1000 BETWEEN j AND j + 1`,
  },
];

const file = (folder: string): string => `'${join(folder, 'rows.parquet')}'`;

/** Filters of joins work on scans only. */
function filterThresholds(folder: string): Threshold[] {
  const scanned = (keys: string, column: string): string =>
    `SELECT count(*), sum(i) FROM ${file(folder)} f JOIN (SELECT x FROM (${keys}) WHERE x IS NOT NULL) ON f.${column} = x`;
  return [
    {
      name: 'filter values',
      what: 'each key is compared with bounds (join_filter.cpp, few_values)',
      at: 64,
      sql: (n) => scanned(`SELECT j * 100 AS x FROM range(${n}) u(j)`, 'spread'),
    },
    {
      name: 'filter bits',
      what: 'a bit for every value of a small range (join_filter.cpp, bits_always)',
      at: 65_536,
      sql: (n) => scanned(`SELECT CASE WHEN j = 99 THEN ${n - 1} ELSE j END AS x FROM range(100) u(j)`, 'spread'),
    },
    {
      name: 'filter bits, many',
      what: 'a bit for every value while there are 64 a key (join_filter.cpp, bits_per_key)',
      at: 6_400_000,
      sql: (n) =>
        scanned(`SELECT CASE WHEN j = 99999 THEN ${n - 1} ELSE j * 4 END AS x FROM range(100000) u(j)`, 'spread'),
    },
  ];
}

export interface ThresholdBench {
  readonly threads: number;
  readonly runs: number;
  readonly queries: string | undefined;
  /** the result file */
  readonly output: string;
}

/** Each threshold and one above it, in turns. Returns whether no step is higher than the bar. */
export async function benchThresholds(options: ThresholdBench): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-bench-thresholds-'));
  const engine = await openTextEngine('quern', { threads: options.threads, memoryLimit: MEMORY_LIMIT });
  await engine.run(`COPY (SELECT i, i * 7919 % 1000000 AS spread FROM range(1000000) t(i)) TO ${file(folder)}`);
  const chosen = options.queries === undefined ? null : new RegExp(options.queries);
  const all = [...groupThresholds(), ...JOINS, ...filterThresholds(folder)];
  const thresholds = all.filter(({ name }) => chosen?.test(name) ?? true);
  console.log(
    `thresholds, ${options.threads} threads: median of ${options.runs} (ms, CPU ms) at T and T + 1, bar ${BAR}`,
  );
  const results = [];
  for (const { name, what, at, sql } of thresholds) {
    const times: [Time[], Time[]] = [[], []];
    for (let run = -WARM_UPS; run < options.runs; run++) {
      for (const above of run % 2 === 0 ? [0, 1] : [1, 0]) {
        const time = await timeOnce(engine, sql(at + above));
        if (run >= 0) times[above]?.push(time);
      }
    }
    const [below, above] = [medianTime(times[0]), medianTime(times[1])];
    // CPU time counts too: a machine that is busy otherwise makes time of the clock unsteady.
    const ratio = Math.min(above.ms / below.ms, above.cpuMs / below.cpuMs);
    const text = ({ ms, cpuMs }: Time): string => `${ms.toFixed(1).padStart(9)}${cpuMs.toFixed(1).padStart(9)}`;
    console.log(
      `${name.padEnd(32)}${text(below)}${text(above)}${ratio.toFixed(2).padStart(7)}${ratio > BAR ? '  over the bar' : ''}`,
    );
    results.push({ name, what, at, below, above, ratio, holds: ratio <= BAR });
  }
  await engine.close();
  rmSync(folder, { recursive: true });
  const machine = { processor: cpus()[0]?.model ?? 'unknown', threads: options.threads };
  const document = { schema: 'quern.thresholds/1', bar: BAR, runs: options.runs, machine, results };
  writeFileSync(options.output, `${JSON.stringify(document, null, 2)}\n`);
  return results.every(({ holds }) => holds);
}
