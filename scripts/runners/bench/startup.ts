import { spawnSync } from 'node:child_process';
import { median } from '../../../src/bench/statistics.ts';

const RUNS = 25;
/** ms that quern may take on top of Node itself */
const BAR_MS = 200;

/** Start-up: median of `quern -c "select 1"` less median of `node -e 0`, in turns. Returns whether the bar holds. */
export function benchStartup(root: string): boolean {
  const quern: number[] = [];
  const node: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const pair = [
      () => quern.push(time(root, 'bin/quern', ['-c', 'select 1'])),
      () => node.push(time(root, process.execPath, ['-e', '0'])),
    ];
    for (const one of run % 2 === 0 ? pair : pair.reverse()) one();
  }
  const [own, bare] = [median(quern), median(node)];
  const holds = own - bare <= BAR_MS;
  console.log(
    `start-up: quern ${own.toFixed(0)} ms, node ${bare.toFixed(0)} ms, difference ${(own - bare).toFixed(0)} ms`,
  );
  console.log(holds ? `within ${BAR_MS} ms` : `over the bar: ${BAR_MS} ms`);
  return holds;
}

function time(root: string, program: string, args: readonly string[]): number {
  const started = performance.now();
  const run = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  const elapsed = performance.now() - started;
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')} ends with ${run.status}: ${run.stderr}`);
  return elapsed;
}
