import type { Times } from './result.ts';
import { mad, median } from './statistics.ts';

export interface Sampling {
  readonly warmup: number;
  readonly runs: number;
}

/** One competitor: runs the query once and tells how many rows came. */
export type Competitor = () => Promise<number>;

export interface Measured {
  readonly times: Times;
  readonly rows: number;
}

/**
 * Measures competitors in turns, and the turn order changes with every round, so that drift of the machine meets
 * all alike. Everything a run does is inside the clock: start to the last batch.
 */
export async function measure(competitors: readonly Competitor[], sampling: Sampling): Promise<Measured[]> {
  const first: number[] = competitors.map(() => Number.NaN);
  const times: number[][] = competitors.map(() => []);
  const cpu: number[] = competitors.map(() => 0);
  const rows: number[] = competitors.map(() => 0);
  for (let round = 0; round < sampling.warmup + sampling.runs; round++) {
    const order = competitors.map((_, i) => i);
    if (round % 2 === 1) order.reverse();
    for (const i of order) {
      const cpuBefore = process.cpuUsage();
      const started = performance.now();
      rows[i] = await (competitors[i] as Competitor)();
      const elapsed = performance.now() - started;
      const used = process.cpuUsage(cpuBefore);
      if (round === 0) first[i] = elapsed;
      if (round < sampling.warmup) continue;
      times[i]?.push(elapsed);
      cpu[i] = (cpu[i] ?? 0) + (used.user + used.system) / 1000;
    }
  }
  return competitors.map((_, i) => {
    const list = times[i] ?? [];
    return {
      times: {
        first_ms: first[i] as number,
        times_ms: list,
        median_ms: median(list),
        min_ms: Math.min(...list),
        mad_ms: mad(list),
        cpu_ms: (cpu[i] as number) / sampling.runs,
      },
      rows: rows[i] as number,
    };
  });
}
