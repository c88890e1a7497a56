import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Expectation = 'match' | 'error' | 'error_or_match' | 'no_crash' | 'bomb';

/** One line of `*_expected.jsonl`. */
export interface ExpectedFile {
  readonly file: string;
  readonly expect: Expectation;
  readonly rows?: number;
  readonly md5?: string;
  readonly accept_md5?: readonly string[];
  /** name, type, non-null count, checksum of the column alone */
  readonly cols?: readonly (readonly [string, string, number, string])[];
  /** aggregate → value, of a bomb */
  readonly checks?: Readonly<Record<string, number | string>>;
}

/** One line of `*_queries.jsonl`: `{FILE}` stands for the path. */
export interface ExpectedQuery {
  readonly file: string;
  readonly sql: string;
  readonly expect: readonly (readonly (string | null)[])[];
}

export interface Corpus {
  readonly root: string;
  readonly files: readonly ExpectedFile[];
  readonly queries: readonly ExpectedQuery[];
}

/** Reads a folder with `*_expected.jsonl`, `*_queries.jsonl` and the files they name. */
export function readCorpus(root: string): Corpus {
  const names = readdirSync(root).sort();
  const read = <Line>(ending: string): Line[] =>
    names.filter((name) => name.endsWith(ending)).flatMap((name) => readLines<Line>(join(root, name)));
  const corpus = { root, files: read<ExpectedFile>('_expected.jsonl'), queries: read<ExpectedQuery>('_queries.jsonl') };
  if (corpus.files.length === 0) throw new Error(`no *_expected.jsonl with content in ${root}`);
  return corpus;
}

function readLines<Line>(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line);
}
