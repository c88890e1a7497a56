/** Long enough that the loop costs nothing, short enough that Ctrl-C is heard at once. */
const TURN_MS = 10;

/** Lets timers and signals run between rows: renderers await `turn()` whenever `due()`. */
export class Pace {
  #last = performance.now();

  due(): boolean {
    return performance.now() - this.#last >= TURN_MS;
  }

  async turn(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#last = performance.now();
  }
}
