import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../../src/bench/statistics.ts';
import { findTables } from '../../../src/bench/tables.ts';
import { openSession } from '../../../src/session/index.ts';

const PROCESSES = 5;
const PLANNINGS = 20;
/** ms that the second planning of a process may take */
const BAR_MS = 20;

/** One planning: on the clock, and of all threads of the process. */
interface Planning {
  readonly ms: number;
  readonly cpu: number;
}

export interface PlanningWorkerConfig {
  readonly data: string;
  readonly sql: string;
}

/**
 * Planning: EXPLAIN of a star of ten tables again and again in one process, in several processes. The first pays for
 * start-up, the second has footers and grammar, the later ones compiled code. Returns whether the bar holds.
 */
export function benchPlanning(root: string, data: string): boolean {
  const sql = `EXPLAIN ${readFileSync(join(root, 'bench', 'queries', 'planning', 'star10.sql'), 'utf8')}`;
  const config: PlanningWorkerConfig = { data, sql };
  const runs = Array.from({ length: PROCESSES }, () => timesOf(config));
  const over = (part: (run: readonly Planning[]) => number): number => median(runs.map(part));
  const show = (name: string, at: number): string => {
    const [ms, cpu] = [over((run) => (run[at] as Planning).ms), over((run) => (run[at] as Planning).cpu)];
    return `${name} ${ms.toFixed(1)} ms (CPU ${cpu.toFixed(1)} ms)`;
  };
  const second = over((run) => (run[1] as Planning).ms);
  console.log(
    `planning of a star of ten tables: ${show('first', 0)}, ${show('second', 1)}, ${show('last', PLANNINGS - 1)}`,
  );
  const holds = second <= BAR_MS;
  console.log(holds ? `second within ${BAR_MS} ms` : `second over the bar: ${BAR_MS} ms`);
  return holds;
}

function timesOf(config: PlanningWorkerConfig): readonly Planning[] {
  const script = process.argv[1] as string;
  const run = spawnSync(process.execPath, [script, '--planning-worker', JSON.stringify(config)], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`the planning worker ends with ${run.status}: ${run.stderr}`);
  return JSON.parse(run.stdout) as Planning[];
}

/** In a process of its own: the ms of each planning as JSON on stdout. */
export async function runPlanningWorker({ data, sql }: PlanningWorkerConfig): Promise<void> {
  const session = await openSession({});
  const times: Planning[] = [];
  try {
    for (const { table, glob } of await findTables(data, {})) session.registerTable(table, glob);
    for (let i = 0; i < PLANNINGS; i++) {
      const [started, before] = [performance.now(), process.cpuUsage()];
      for await (const { result } of session.query(sql)) for await (const _ of result.batches());
      const { user, system } = process.cpuUsage(before);
      times.push({ ms: performance.now() - started, cpu: (user + system) / 1000 });
    }
  } finally {
    await session.close();
  }
  process.stdout.write(JSON.stringify(times));
}
