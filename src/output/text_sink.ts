/** Where rendered text goes. Resolves when more may be written: that is the back-pressure. */
export interface TextSink {
  write(text: string): Promise<void> | void;
}

/** Where bytes go, in parts that follow one another. Whoever gives them does not change them afterwards. */
export interface ByteSink {
  writeBytes(parts: readonly Uint8Array[]): Promise<void> | void;
  /** Begins the output anew and gives what it held; absent, or undefined, where that is out of reach (a pipe). */
  startOver?(): WrittenBytes | undefined;
}

/** What an output held before it began anew. */
export interface WrittenBytes {
  /** fresh memory of exactly `length` bytes */
  read(position: number, length: number): Promise<Uint8Array>;
  close(): void;
}

/** Collects short texts and hands them on in chunks. */
export class ChunkedSink {
  readonly #sink: TextSink;
  #text = '';

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Code units collected before a chunk goes out. */
  static readonly CHUNK_LENGTH = 32_768;

  add(text: string): void {
    this.#text += text;
  }

  full(): boolean {
    return this.#text.length >= ChunkedSink.CHUNK_LENGTH;
  }

  async flush(): Promise<void> {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    await this.#sink.write(text);
  }
}
