import { QuernError } from '../common/error.ts';
import type { ByteSink, TextSink } from '../output/text_sink.ts';

/** Thrown when the reader of stdout or of a pipe has gone: ends the run silently with exit code 141. */
export function closedPipe(path: string): QuernError {
  return new QuernError({ source: 'io', code: 'cancelled', message: `cannot write: its reader has gone: ${path}` });
}

/** Whether an error is that of a closed pipe, which COPY finds in native code. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof QuernError && error.source === 'io' && error.code === 'cancelled';
}

/** Where the data of one run goes. */
export interface OutputTarget extends TextSink, ByteSink {
  /** Hands on what is collected, so that an error on stderr comes after the rows before it. */
  flush(): Promise<void>;
  /** Everything is written: make it visible. */
  commit(): Promise<void>;
  /** Something failed: leave nothing behind. */
  discard(): void;
}

/** Bytes that one call may be given: Node takes less than 2 GiB. */
const PART_BYTES = 2 ** 30;

/** The parts, the largest cut. */
export function* cutParts(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    for (let from = 0; from < part.length; from += PART_BYTES) yield part.subarray(from, from + PART_BYTES);
  }
}
