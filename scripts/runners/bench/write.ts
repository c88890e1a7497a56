import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TextEngine } from '../../../src/reference/text_engine.ts';
import { openTextEngine } from '../../../src/reference/text_engine.ts';

/** quern's speed in units of DuckDB's that is good. */
const SPEED_BAR = 0.7;
const MIB = 1024 * 1024;

/** What is written, by name: tables of prepare.ts. */
const QUERIES: Readonly<Record<string, string>> = {
  mixed: 'SELECT * FROM scan',
  lists: 'SELECT * FROM scan_list',
  repeats: 'SELECT * FROM groups',
};

interface Run {
  readonly ms: number;
  readonly cpuMs: number;
  readonly bytes: number;
}

export interface WriteBench {
  readonly data: string;
  readonly threads: number;
  readonly memoryLimit: number;
  readonly runs: number;
  readonly queries: string | undefined;
}

async function runOnce(engine: TextEngine, query: string, codec: string, path: string): Promise<Run> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await engine.run(`COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const { size } = statSync(path);
  rmSync(path);
  return { ms, cpuMs: (user + system) / 1000, bytes: size };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** COPY to Parquet by quern and DuckDB in turns, a table and codec at a time. Returns whether every speed is good. */
export async function benchWrite(options: WriteBench): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-bench-write-'));
  const engines: TextEngine[] = [];
  for (const name of ['quern', 'duckdb'] as const) {
    const engine = await openTextEngine(name, options);
    for (const table of ['scan', 'scan_list', 'groups']) {
      await engine.registerTable(table, join(options.data, `${table}.parquet`));
    }
    engines.push(engine);
  }
  let isGood = true;
  console.log(
    `write, ${options.threads} threads: median of ${options.runs} (ms, CPU ms, MiB), speed = DuckDB's time / quern's`,
  );
  for (const [name, query] of Object.entries(QUERIES)) {
    if (options.queries !== undefined && !options.queries.split(',').includes(name)) continue;
    for (const codec of ['snappy', 'zstd']) {
      const runs: Run[][] = engines.map(() => []);
      for (let run = 0; run < options.runs; run++) {
        for (const [i, engine] of engines.entries()) {
          runs[i]?.push(await runOnce(engine, query, codec, join(folder, 'out.parquet')));
        }
      }
      const [quern, duckdb] = runs.map((of) => ({
        ms: median(of.map((run) => run.ms)),
        cpuMs: median(of.map((run) => run.cpuMs)),
        mib: (of[0] as Run).bytes / MIB,
      }));
      if (quern === undefined || duckdb === undefined) throw new Error('no runs');
      const text = (run: typeof quern): string =>
        `${run.ms.toFixed(0).padStart(7)}${run.cpuMs.toFixed(0).padStart(7)}${run.mib.toFixed(0).padStart(6)}`;
      const [speed, cpu] = [duckdb.ms / quern.ms, duckdb.cpuMs / quern.cpuMs];
      // CPU time counts too: a machine that is busy otherwise makes time of the clock unsteady.
      const holds = Math.max(speed, cpu) >= SPEED_BAR;
      if (!holds) isGood = false;
      const verdict = holds ? '' : '  under the bar';
      console.log(
        `${`${name} ${codec}`.padEnd(16)} quern${text(quern)}  duckdb${text(duckdb)}  speed ${speed.toFixed(2)}, of CPU ${cpu.toFixed(2)}${verdict}`,
      );
    }
  }
  for (const engine of engines) await engine.close();
  rmSync(folder, { recursive: true });
  return isGood;
}
