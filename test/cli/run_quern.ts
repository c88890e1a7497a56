/** Starts bin/quern as a user would. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const QUERN = fileURLToPath(new URL('../../bin/quern', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Start {
  readonly input?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** a signal after so many milliseconds */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly afterMs: number } | undefined;
  /** stop reading stdout after so many bytes */
  readonly readBytes?: number | undefined;
}

/** Runs quern to its end. Variables that change its behaviour are taken out of the environment first. */
export function runQuern(args: readonly string[], start: Start = {}): Promise<Outcome> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(QUERN_|NO_COLOR|FORCE_COLOR|COLUMNS|XDG_CONFIG_HOME|CI$|GITHUB_ACTIONS$)/.test(name),
    ),
  );
  const options: SpawnOptions = { cwd: start.cwd, env: { ...env, XDG_CONFIG_HOME: '/nonexistent', ...start.env } };
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(QUERN, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      out.push(chunk);
      length += chunk.length;
      if (start.readBytes !== undefined && length >= start.readBytes) child.stdout?.destroy();
    });
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString(),
        stderr: Buffer.concat(err).toString(),
        ms: performance.now() - started,
      });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(start.input ?? '');
    if (start.kill !== undefined) {
      const { signal, afterMs } = start.kill;
      setTimeout(() => child.kill(signal), afterMs);
    }
  });
}
