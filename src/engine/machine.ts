import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';

/** CPUs this process may use: the cgroup's quota, then its affinity. */
export function defaultThreads(): number {
  const allowed = availableParallelism();
  const quota = cgroupQuota();
  return Math.max(1, quota === undefined ? allowed : Math.min(allowed, Math.ceil(quota)));
}

/** 80 % of the smaller of the cgroup's limit and the machine's memory, in bytes. */
export function defaultMemoryLimit(): number {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  const limit = constrained !== undefined && constrained > 0 && constrained < total ? constrained : total;
  return Math.floor(limit * 0.8);
}

export function defaultTempDir(): string {
  return tmpdir();
}

/** CPUs of the cgroup's quota (version 2); undefined = none. */
function cgroupQuota(): number | undefined {
  let text: string;
  try {
    text = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8');
  } catch {
    return undefined; // no such cgroup: nothing is limited
  }
  const [quota, period] = text.trim().split(' ').map(Number);
  return quota === undefined || period === undefined || !Number.isFinite(quota) || period <= 0
    ? undefined
    : quota / period;
}
