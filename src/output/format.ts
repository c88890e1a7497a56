import type { ResultBatch, Schema } from '../common/batch.ts';
import type { JsonBigint } from './json_value.ts';
import type { TextSink } from './text_sink.ts';

/** Formatting options of the command line; each format uses those that mean something to it. */
export interface OutputOptions {
  /** column names, default true */
  readonly header?: boolean | undefined;
  /** text of NULL; default depends on the format */
  readonly nullText?: string | undefined;
  /** csv and list; default `,` and `|` */
  readonly separator?: string | undefined;
  /** duckbox: rows shown, 0 = all */
  readonly maxRows?: number | undefined;
  /** duckbox: columns of text, 0 = unlimited */
  readonly maxWidth?: number | undefined;
  /** escape codes allowed */
  readonly color?: boolean | undefined;
  /** duckbox: groups of three digits in whole numbers */
  readonly thousands?: boolean | undefined;
  /** duckbox: the row of types, default true */
  readonly types?: boolean | undefined;
  readonly bigint?: JsonBigint | undefined;
  /** insert: name of the table */
  readonly table?: string | undefined;
  /** arrow: a stream, not a file */
  readonly arrowStream?: boolean | undefined;
}

/** Writes one result: `begin` once, `batch` in order, `end` once. Nothing is written after a rejection. */
export interface ResultWriter {
  begin(schema: Schema): Promise<void>;
  batch(batch: ResultBatch): Promise<void>;
  end(): Promise<void>;
}

/** `Sink`: what the format writes to; text unless said otherwise. */
export interface Format<Sink = TextSink> {
  readonly name: string;
  /** written between two results, where one would run into the other */
  readonly between?: string;
  create(sink: Sink, options: OutputOptions): ResultWriter;
}
