// Start-up cost of the command line: median of `quern -c "select 1"` minus median of `node -e 0`, runs alternating.
// node bench/startup.mjs [RUNS] [COMMAND...]: prints milliseconds; exits 1 above the bar of 200 ms.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BAR_MS = 200;
const runs = Number(process.argv[2] ?? 31);
const quern = fileURLToPath(new URL('../bin/quern', import.meta.url));
const command = process.argv.length > 3 ? process.argv.slice(3) : [quern, '-c', 'select 1'];

/** Wall milliseconds of one process; throws unless it succeeds. */
function timed([file, ...args]) {
  const started = performance.now();
  const { status, stderr } = spawnSync(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: exit code ${status}\n${stderr}`);
  return ms;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const ours = [];
const nodes = [];
for (let i = 0; i <= runs; i++) {
  const node = timed([process.execPath, '-e', '0']);
  const own = timed(command);
  // The first pair fills the page cache.
  if (i === 0) continue;
  nodes.push(node);
  ours.push(own);
}
const difference = median(ours) - median(nodes);
const line = (name, values) =>
  console.log(`${name.padEnd(6)} median ${median(values).toFixed(1)} ms, least ${Math.min(...values).toFixed(1)} ms`);
line('node', nodes);
line('quern', ours);
console.log(`difference of medians ${difference.toFixed(1)} ms (bar ${BAR_MS} ms, ${runs} pairs)`);
process.exit(difference <= BAR_MS ? 0 : 1);
