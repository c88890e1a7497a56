import type { EngineName, TextEngine, TextResult } from '../reference/text_engine.ts';
import { compareResults } from './differential.ts';
import { errorText, isInternal, matchesError } from './error_text.ts';
import type { Difference, Tolerance } from './slt_compare.ts';
import { compareWithLines, hashCells, resultLines, sortedCells } from './slt_compare.ts';
import type { SltStep } from './slt_expand.ts';
import { expandFile } from './slt_expand.ts';
import type { QueryRecord, StatementRecord } from './slt_record.ts';
import { applies } from './slt_record.ts';
import type { Edit } from './slt_update.ts';
import { updateFile } from './slt_update.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

/** What became of one record. */
export interface RecordResult {
  readonly file: string;
  /** 1-based line of the header */
  readonly line: number;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  readonly sql: string;
  /** why it failed or was skipped */
  readonly message: string;
  readonly differences: readonly Difference[];
}

export interface FileResult {
  readonly file: string;
  readonly elapsedMs: number;
  readonly records: readonly RecordResult[];
  /** set when the file could not be read or run to its end */
  readonly error?: string | undefined;
  readonly updated: boolean;
}

export interface RunFileOptions {
  readonly engine: EngineName;
  /** engine to compare every query with */
  readonly ref?: EngineName | undefined;
  readonly update?: 'new' | 'all' | undefined;
  readonly tolerance: Tolerance;
  readonly maxDiffs: number;
  readonly failFast: boolean;
  /** only records whose SQL matches are checked; statements always run */
  readonly filter?: RegExp | undefined;
  readonly open: (name: EngineName) => Promise<TextEngine>;
}

/** Features that `require` may name; a file that requires anything else stops there. */
const FEATURES: readonly string[] = ['parquet', 'json'];

/** Runs one sqllogictest file in fresh engines. */
export async function runFile(path: string, options: RunFileOptions): Promise<FileResult> {
  const started = performance.now();
  const run = new FileRun(options);
  let error: string | undefined;
  let updated = false;
  try {
    await run.open();
    for await (const step of expandFile(path)) if (!(await run.step(step))) break;
    updated = options.update !== undefined && (await updateFile(path, run.edits(path)));
  } catch (cause) {
    error = errorText(cause);
  } finally {
    await run.close();
  }
  return { file: path, elapsedMs: performance.now() - started, records: run.results, error, updated };
}

class FileRun {
  readonly results: RecordResult[] = [];
  private readonly options: RunFileOptions;
  private readonly labels = new Map<string, string>();
  private readonly newText = new Map<number, Edit & { file: string }>();
  private engine!: TextEngine;
  private ref: TextEngine | undefined;
  private hashThreshold = 0;
  private skipping = false;

  constructor(options: RunFileOptions) {
    this.options = options;
  }

  async open(): Promise<void> {
    this.engine = await this.options.open(this.options.engine);
    if (this.options.ref !== undefined) this.ref = await this.options.open(this.options.ref);
  }

  async close(): Promise<void> {
    await this.engine?.close();
    await this.ref?.close();
  }

  edits(path: string): Edit[] {
    return [...this.newText.values()].filter((edit) => edit.file === path);
  }

  /** Runs one step; false = the file ends here. */
  async step(step: SltStep): Promise<boolean> {
    if (step.kind === 'statement' || step.kind === 'query') {
      const started = performance.now();
      const verdict = await this.record(step);
      const elapsedMs = performance.now() - started;
      this.results.push({ file: step.file, line: step.headerLine + 1, sql: step.sql, elapsedMs, ...verdict });
      return verdict.outcome !== 'failed' || !this.options.failFast;
    }
    if (!applies(step.conditions, this.engine.name)) return true;
    switch (step.kind) {
      case 'halt':
        return false;
      case 'hash-threshold':
        this.hashThreshold = Number(step.argument) || 0;
        return true;
      case 'mode':
        if (step.argument === 'skip') this.skipping = true;
        else if (step.argument === 'unskip') this.skipping = false;
        else throw new Error(`${step.file}:${step.headerLine + 1}: unknown mode: ${step.argument}`);
        return true;
      case 'require':
        if (FEATURES.includes(step.argument) || step.argument === this.engine.name) return true;
        this.results.push({
          file: step.file,
          line: step.headerLine + 1,
          outcome: 'skipped',
          elapsedMs: 0,
          sql: '',
          message: `requires ${step.argument}`,
          differences: [],
        });
        return false;
      default:
        return true;
    }
  }

  private async record(step: StatementRecord | QueryRecord): Promise<Verdict> {
    if (this.skipping) return skipped('mode skip');
    const inRef = this.ref !== undefined && applies(step.conditions, this.ref.name);
    if (!applies(step.conditions, this.engine.name)) {
      // keeps the state of the reference in step (a view that only it needs)
      if (inRef && step.kind === 'statement') await attempt(this.ref as TextEngine, step.sql);
      return skipped(`not for ${this.engine.name}`);
    }
    const filtered = step.kind === 'query' && this.options.filter !== undefined && !this.options.filter.test(step.sql);
    if (filtered) return skipped('filter');
    const actual = await attempt(this.engine, step.sql);
    const reference = inRef ? await attempt(this.ref as TextEngine, step.sql) : undefined;
    return step.kind === 'statement' ? this.statement(step, actual, reference) : this.query(step, actual, reference);
  }

  private statement(step: StatementRecord, actual: Attempt, reference: Attempt | undefined): Verdict {
    if (actual.error !== undefined && isInternal(actual.error)) return failed(`internal: ${errorText(actual.error)}`);
    if (step.expect === 'ok') {
      if (actual.error !== undefined) return failed(errorText(actual.error));
      if (reference?.error !== undefined) return failed(`${this.ref?.name} fails: ${errorText(reference.error)}`);
      return PASSED;
    }
    if (actual.error === undefined) return failed('an error was expected, but the statement succeeded');
    if (reference !== undefined && reference.error === undefined) {
      return failed(`${this.ref?.name} succeeds: ${errorText(actual.error)}`);
    }
    const text = errorText(actual.error);
    if (this.updates(step.expected) && this.engine.name === 'quern' && !step.expected?.[0]?.startsWith('<REGEX>:')) {
      this.edit(step, ['----', ...text.split('\n')]);
      return PASSED;
    }
    if (step.expected === undefined || this.engine.name !== 'quern' || matchesError(step.expected, text)) return PASSED;
    return failed('another error than expected', [{ row: 0, expected: step.expected.join('\n'), actual: text }]);
  }

  private query(step: QueryRecord, actual: Attempt, reference: Attempt | undefined): Verdict {
    if (actual.error !== undefined) {
      const told = isInternal(actual.error) ? 'internal: ' : '';
      return failed(told + errorText(actual.error));
    }
    if (actual.result === null || actual.result === undefined) return failed('the statement has no result');
    const differs = reference === undefined ? undefined : this.againstReference(step, actual.result, reference);
    if (differs !== undefined) return differs;
    const result = actual.result;
    if (result.columns.length !== step.types.length && !this.updates(step.expected)) {
      return failed(`${step.types.length} columns expected, ${result.columns.length} found`);
    }
    const labelled = this.checkLabel(step, result);
    if (labelled !== undefined) return labelled;
    if (this.updates(step.expected)) {
      this.update(step, result);
      return PASSED;
    }
    if (step.expected === undefined) return failed('no expected result in the file (run with --update)');
    const { tolerance, maxDiffs } = this.options;
    const differences = compareWithLines(step.expected, result.rows, step.types, step.sort, tolerance, maxDiffs);
    return differences.length === 0 ? PASSED : failed('wrong result', differences);
  }

  private againstReference(step: QueryRecord, actual: TextResult, reference: Attempt): Verdict | undefined {
    const name = this.ref?.name;
    if (reference.error !== undefined) return failed(`${name} fails: ${errorText(reference.error)}`);
    if (reference.result === null || reference.result === undefined) return failed(`${name} gives no result`);
    const { tolerance, maxDiffs } = this.options;
    const differences = compareResults(reference.result, actual, step.sort, tolerance, maxDiffs);
    return differences.length === 0 ? undefined : failed(`differs from ${name}`, differences);
  }

  private checkLabel(step: QueryRecord, result: TextResult): Verdict | undefined {
    if (step.label === undefined) return undefined;
    const hash = hashCells(sortedCells(result.rows, step.sort));
    const before = this.labels.get(step.label);
    this.labels.set(step.label, hash);
    return before === undefined || before === hash
      ? undefined
      : failed(`the result differs from an earlier one with the label ${step.label}`);
  }

  private updates(expected: readonly string[] | undefined): boolean {
    return this.options.update === 'all' || (this.options.update === 'new' && expected === undefined);
  }

  private update(step: QueryRecord, result: TextResult): void {
    const lines = resultLines(sortedCells(result.rows, step.sort), this.hashThreshold);
    const types = result.columns.map((column, i) => step.types[i] ?? typeLetter(column.type)).join('');
    const sort = step.sort === 'nosort' ? '' : ` ${step.sort}`;
    const label = step.label === undefined ? '' : ` ${step.label}`;
    const header = types === step.types ? undefined : `query ${types}${sort}${label}`;
    this.edit(step, ['----', ...lines], header);
  }

  /** In a loop the record has one text for all rounds: the first one wins, and a later check tells if others differ. */
  private edit(step: StatementRecord | QueryRecord, result: readonly string[], header?: string): void {
    if (this.newText.has(step.headerLine)) return;
    const { file, headerLine, resultLines: lines } = step;
    this.newText.set(headerLine, { file, headerLine, header, resultLines: lines, result });
  }
}

interface Attempt {
  readonly result?: TextResult | null | undefined;
  readonly error?: unknown;
}

async function attempt(engine: TextEngine, sql: string): Promise<Attempt> {
  try {
    return { result: await engine.run(sql) };
  } catch (error) {
    return { error };
  }
}

type Verdict = Pick<RecordResult, 'outcome' | 'message' | 'differences'>;

const PASSED: Verdict = { outcome: 'passed', message: '', differences: [] };

function failed(message: string, differences: readonly Difference[] = []): Verdict {
  return { outcome: 'failed', message, differences };
}

function skipped(message: string): Verdict {
  return { outcome: 'skipped', message, differences: [] };
}

function typeLetter(type: string): string {
  if (/^(DOUBLE|FLOAT|FLOAT16|BFLOAT16)$/.test(type)) return 'R';
  return /^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/.test(type) ? 'I' : 'T';
}
