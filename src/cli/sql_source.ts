/** Where SQL comes from: arguments, -c, -f, stdin. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { QuernError } from '../common/error.ts';
import { ioError } from './io_error.ts';
import { nearestExisting } from './nearest_path.ts';
import type { Parsed } from './program.ts';
import { usageError } from './usage_error.ts';

/** One text of SQL statements. */
export interface SqlSource {
  readonly text: string;
  /** how errors name it: a file path, `<stdin>`, `-c #2`; undefined for the only text of the command line */
  readonly label: string | undefined;
}

const DATA_FILE = /\.(parquet|parq|pq|arrow|arrows|feather)$/i;

function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Data files in place of SQL stand for all their rows; undefined when some argument is not one. */
function selectFiles(args: readonly string[]): string | undefined {
  const isFile = (arg: string): boolean =>
    (DATA_FILE.test(arg) && (!/\s/.test(arg) || existsSync(arg))) || isDirectory(arg);
  if (args.length === 0 || !args.every(isFile)) return undefined;
  for (const arg of args) {
    if (/[*?[{]/.test(arg) || /^[a-z0-9]+:\/\//i.test(arg) || existsSync(arg)) continue;
    throw new QuernError({
      source: 'io',
      code: 'io',
      message: `no such file: ${arg}`,
      hint: nearestExisting(arg),
    });
  }
  if (args.length === 1) return `SELECT * FROM ${quoteSql(args[0] as string)}`;
  return `SELECT * FROM read_parquet([${args.map(quoteSql).join(', ')}])`;
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decodeSql(Buffer.concat(chunks), '<stdin>');
}

function decodeSql(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new QuernError({ source: 'io', code: 'io', message: `SQL is not UTF-8 text: ${label}`, cause });
  }
}

function readSqlFile(path: string): string {
  try {
    return decodeSql(readFileSync(path), path);
  } catch (error) {
    throw ioError(error, 'cannot read', path, nearestExisting(path));
  }
}

/** Every text to run, in the order given. Reads stdin only when it is asked for or nothing else is given. */
export async function readSources(parsed: Parsed): Promise<SqlSource[]> {
  const inputs = parsed.ordered.filter(({ option }) => option === 'command' || option === 'file');
  const files = selectFiles(parsed.args);
  if (inputs.length > 0 && parsed.args.length > 0) {
    throw usageError(`SQL both as an argument and with -c or -f: ${parsed.args[0]}`, 'quote SQL as one argument');
  }
  if (files !== undefined) return [{ text: files, label: undefined }];
  const script = parsed.args.find((arg) => arg !== '-' && existsSync(arg));
  if (script !== undefined) throw usageError(`a file in place of SQL: ${script}`, `quern -f ${script}`);
  const texts = parsed.args.map((text) => ({ text, fromFile: text === '-' }));
  const all =
    texts.length > 0 ? texts : inputs.map(({ option, value }) => ({ text: value, fromFile: option === 'file' }));
  if (all.length === 0) {
    if (process.stdin.isTTY)
      throw usageError('no SQL given', 'quern "select 42", -c, -f, or SQL on stdin; quern --help');
    return [{ text: await readStdin(), label: '<stdin>' }];
  }
  const sources: SqlSource[] = [];
  for (const [i, { text, fromFile }] of all.entries()) {
    if (!fromFile)
      sources.push({ text, label: all.length === 1 ? undefined : `${texts.length > 0 ? 'argument' : '-c'} #${i + 1}` });
    else if (text === '-') sources.push({ text: await readStdin(), label: '<stdin>' });
    else sources.push({ text: readSqlFile(text), label: text });
  }
  return sources;
}

function isDirectory(path: string): boolean {
  // Asking first keeps SQL that is too long for a path from being an error.
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
