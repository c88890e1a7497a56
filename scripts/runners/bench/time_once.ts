import { median } from '../../../src/bench/statistics.ts';
import type { TextEngine, TextResult } from '../../../src/reference/text_engine.ts';

export interface Time {
  readonly ms: number;
  /** of all threads */
  readonly cpuMs: number;
}

/** Runs one statement in this process. */
export async function timeOnce(engine: TextEngine, sql: string): Promise<Time & { result: TextResult | null }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await engine.run(sql);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, result };
}

export function medianTime(times: readonly Time[]): Time {
  return { ms: median(times.map(({ ms }) => ms)), cpuMs: median(times.map(({ cpuMs }) => cpuMs)) };
}
