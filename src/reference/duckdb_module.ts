import { QuernError } from '../common/error.ts';

export type DuckDbModule = typeof import('@duckdb/node-api');

/** DuckDB is for tests and benchmarks only, so it is loaded when asked for; the name is a value so that no bundler takes it in. */
const PACKAGE = '@duckdb/node-api';

/** Loads DuckDB or says how to get it. */
export async function loadDuckDb(): Promise<DuckDbModule> {
  try {
    return (await import(PACKAGE)) as DuckDbModule;
  } catch (cause) {
    throw new QuernError({
      source: 'user',
      code: 'usage',
      message: `DuckDB is not installed: cannot load ${PACKAGE}`,
      hint: `npm install --no-save ${PACKAGE}`,
      cause,
    });
  }
}
