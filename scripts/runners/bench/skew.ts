import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTextEngine } from '../../../src/reference/text_engine.ts';
import { medianTime, timeOnce } from './time_once.ts';

/** A pair of a skewed join may take so many times what a pair of a uniform one takes. */
const BAR = 2;
const MEMORY_LIMIT = 4 * 1024 * 1024 * 1024;
const ROWS = 1_000_000;

/** Keys 1 to `greatest`, each as often as its number is small: Zipf's law with exponent 1. */
const zipf = (row: string, greatest: number): string =>
  `floor(exp((${row} * 7919 % ${ROWS}) / ${ROWS}.0 * ln(${greatest})))::BIGINT`;

/** A million rows, written to a file first: what keys cost to compute does not count. */
const KEYS = `SELECT i, i * 7919 % ${ROWS} AS k, i // 10 AS k10, i // 1000 AS k1000, i // 50000 AS k50000,
  ${zipf('i', ROWS)} AS zipf, ${zipf('i', 100_000)} AS zipf_few FROM range(${ROWS}) t(i)`;

/** Rows of the first and of the second input, and their keys. Each gives a million pairs or more. */
const JOINS: readonly { name: string; probe: string; probeRows: number; build: string; buildRows: number }[] = [
  { name: 'uniform', probe: 'k', probeRows: ROWS, build: 'i', buildRows: ROWS },
  { name: 'multiplicity 10', probe: 'i', probeRows: 100_000, build: 'k10', buildRows: ROWS },
  { name: 'multiplicity 1000', probe: 'k10', probeRows: 10_000, build: 'k1000', buildRows: ROWS },
  { name: 'multiplicity 50000', probe: 'k10', probeRows: 200, build: 'k50000', buildRows: ROWS },
  { name: 'zipf probe', probe: 'zipf', probeRows: ROWS, build: 'i', buildRows: ROWS },
  { name: 'zipf build', probe: 'i', probeRows: 100_000, build: 'zipf_few', buildRows: ROWS },
  { name: 'zipf both', probe: 'zipf', probeRows: 20_000, build: 'zipf', buildRows: 20_000 },
];

export interface SkewBench {
  readonly threads: number;
  readonly runs: number;
}

/** Joins of skewed keys. Returns whether no pair takes more than the bar. */
export async function benchSkew({ threads, runs }: SkewBench): Promise<boolean> {
  const engine = await openTextEngine('quern', { threads, memoryLimit: MEMORY_LIMIT });
  const folder = mkdtempSync(join(tmpdir(), 'quern-bench-skew-'));
  const file = `'${join(folder, 'keys.parquet')}'`;
  await engine.run(`COPY (${KEYS}) TO ${file}`);
  console.log(`skew, ${threads} threads: median of ${runs} (CPU ms), pairs, ns a pair, bar ${BAR} times uniform`);
  let uniform = 0;
  let holds = true;
  for (const { name, probe, probeRows, build, buildRows } of JOINS) {
    const sql = `SELECT count(*), sum(a.i), sum(b.i) FROM ${file} a JOIN ${file} b
      ON a.${probe} = b.${build} AND a.i < ${probeRows} AND b.i < ${buildRows}`;
    const warm = await timeOnce(engine, sql);
    const pairs = Number(warm.result?.rows[0]?.[0] ?? 0);
    const times = [];
    for (let run = 0; run < runs; run++) times.push(await timeOnce(engine, sql));
    const { cpuMs } = medianTime(times);
    const nanoseconds = (cpuMs * 1e6) / pairs;
    uniform ||= nanoseconds;
    const ratio = nanoseconds / uniform;
    const over = !(ratio <= BAR);
    if (over) holds = false;
    console.log(
      `${name.padEnd(24)}${cpuMs.toFixed(1).padStart(9)}${String(pairs).padStart(12)}${nanoseconds.toFixed(1).padStart(9)}${ratio.toFixed(2).padStart(7)}${over ? '  over the bar' : ''}`,
    );
  }
  await engine.close();
  rmSync(folder, { recursive: true });
  return holds;
}
