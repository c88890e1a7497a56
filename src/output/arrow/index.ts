/** Arrow IPC: a stream, or a file with an index of its batches at the end. One batch is held at a time. */
import type { Schema } from '../../common/batch.ts';
import type { Format, ResultWriter } from '../format.ts';
import type { ByteSink } from '../text_sink.ts';
import { batchBody, padding } from './body.ts';
import { type ArrowField, arrowFields, widerFields } from './layout.ts';
import { type BatchBlock, type BatchPlaces, batchMessage, footer, schemaMessage } from './metadata.ts';
import { copied, widenedBatch } from './widen.ts';

const MAGIC = new TextEncoder().encode('ARROW1');
/** Begins a message; with length 0 after it, ends a stream. */
const CONTINUATION = 0xffffffff;
const PREFIX_LENGTH = 8;

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

/** The prefix and the metadata of a message at `position`, filled up so that its body is aligned. */
function framed(metadata: Uint8Array, position: number): Uint8Array[] {
  const fill = padding(position + PREFIX_LENGTH + metadata.length);
  return [words(CONTINUATION, metadata.length + fill.length), metadata, fill];
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);

class ArrowWriter implements ResultWriter {
  readonly #sink: ByteSink;
  readonly #isStream: boolean;
  #schema: Schema = [];
  /** known with the first batch: its offsets, and those of later ones where the output can begin anew, decide the width */
  #fields: readonly ArrowField[] | undefined;
  #position = 0;
  #blocks: BatchBlock[] = [];

  constructor(sink: ByteSink, isStream: boolean) {
    this.#sink = sink;
    this.#isStream = isStream;
  }

  async begin(schema: Schema): Promise<void> {
    this.#schema = schema;
  }

  async batch(batch: Parameters<ResultWriter['batch']>[0]): Promise<void> {
    this.#fields ??= await this.#begin(arrowFields(this.#schema, batch.columns));
    const wider = widerFields(this.#fields, batch.columns);
    if (wider !== undefined) this.#fields = await this.#widen(this.#fields, wider);
    const body = batchBody(this.#fields, batch);
    await this.#write([...this.#head(body), ...body.parts]);
  }

  async end(): Promise<void> {
    const fields = this.#fields ?? (await this.#begin(arrowFields(this.#schema, [])));
    await this.#write([words(CONTINUATION, 0)]);
    if (this.#isStream) return;
    const end = footer(fields, this.#blocks);
    await this.#write([end, words(end.length), MAGIC]);
  }

  /** The message of a batch that is written next, whose body follows. */
  #head(places: BatchPlaces): Uint8Array[] {
    const head = framed(batchMessage(places), this.#position);
    this.#blocks.push({ offset: this.#position, metadataLength: lengthOf(head), bodyLength: places.bodyLength });
    return head;
  }

  /** Writes all batches anew with the offsets of `wider`, where the output allows; gives the fields from now on. */
  async #widen(fields: readonly ArrowField[], wider: readonly ArrowField[]): Promise<readonly ArrowField[]> {
    const old = this.#sink.startOver?.();
    if (old === undefined) return fields;
    try {
      const blocks = this.#blocks;
      this.#blocks = [];
      this.#position = 0;
      await this.#begin(wider);
      for (const block of blocks) {
        const batch = await widenedBatch(old, block, fields, wider);
        await this.#write(this.#head(batch));
        for (const buffer of batch.copies) {
          for await (const piece of copied(old, buffer)) await this.#write([piece]);
          await this.#write([padding(buffer.widen ? 2 * buffer.length : buffer.length)]);
        }
      }
    } finally {
      old.close();
    }
    return wider;
  }

  async #begin(fields: readonly ArrowField[]): Promise<readonly ArrowField[]> {
    if (!this.#isStream) await this.#write([MAGIC, new Uint8Array(2)]);
    await this.#write(framed(schemaMessage(fields), this.#position));
    return fields;
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    await this.#sink.writeBytes(parts);
    this.#position += lengthOf(parts);
  }
}

/** Arrow IPC; `arrowStream` leaves out what makes a file of it. */
export const arrow: Format<ByteSink> = {
  name: 'arrow',
  create: (sink, options) => new ArrowWriter(sink, options.arrowStream === true),
};
