import type { DuckDBConnection } from '@duckdb/node-api';
import { loadDuckDb } from './duckdb_module.ts';
import type { TextEngine, TextEngineOptions, TextResult, TextRow } from './text_engine.ts';

/** Statements that may stand in a FROM clause, so that DuckDB itself renders their values as text. */
const RELATION =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(\(|select\b|with\b|values\b|from\b|describe\b|show\b|summarize\b)/i;

/** A type as DuckDB writes it; its binding gives fields without a name the name `""`. */
const typeText = (type: unknown): string => String(type).replaceAll('"" ', '');

/** DuckDB in memory, in UTC, without the network. */
export async function openDuckDbEngine(options: TextEngineOptions = {}): Promise<TextEngine> {
  const duckdb = await loadDuckDb();
  const config: Record<string, string> = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };
  if (options.threads !== undefined) config.threads = String(options.threads);
  if (options.memoryLimit !== undefined) config.memory_limit = `${options.memoryLimit}B`;
  if (options.tempDir !== undefined) config.temp_directory = options.tempDir;
  const open = async (): Promise<{ connection: DuckDBConnection; close: () => void }> => {
    const instance = await duckdb.DuckDBInstance.create(':memory:', config);
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    return {
      connection,
      close: () => {
        connection.closeSync();
        instance.closeSync();
      },
    };
  };
  let current = await open();

  const run = async (sql: string): Promise<TextResult | null> => {
    try {
      return await runStatement(current.connection, sql);
    } catch (error) {
      // an internal error invalidates the whole instance: the next statement gets a fresh one
      if (error instanceof Error && /INTERNAL Error|FATAL Error|has been invalidated/.test(error.message)) {
        current.close();
        current = await open();
      }
      throw error;
    }
  };
  return {
    name: 'duckdb',
    run,
    drain: (sql, timeoutMs) => drain(current.connection, sql, timeoutMs),
    registerTable: async (table, glob) => {
      const name = `"${table.replaceAll('"', '""')}"`;
      const files = `'${glob.replaceAll("'", "''")}'`;
      await current.connection.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM read_parquet(${files})`);
    },
    version: async () => duckdb.version(),
    close: async () => current.close(),
  };
}

async function drain(connection: DuckDBConnection, sql: string, timeoutMs: number | undefined): Promise<number> {
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => connection.interrupt(), timeoutMs);
  try {
    const result = await connection.stream(sql);
    let rows = 0;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return rows;
      rows += chunk.rowCount;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function runStatement(connection: DuckDBConnection, sql: string): Promise<TextResult | null> {
  const text = sql.trim().replace(/;\s*$/, '');
  if (!RELATION.test(text)) {
    const reader = await connection.runAndReadAll(text);
    if (reader.columnCount === 0 || !/^\s*(explain|pragma|call)\b/i.test(text)) return null;
    const columns = reader.columnNames().map((name, i) => ({ name, type: typeText(reader.columnType(i)) }));
    return {
      columns,
      rows: reader.getRows().map((row) => row.map((value) => (value === null ? null : String(value)))),
    };
  }
  const prepared = await connection.prepare(text);
  let columns: { name: string; type: string }[];
  try {
    columns = Array.from({ length: prepared.columnCount }, (_, i) => ({
      name: prepared.columnName(i),
      type: typeText(prepared.columnType(i)),
    }));
  } finally {
    prepared.destroySync();
  }
  const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${text}\n)`);
  const floats = columns.map((column) => /\b(FLOAT|DOUBLE)\b/.test(column.type));
  const rows = (reader.getRows() as TextRow[]).map((row) =>
    row.map((cell, i) => (cell !== null && floats[i] === true ? withoutNanSign(cell) : cell)),
  );
  return { columns, rows };
}

/** DuckDB shows the sign bit of a NaN (0/0 is `-nan`), which is not part of its value. */
function withoutNanSign(text: string): string {
  return text.includes('-nan') ? text.replace(/(^|[[ {(=])-nan(?=$|[\]}),])/g, '$1nan') : text;
}
