import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../../src/check/error_text.ts';
import { arrow } from '../../../src/output/arrow/index.ts';
import { openDuckDbEngine } from '../../../src/reference/duckdb_engine.ts';
import { readAsText } from '../../../src/reference/quern_engine.ts';
import type { TextEngine, TextResult } from '../../../src/reference/text_engine.ts';
import { openSession, type Session } from '../../../src/session/index.ts';
import { Random } from '../random.ts';
import { randomOptions, randomTable } from './random_table.ts';

/** Writes random tables as Parquet and as Arrow and reads them back with quern and DuckDB. */
export class RoundTrips {
  readonly #folder: string;
  readonly #duckdb: TextEngine;
  /** the usual one, and one with short batches and 64-bit offsets */
  readonly #sessions: readonly Session[];

  private constructor(folder: string, duckdb: TextEngine, sessions: readonly Session[]) {
    this.#folder = folder;
    this.#duckdb = duckdb;
    this.#sessions = sessions;
  }

  static async open(folder: string): Promise<RoundTrips> {
    return new RoundTrips(folder, await openDuckDbEngine({ threads: 1 }), [
      await openSession({ threads: 2 }),
      await openSession({ threads: 2, settings: { 'batch.rows': '7', 'list.offset_limit': '16' } }),
    ]);
  }

  async close(): Promise<void> {
    await this.#duckdb.close();
    for (const session of this.#sessions) await session.close();
  }

  /** What is wrong with the table of round `round`, if anything. */
  async fault(seed: number, round: number): Promise<string | undefined> {
    const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b));
    const table = randomTable(random);
    const options = randomOptions(random);
    const session = random.pick(this.#sessions);
    const source = join(this.#folder, 'source.parquet');
    const copy = join(this.#folder, 'copy.parquet');
    const arrowCopy = join(this.#folder, random.pick(['copy.arrow', 'copy.arrows']));
    const what = `round ${round}: ${table.select} (${options.text})`;
    try {
      await this.#duckdb.run(`COPY (${table.select}) TO '${source}' (FORMAT parquet)`);
      const query = `SELECT ${[...table.columns, ...table.half].join(', ')} FROM '${source}'`;
      const wanted = await this.#read(query);
      await this.#run(session, `COPY (${query}) TO '${copy}' (${options.text})`);
      // Files of a folder are read in the order of their names, those of threads have none.
      const order = options.isFolder ? sorted : same;
      const files = options.isFolder ? `${copy}/*.parquet` : copy;
      const found = await this.#read(`SELECT * FROM '${files}'`);
      if (order(found) !== order(wanted)) return `${what}: Parquet comes back other`;
      const columns = table.columns.join(', ');
      const [before, after] = [
        await this.#duckdb.run(`SELECT ${columns} FROM '${source}'`),
        await this.#duckdb.run(`SELECT ${columns} FROM '${files}'`),
      ];
      if (order(before) !== order(after)) return `${what}: DuckDB reads the Parquet otherwise`;
      writeFileSync(arrowCopy, await this.#arrow(session, query, arrowCopy.endsWith('.arrows')));
      if (same(await this.#read(`SELECT * FROM '${arrowCopy}'`)) !== same(wanted))
        return `${what}: Arrow comes back other`;
      return undefined;
    } catch (error) {
      return `${what}: ${errorText(error)}`;
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }

  async #read(sql: string): Promise<TextResult | null> {
    const [session] = this.#sessions;
    return this.#run(session as Session, sql);
  }

  async #run(session: Session, sql: string): Promise<TextResult | null> {
    let last: TextResult | null = null;
    for await (const { result } of session.query(sql)) last = await readAsText(result);
    return last;
  }

  async #arrow(session: Session, sql: string, isStream: boolean): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    const writer = arrow.create({ writeBytes: (more) => void parts.push(...more) }, { arrowStream: isStream });
    for await (const { result } of session.query(sql)) {
      await writer.begin(result.schema);
      for await (const batch of result.batches()) await writer.batch(batch);
    }
    await writer.end();
    return Buffer.concat(parts);
  }
}

const same = (result: TextResult | null): string => JSON.stringify(result);
const sorted = (result: TextResult | null): string =>
  JSON.stringify([result?.columns, result?.rows.map((row) => JSON.stringify(row)).sort()]);
