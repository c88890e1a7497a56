import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

let connection: Promise<DuckDBConnection> | undefined;

function connect(): Promise<DuckDBConnection> {
  connection ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect());
  return connection;
}

/** The parse error that DuckDB finds, undefined when it accepts the text. Nothing is bound or run. */
export async function duckdbParseError(text: string): Promise<string | undefined> {
  try {
    await (await connect()).extractStatements(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace('Failed to extract statements: ', '').split('\n')[0];
  }
}

/** Output column names of a query in DuckDB. */
export async function duckdbColumnNames(query: string): Promise<string[]> {
  return (await (await connect()).run(query)).columnNames();
}

/** Rows of a query in DuckDB. */
export async function duckdbRows(query: string): Promise<unknown[][]> {
  return (await (await connect()).runAndReadAll(query)).getRows();
}
