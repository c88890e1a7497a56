import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { promisify } from 'node:util';

export interface Environment {
  readonly node: string;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  /** bytes */
  readonly memory: number;
  /** cgroup v2 limit in bytes; null = none */
  readonly memory_limit: number | null;
  readonly load: number;
  readonly git_commit: string | null;
  readonly git_dirty: boolean | null;
  readonly ci: string | null;
}

/** What a later reader needs to judge the numbers. No environment variables but the name of the CI system. */
export async function describeEnvironment(): Promise<Environment> {
  const commit = await git('rev-parse', 'HEAD');
  const changes = await git('status', '--porcelain', '--untracked-files=no');
  return {
    node: process.version,
    os: `${type()} ${release()}`,
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    memory: totalmem(),
    memory_limit: await memoryLimit(),
    load: loadavg()[0] ?? 0,
    git_commit: commit,
    git_dirty: changes === null ? null : changes !== '',
    ci: process.env.GITHUB_ACTIONS === 'true' ? 'github' : process.env.CI ? 'ci' : null,
  };
}

async function git(...args: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)('git', args)).stdout.trim();
  } catch {
    // no git or no repository: an installed quern
    return null;
  }
}

async function memoryLimit(): Promise<number | null> {
  try {
    const text = (await readFile('/sys/fs/cgroup/memory.max', 'utf8')).trim();
    return text === 'max' ? null : Number(text);
  } catch {
    return null;
  }
}
