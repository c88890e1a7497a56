/** A line on stderr that says how long the query runs and what has come so far. */
import { writeSync } from 'node:fs';
import { countText } from './quantity.ts';

/** Nothing is drawn before: most queries are over by then. */
const DELAY_MS = 2000;
const FRAME_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

export class Progress {
  readonly #enabled: boolean;
  #timer: NodeJS.Timeout | undefined;
  #started = 0;
  #drawn = false;
  #rows = 0;

  constructor(enabled: boolean) {
    this.#enabled = enabled;
  }

  start(): void {
    if (!this.#enabled) return;
    this.stop();
    this.#rows = 0;
    this.#started = performance.now();
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#draw(), FRAME_MS);
      this.#timer.unref();
    }, DELAY_MS);
    this.#timer.unref();
  }

  /** Rows that have arrived. */
  add(rows: number): void {
    this.#rows += rows;
  }

  /** Takes the line away, for other text on the terminal. */
  clear(): void {
    if (this.#drawn) writeSync(2, CLEAR_LINE);
    this.#drawn = false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  #draw(): void {
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    const rows = this.#rows > 0 ? `, ${countText(this.#rows)} rows` : '';
    writeSync(2, `${CLEAR_LINE}running ${seconds} s${rows} (Ctrl-C cancels)`);
    this.#drawn = true;
  }
}
