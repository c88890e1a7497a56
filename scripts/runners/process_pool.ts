import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';

/** How a task ended: with an answer, or with the death of its process. */
export type TaskEnd<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'crash'; readonly reason: string; readonly stderr: string; readonly pid: number };

export interface PoolOptions<Task, Answer> {
  readonly size: number;
  /** module that calls `serveTasks` */
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** a task that takes longer is a hang: its process is killed */
  readonly timeoutMs: number;
  /** tasks after which a process is replaced, so that each gets a fresh peak of memory; default never */
  readonly tasksPerProcess?: number | undefined;
  readonly onEnd: (task: Task, end: TaskEnd<Answer>, elapsedMs: number) => void;
}

/** Bytes of a dead process's stderr that are kept: a sanitizer report is long and its head tells what happened. */
const STDERR_LIMIT = 8000;

/** Runs tasks in child processes, one at a time in each. A process that dies takes only its own task with it. */
export async function runInProcesses<Task, Answer>(
  tasks: Iterable<Task>,
  options: PoolOptions<Task, Answer>,
): Promise<void> {
  const iterator = tasks[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    let child: Child<Task, Answer> | undefined;
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      child ??= new Child(options);
      const started = performance.now();
      const end = await child.run(next.value);
      options.onEnd(next.value, end, performance.now() - started);
      if (end.kind === 'crash') child = undefined;
      else if (child.tasks === options.tasksPerProcess) {
        await child.stop();
        child = undefined;
      }
    }
    await child?.stop();
  };
  await Promise.all(Array.from({ length: options.size }, lane));
}

class Child<Task, Answer> {
  tasks = 0;
  private readonly process: ChildProcess;
  private readonly timeoutMs: number;
  private readonly closed: Promise<string>;
  private stderr = '';

  constructor(options: PoolOptions<Task, Answer>) {
    this.timeoutMs = options.timeoutMs;
    this.process = fork(options.script, [...options.args], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: { ...process.env, ...options.env },
    });
    this.process.stderr?.on('data', (data: Buffer) => {
      if (this.stderr.length < STDERR_LIMIT) this.stderr += data.toString();
    });
    // listened to from the start: a process may die between two tasks; not 'close', which a disconnect can swallow
    const { stderr } = this.process;
    const drained = new Promise((resolve) => stderr?.once('close', resolve));
    this.closed = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => void drained.then(() => resolve(signal ?? `exit code ${code}`)));
    });
  }

  async run(task: Task): Promise<TaskEnd<Answer>> {
    this.tasks++;
    let hang = false;
    const timer = setTimeout(() => {
      hang = true;
      this.process.kill('SIGKILL');
    }, this.timeoutMs);
    const answered = new Promise<TaskEnd<Answer>>((resolve) => {
      this.process.once('message', (answer) => resolve({ kind: 'answer', answer: answer as Answer }));
    });
    const died = this.closed.then((how): TaskEnd<Answer> => {
      const reason = hang ? `no answer after ${this.timeoutMs / 1000} s` : how;
      return { kind: 'crash', reason, stderr: this.stderr, pid: this.process.pid ?? 0 };
    });
    // a failed send means that the process is gone: `closed` tells
    if (this.process.connected) this.process.send(task as object, () => {});
    const end = await Promise.race([answered, died]);
    clearTimeout(timer);
    return end;
  }

  async stop(): Promise<void> {
    if (this.process.connected) this.process.disconnect();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await this.closed;
    clearTimeout(timer);
  }
}

/** The child's side: answers each task; ends when the parent lets go. */
export function serveTasks<Task, Answer>(answer: (task: Task) => Promise<Answer>, stop: () => Promise<void>): void {
  process.on('message', (task) => {
    void answer(task as Task).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => {
    void stop().finally(() => process.exit(0));
  });
}
