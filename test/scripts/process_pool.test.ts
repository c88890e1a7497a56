import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInProcesses, type TaskEnd } from '../../scripts/runners/process_pool.ts';

let folder: string;
let script: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quern-pool-'));
  script = join(folder, 'worker.mjs');
  writeFileSync(
    script,
    `let tasks = 0;
     process.on('message', ({ n }) => {
       tasks++;
       if (n === 3) { console.error('about to die'); process.kill(process.pid, 'SIGSEGV'); }
       else if (n === 5) setInterval(() => {}, 1000);
       else process.send({ n, tasks });
     });
     process.on('disconnect', () => process.exit(0));`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Answer {
  readonly n: number;
  readonly tasks: number;
}

it('names the task that killed its process and goes on with the others', async () => {
  const ends = new Map<number, TaskEnd<Answer>>();
  await runInProcesses<{ n: number }, Answer>(
    [0, 1, 2, 3, 4, 5, 6].map((n) => ({ n })),
    { size: 2, script, args: [], timeoutMs: 1500, onEnd: ({ n }, end) => ends.set(n, end) },
  );
  expect(ends.size).toBe(7);
  expect(ends.get(3)).toMatchObject({ kind: 'crash', reason: 'SIGSEGV', stderr: 'about to die\n' });
  expect(ends.get(5)).toMatchObject({ kind: 'crash', reason: 'no answer after 1.5 s' });
  for (const n of [0, 1, 2, 4, 6]) expect(ends.get(n)).toMatchObject({ kind: 'answer', answer: { n } });
});

it('replaces a process after a number of tasks', async () => {
  const tasks: number[] = [];
  await runInProcesses<{ n: number }, Answer>([{ n: 0 }, { n: 1 }, { n: 2 }], {
    size: 1,
    script,
    args: [],
    timeoutMs: 5000,
    tasksPerProcess: 1,
    onEnd: (_, end) => end.kind === 'answer' && tasks.push(end.answer.tasks),
  });
  expect(tasks).toEqual([1, 1, 1]);
});
