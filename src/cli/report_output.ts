import { StdoutTarget } from './stdout_target.ts';

/** Stdout for reports that are written line by line without waiting. */
export class ReportOutput {
  readonly #target: StdoutTarget;
  #written: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal) {
    this.#target = new StdoutTarget(signal);
  }

  readonly write = (text: string): void => {
    this.#written = this.#written.then(async () => {
      await this.#target.write(text);
      await this.#target.flush();
    });
    // A failure stays in the chain and comes out of end().
    this.#written.catch(() => undefined);
  };

  /** Waits until everything is out; throws what went wrong on the way. */
  async end(): Promise<void> {
    await this.#written;
    await this.#target.commit();
  }
}
