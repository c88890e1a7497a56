import { Engine } from '../engine/index.ts';
import type { Settings } from './settings.ts';

/** Opens the engine when it is first needed and again when a setting that it was opened with has changed. */
export class EngineHolder {
  #engine: Engine | null = null;
  #key = '';

  open(settings: Settings): Engine {
    const options = {
      threads: settings.threads ?? undefined,
      memoryLimit: settings.memoryLimit ?? undefined,
      tempDir: settings.tempDir ?? undefined,
      batchRows: settings.batchRows ?? undefined,
      listOffsetLimit: settings.listOffsetLimit ?? undefined,
    };
    const key = JSON.stringify(options);
    if (this.#engine === null || key !== this.#key) {
      // Its queries keep what they need; nothing waits for it.
      void this.close();
      this.#engine = new Engine(options);
      this.#key = key;
    }
    return this.#engine;
  }

  async close(): Promise<void> {
    const engine = this.#engine;
    this.#engine = null;
    await engine?.close();
  }
}
