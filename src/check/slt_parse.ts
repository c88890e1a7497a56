import { QuernError } from '../common/error.ts';
import type { Condition, ControlRecord, LineRange, SltRecord, SortMode } from './slt_record.ts';

const SORT_MODES: readonly string[] = ['nosort', 'rowsort', 'valuesort'];
const CONTROLS: readonly string[] = ['halt', 'hash-threshold', 'include', 'require', 'mode'];
/** Above this a loop is a mistake in the file. */
const MAX_LOOP_VALUES = 100_000;

/** Reads a sqllogictest file into records; throws with `file:line` when a line has no meaning. */
export function parseSlt(text: string, file: string): SltRecord[] {
  return new SltParser(text, file).parse();
}

/** Lines of a file without their ends; a last line break does not start a line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

class SltParser {
  private readonly lines: readonly string[];
  private readonly file: string;
  private position = 0;

  constructor(text: string, file: string) {
    this.lines = splitLines(text);
    this.file = file;
  }

  parse(): SltRecord[] {
    const records = this.parseBody(false);
    return records;
  }

  private parseBody(inLoop: boolean): SltRecord[] {
    const records: SltRecord[] = [];
    let conditions: Condition[] = [];
    while (this.position < this.lines.length) {
      const line = this.line(this.position);
      const words = line.trim().split(/\s+/);
      const keyword = words[0] ?? '';
      if (keyword === '' || keyword.startsWith('#')) {
        this.position++;
        continue;
      }
      if (keyword === 'skipif' || keyword === 'onlyif') {
        if (words.length < 2) this.fail(`${keyword} needs an engine`);
        conditions.push({ kind: keyword, engine: words[1] as string });
        this.position++;
        continue;
      }
      if (keyword === 'endloop') {
        if (!inLoop) this.fail('endloop without loop');
        if (conditions.length > 0) this.fail('skipif and onlyif need a record after them');
        this.position++;
        return records;
      }
      records.push(this.parseRecord(keyword, words, conditions));
      conditions = [];
    }
    if (inLoop) this.fail('loop without endloop');
    if (conditions.length > 0) this.fail('skipif and onlyif need a record after them');
    return records;
  }

  private parseRecord(keyword: string, words: readonly string[], conditions: readonly Condition[]): SltRecord {
    if (keyword === 'statement') return this.parseStatement(words, conditions);
    if (keyword === 'query') return this.parseQuery(words, conditions);
    if (keyword === 'loop' || keyword === 'foreach') {
      if (conditions.length > 0) this.fail(`skipif and onlyif do not go before ${keyword}`);
      return this.parseLoop(keyword, words);
    }
    if (CONTROLS.includes(keyword)) {
      const headerLine = this.position++;
      const argument = words.slice(1).join(' ');
      return { kind: keyword as ControlRecord['kind'], file: this.file, headerLine, conditions, argument };
    }
    return this.fail(`unknown record: ${keyword}`);
  }

  private parseStatement(words: readonly string[], conditions: readonly Condition[]): SltRecord {
    const expect = words[1];
    if (expect !== 'ok' && expect !== 'error') return this.fail('statement needs ok or error');
    const headerLine = this.position++;
    const { sql, expected, resultLines } = this.parseSqlAndResult(headerLine);
    return { kind: 'statement', file: this.file, headerLine, conditions, expect, sql, expected, resultLines };
  }

  private parseQuery(words: readonly string[], conditions: readonly Condition[]): SltRecord {
    const types = words[1] ?? '';
    if (!/^[TIR]+$/.test(types)) this.fail(`query needs a type letter a column (T, I or R): ${types}`);
    const sort = SORT_MODES.includes(words[2] ?? '') ? (words[2] as SortMode) : undefined;
    const label = words[sort === undefined ? 2 : 3];
    const headerLine = this.position++;
    const { sql, expected, resultLines } = this.parseSqlAndResult(headerLine);
    return {
      kind: 'query',
      file: this.file,
      headerLine,
      conditions,
      types,
      sort: sort ?? 'nosort',
      label,
      sql,
      expected,
      resultLines,
    };
  }

  private parseLoop(keyword: 'loop' | 'foreach', words: readonly string[]): SltRecord {
    const headerLine = this.position;
    const variable = words[1];
    if (variable === undefined) return this.fail(`${keyword} needs a variable`);
    const values = keyword === 'foreach' ? words.slice(2) : this.loopValues(words);
    this.position++;
    const body = this.parseBody(true);
    return { kind: 'loop', file: this.file, headerLine, variable, values, body };
  }

  private loopValues(words: readonly string[]): string[] {
    const start = Number(words[2]);
    const end = Number(words[3]);
    if (!Number.isInteger(start) || !Number.isInteger(end)) return this.fail('loop needs a first and a last integer');
    if (end - start > MAX_LOOP_VALUES) return this.fail(`loop has more than ${MAX_LOOP_VALUES} values`);
    return Array.from({ length: Math.max(0, end - start) }, (_, i) => String(start + i));
  }

  private parseSqlAndResult(headerLine: number): {
    sql: string;
    expected: readonly string[] | undefined;
    resultLines: LineRange;
  } {
    const sqlStart = this.position;
    while (!this.atBlockEnd() && this.line(this.position) !== '----') this.position++;
    const sql = this.lines.slice(sqlStart, this.position).join('\n');
    if (sql.trim() === '') {
      this.position = headerLine;
      this.fail('a record needs SQL text on the next line');
    }
    const start = this.position;
    if (this.atBlockEnd()) return { sql, expected: undefined, resultLines: { start, end: start } };
    this.position++;
    const first = this.position;
    while (!this.atBlockEnd()) this.position++;
    return { sql, expected: this.lines.slice(first, this.position), resultLines: { start, end: this.position } };
  }

  private atBlockEnd(): boolean {
    return this.position >= this.lines.length || this.line(this.position) === '';
  }

  private line(index: number): string {
    return this.lines[index] ?? '';
  }

  private fail(message: string): never {
    throw new QuernError({
      source: 'user',
      code: 'usage',
      message: `${this.file}:${this.position + 1}: ${message}`,
    });
  }
}
