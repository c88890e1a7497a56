/** Values of `-p NAME=VALUE`: text that the query casts, or a vector from a file. */
import { readFileSync } from 'node:fs';
import type { ResultColumn } from '../common/batch.ts';
import type { ParamValue, Session } from '../session/types.ts';
import { ioError } from './io_error.ts';
import { nearestExisting } from './nearest_path.ts';
import { readNpy } from './npy.ts';
import { parsePairs } from './settings.ts';
import { usageError } from './usage_error.ts';

/** Reads every parameter; a Parquet file is read through the session. */
export async function readParams(texts: readonly string[], session: Session): Promise<Record<string, ParamValue>> {
  const params: Record<string, ParamValue> = {};
  for (const [name, value] of parsePairs(texts, '--param')) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw usageError(`--param: not a name: ${name}`);
    params[name] = value.startsWith('@') ? await readParamFile(value.slice(1), session) : value;
  }
  return params;
}

async function readParamFile(path: string, session: Session): Promise<ParamValue> {
  if (/\.(parquet|parq|pq)$/i.test(path)) return readOneRow(path, session);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw ioError(error, '--param: cannot read', path, nearestExisting(path));
  }
  if (/\.npy$/i.test(path)) return readNpy(bytes, path);
  if (/\.json$/i.test(path)) return readJson(bytes.toString('utf8'), path);
  throw usageError(`--param: unknown kind of file: ${path}`, '.json, .npy or a one-row .parquet file');
}

/** Numbers and nested lists of them. Integers beyond 2^53 become bigint where JSON.parse would round them. */
function readJson(text: string, path: string): ParamValue {
  let value: unknown;
  try {
    // Long integers are set in quotes first and taken out again below.
    value = JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, markLongInteger));
  } catch (error) {
    throw usageError(`--param: not JSON: ${path}: ${(error as Error).message}`);
  }
  return toParam(value, path);
}

const LONG_INTEGER = '\u0000int:';

function markLongInteger(token: string): string {
  return /^-?\d{16,}$/.test(token) ? JSON.stringify(LONG_INTEGER + token) : token;
}

function toParam(value: unknown, path: string): ParamValue {
  if (Array.isArray(value)) return value.map((item) => toParam(item, path));
  if (typeof value === 'string' && value.startsWith(LONG_INTEGER)) return BigInt(value.slice(LONG_INTEGER.length));
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw usageError(`--param: an object is no parameter: ${path}`, 'a number, a text, or a list');
}

async function readOneRow(path: string, session: Session): Promise<ParamValue> {
  const sql = `SELECT * FROM '${path.replaceAll("'", "''")}' LIMIT 2`;
  for await (const { result } of session.query(sql)) {
    if (result.schema.length !== 1) throw usageError(`--param: ${result.schema.length} columns, not one: ${path}`);
    let value: ParamValue | undefined;
    let rows = 0;
    for await (const batch of result.batches()) {
      if (batch.rows > 0 && rows === 0) value = await columnValue(batch.columns[0] as ResultColumn, 0, path);
      rows += batch.rows;
    }
    if (rows !== 1 || value === undefined)
      throw usageError(`--param: ${rows > 1 ? 'more than one row' : 'no row'}: ${path}`);
    return value;
  }
  throw usageError(`--param: no row: ${path}`);
}

/** One value of a result as a parameter. */
async function columnValue(column: ResultColumn, row: number, path: string): Promise<ParamValue> {
  const { childOf, isNull, offsetAt } = await import('../output/column_access.ts');
  if (isNull(column, row)) return null;
  if (column.type.kind === 'list') {
    const child = childOf(column, 0);
    const start = offsetAt(column, row);
    const end = offsetAt(column, row + 1);
    if (child.nullCount === 0 && child.type.kind === 'float32') return (child.values as Float32Array).slice(start, end);
    if (child.nullCount === 0 && child.type.kind === 'float64') return (child.values as Float64Array).slice(start, end);
    const items: ParamValue[] = [];
    for (let i = start; i < end; i++) items.push(await columnValue(child, i, path));
    return items;
  }
  if (column.type.kind === 'struct' || column.type.kind === 'map') {
    throw usageError(`--param: a ${column.type.kind} is no parameter: ${path}`);
  }
  const { jsonReader } = await import('../output/json_value.ts');
  return readJson(jsonReader(column, 'number').text(row), path);
}
