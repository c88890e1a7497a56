/** Ctrl-C, SIGTERM, SIGHUP and --timeout as one AbortSignal. */
import { QuernError } from '../common/error.ts';

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type StopSignal = keyof typeof SIGNAL_CODES;

/** After a signal the query has this long to stop by itself. */
const GRACE_MS = 100;

export class Interruption {
  readonly #controller = new AbortController();
  readonly #cleanups = new Set<() => void>();
  #stopped: StopSignal | undefined;
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Exit code of the signal that came, if any. */
  get exitCode(): number | undefined {
    return this.#stopped === undefined ? undefined : SIGNAL_CODES[this.#stopped];
  }

  /** Starts listening. A second signal, or a query that does not stop, ends the process at once. */
  listen(): void {
    for (const name of Object.keys(SIGNAL_CODES) as StopSignal[]) process.on(name, () => this.#stop(name));
  }

  /** Ends the query with a timeout error after `ms`. */
  limitTime(ms: number, text: string): void {
    this.#timer = setTimeout(() => {
      this.#controller.abort(new QuernError({ source: 'user', code: 'timeout', message: `timed out after ${text}` }));
    }, ms);
  }

  /** `cleanup` runs, synchronously, if the process has to end at once. Returns its removal. */
  onEnd(cleanup: () => void): () => void {
    this.#cleanups.add(cleanup);
    return () => void this.#cleanups.delete(cleanup);
  }

  /** No more timers: lets the process end. */
  settle(): void {
    clearTimeout(this.#timer);
  }

  #stop(name: StopSignal): void {
    if (this.#stopped !== undefined) this.#endNow(this.#stopped);
    this.#stopped = name;
    setTimeout(() => this.#endNow(name), GRACE_MS).unref();
    this.#controller.abort(new QuernError({ source: 'user', code: 'cancelled', message: 'cancelled' }));
  }

  /**
   * Removes what would be left over and dies of the signal, which a shell shows as the same exit code: process.exit
   * would wait for the threads of the engine.
   */
  #endNow(name: StopSignal): void {
    for (const cleanup of this.#cleanups) cleanup();
    process.removeAllListeners(name);
    process.kill(process.pid, name);
  }
}
