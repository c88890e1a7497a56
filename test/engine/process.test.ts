import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { INT64 } from '../../src/common/data_type.ts';
import { PlanRows } from './plan_rows.ts';

const ADDON = fileURLToPath(new URL('../../build/native/Release/quern.node', import.meta.url));

function endlessPlan(): string {
  const rows = new PlanRows();
  const range = rows.node('range', [], [['n', INT64]], { start: '0', stop: String(2 ** 52), step: '1' });
  const sum = {
    fn: 'max',
    args: [rows.column(0, INT64)],
    distinct: false,
    filter: null,
    order: [],
    type: rows.type(INT64),
  };
  rows.node('hash_group_by', [range], [['m', INT64]], { keys: [], aggregates: [sum] });
  return JSON.stringify(rows.plan());
}

function streamPlan(): string {
  const rows = new PlanRows();
  rows.node('range', [], [['n', INT64]], { start: '0', stop: String(2 ** 52), step: '1' });
  return JSON.stringify(rows.plan());
}

/** Runs JavaScript in a process of its own, with `open` and two plans at hand. */
function runProcess(body: string): {
  status: number | null;
  signal: string | null;
  ms: number;
  stdout: string;
  stderr: string;
} {
  const code = `
    const addon = require(${JSON.stringify(ADDON)});
    const open = () => addon.open({ threads: 2, memoryLimit: 2 ** 30, tempDir: '/tmp', batchRows: 2048, listOffsetLimit: 2 ** 31 - 1 });
    const plans = { endless: ${JSON.stringify(endlessPlan())}, stream: ${JSON.stringify(streamPlan())} };
    ${body}`;
  const started = performance.now();
  const done = spawnSync(process.execPath, ['-e', code], {
    encoding: 'utf8',
    timeout: 20_000,
    // console.log colours its values where a caller forces colours
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  return {
    status: done.status,
    signal: done.signal,
    ms: performance.now() - started,
    stdout: done.stdout,
    stderr: done.stderr,
  };
}

test('process.exit in mid-query neither hangs nor crashes', () => {
  for (const plan of ['endless', 'stream']) {
    const done = runProcess(`open().execute(plans.${plan}).next(); setTimeout(() => process.exit(7), 50);`);
    expect(done).toMatchObject({ status: 7, signal: null, stderr: '' });
    expect(done.ms).toBeLessThan(5000);
  }
});

test('an exception in mid-query ends the process as usual', () => {
  const done = runProcess(
    `open().execute(plans.endless).next(); setTimeout(() => { throw new Error('planned'); }, 30);`,
  );
  expect(done.status).toBe(1);
  expect(done.stderr).toContain('planned');
});

test('the event loop ends when nothing is awaited, and not before', () => {
  const idle = runProcess(`const q = open().execute(plans.stream); q.next().then((b) => console.log(b.rows > 0));`);
  expect(idle).toMatchObject({ status: 0, signal: null, stdout: 'true\n', stderr: '' });
});

test('workers use the addon and may be terminated in mid-query', () => {
  const done = runProcess(`
    const { Worker } = require('node:worker_threads');
    const source = \`
      const { parentPort, workerData } = require('node:worker_threads');
      const addon = require(workerData.addon);
      const engine = addon.open({ threads: 2, memoryLimit: 2 ** 30, tempDir: '/tmp', batchRows: 2048, listOffsetLimit: 2 ** 31 - 1 });
      engine.execute(workerData.plans.stream).next().then((b) => parentPort.postMessage(b.rows));
      engine.execute(workerData.plans.endless).next();
    \`;
    const start = () => new Promise((resolve, reject) => {
      const worker = new Worker(source, { eval: true, workerData: { addon: ${JSON.stringify(ADDON)}, plans } });
      worker.on('error', reject);
      worker.on('message', async (rows) => resolve([rows, await worker.terminate()]));
    });
    Promise.all([start(), start(), start()]).then((all) => console.log(all.every(([rows]) => rows > 0)));
  `);
  expect(done).toMatchObject({ status: 0, signal: null, stdout: 'true\n', stderr: '' });
});

test('cancelled queries give back memory and threads', () => {
  const done = runProcess(`
    const engine = open();
    (async () => {
      for (let i = 0; i < 200; i++) {
        const query = engine.execute(plans.stream);
        await query.next();
        query.cancel();
      }
      console.log(process.memoryUsage().rss < 700e6);
      engine.close();
    })();
  `);
  expect(done).toMatchObject({ status: 0, signal: null, stdout: 'true\n', stderr: '' });
});
