import { OpenSession } from './session.ts';
import type { Session, SessionOptions } from './types.ts';

export { discardUnfinishedFiles } from '../engine/index.ts';
export { DEFAULT_PARQUET_WRITE } from './copy_options.ts';
export type {
  ParamValue,
  ParquetWrite,
  QueryOptions,
  RowsWrite,
  Session,
  SessionOptions,
  StatementResult,
} from './types.ts';

/** Opens a session. Nothing native is started before the first query. */
export async function openSession(options: SessionOptions = {}): Promise<Session> {
  return new OpenSession(options);
}
