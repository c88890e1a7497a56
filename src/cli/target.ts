import type { TextSink } from '../output/text_sink.ts';

/** Thrown when the reader of stdout has gone: ends the run silently with exit code 141. */
export class ClosedPipe extends Error {
  constructor() {
    super('the reader of stdout is gone');
    this.name = 'ClosedPipe';
  }
}

/** Where the data of one run goes. */
export interface OutputTarget extends TextSink {
  /** Hands on what is collected, so that an error on stderr comes after the rows before it. */
  flush(): Promise<void>;
  /** Everything is written: make it visible. */
  commit(): Promise<void>;
  /** Something failed: leave nothing behind. */
  discard(): void;
}
