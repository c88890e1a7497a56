/** A result as DuckDB's VARCHAR text: what every runner compares. */
export interface TextColumn {
  readonly name: string;
  /** SQL name of the type, as DESCRIBE shows it */
  readonly type: string;
}

export type TextRow = readonly (string | null)[];

export interface TextResult {
  readonly columns: readonly TextColumn[];
  readonly rows: readonly TextRow[];
}

/** An engine that runs one statement at a time and answers in text. */
export interface TextEngine {
  /** 'quern' or 'duckdb': the word that skipif and onlyif name */
  readonly name: EngineName;
  /** Runs one statement; null when it has no result. Throws what the engine throws. */
  run(sql: string): Promise<TextResult | null>;
  /** Runs one statement, takes all of its result in the engine's own columnar form and counts the rows. */
  drain(sql: string, timeoutMs?: number): Promise<number>;
  /** Makes `table` a view over the Parquet files that match `glob`. */
  registerTable(table: string, glob: string): Promise<void>;
  /** of the engine, as it tells itself; empty when it does not */
  version(): Promise<string>;
  close(): Promise<void>;
}

export type EngineName = 'quern' | 'duckdb';

export interface TextEngineOptions {
  readonly threads?: number | undefined;
  /** bytes */
  readonly memoryLimit?: number | undefined;
  readonly tempDir?: string | undefined;
  /** settings of quern by name; DuckDB gets none of them */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Opens an engine by name. */
export async function openTextEngine(name: EngineName, options: TextEngineOptions = {}): Promise<TextEngine> {
  if (name === 'duckdb') return (await import('./duckdb_engine.ts')).openDuckDbEngine(options);
  return (await import('./quern_engine.ts')).openQuernEngine(options);
}
