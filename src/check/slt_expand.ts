import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { QuernError } from '../common/error.ts';
import { parseSlt } from './slt_parse.ts';
import type { ControlRecord, QueryRecord, SltRecord, StatementRecord } from './slt_record.ts';

export type SltStep = StatementRecord | QueryRecord | ControlRecord;

/** Variables of the surrounding loops, and DIR: the folder of the file. */
type Bindings = Readonly<Record<string, string>>;

const MAX_INCLUDE_DEPTH = 16;

/** Reads a file and yields its records with loops unrolled, includes opened and `${name}` replaced. */
export async function* expandFile(path: string, depth = 0): AsyncGenerator<SltStep> {
  if (depth > MAX_INCLUDE_DEPTH) {
    throw new QuernError({
      source: 'user',
      code: 'usage',
      message: `${path}: include goes deeper than ${MAX_INCLUDE_DEPTH}`,
    });
  }
  const records = parseSlt(await readFile(path, 'utf8'), path);
  yield* expandRecords(records, { DIR: dirname(path) }, depth);
}

async function* expandRecords(
  records: readonly SltRecord[],
  bindings: Bindings,
  depth: number,
): AsyncGenerator<SltStep> {
  for (const record of records) {
    if (record.kind === 'loop') {
      for (const value of record.values) {
        yield* expandRecords(record.body, { ...bindings, [record.variable]: substitute(value, bindings) }, depth);
      }
    } else if (record.kind === 'include') {
      yield* expandFile(join(dirname(record.file), substitute(record.argument, bindings)), depth + 1);
    } else {
      yield bindRecord(record, bindings);
    }
  }
}

function bindRecord(record: SltStep, bindings: Bindings): SltStep {
  if (record.kind !== 'statement' && record.kind !== 'query') {
    return { ...record, argument: substitute(record.argument, bindings) };
  }
  return {
    ...record,
    sql: substitute(record.sql, bindings),
    expected: record.expected?.map((line) => substitute(line, bindings)),
  };
}

/** Replaces `${name}`; names without a binding stay. */
export function substitute(text: string, bindings: Bindings): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => bindings[name] ?? whole);
}
