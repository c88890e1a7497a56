import type { QueryMetrics, Result, ResultBatch } from '../../common/batch.ts';
import { didYouMean } from '../../common/did_you_mean.ts';
import { QuernError, unsupported } from '../../common/error.ts';
import type { Format, OutputOptions } from '../../output/format.ts';
import { list } from '../../output/list.ts';
import { FORMATS, type FormatEntry, findFormat, formatForFile } from '../../output/registry.ts';
import type { ByteSink, TextSink, WrittenBytes } from '../../output/text_sink.ts';
import { ArrowTarget } from '../arrow_target.ts';
import type { Context } from '../context.ts';
import { writeStderr } from '../context.ts';
import { worstExitCode } from '../error_report.ts';
import { openTarget } from '../output_target.ts';
import { countText, parseCount, secondsText, sizeText } from '../quantity.ts';
import { runSql } from '../run_sql.ts';
import { findChoice, findSetting, findSwitch } from '../settings.ts';
import type { OutputTarget } from '../target.ts';
import { usageError } from '../usage_error.ts';

/** Rows that a duckbox shows on a terminal. */
const TERMINAL_ROWS = 40;

/** Exit code when files were left out. */
const BAD_INPUT = 5;

function refuseParquet(name: string): void {
  if (name === 'parquet') throw usageError('Parquet goes to a file', '-o FILE.parquet');
}

/** Whether the result becomes a Parquet file: by --mode, else by the ending of the output file. */
function asksParquet(context: Context, output: string | undefined): output is string {
  if (output === undefined || output === '-') return false;
  const { mode } = context.options;
  return typeof mode === 'string' ? mode === 'parquet' : /\.parquet$/i.test(output);
}

/** The format: asked for by name, else by the ending of the output file, else by where stdout goes. */
function chooseFormat(context: Context, output: string | undefined): FormatEntry {
  const fromFile = output === undefined ? undefined : formatForFile(output);
  const flag = context.options.mode;
  const asked = typeof flag === 'string' ? { text: flag, origin: '--mode' } : undefined;
  const setting = asked ?? (fromFile === undefined ? findSetting(context.sources, 'mode', 'format.mode') : undefined);
  if (setting === undefined) {
    const toTerminal = context.terminal.stdoutIsTerminal && (output === undefined || output === '-');
    return fromFile ?? (findFormat(toTerminal ? 'duckbox' : 'csv') as FormatEntry);
  }
  const name = setting.text === 'jsonlines' ? 'jsonl' : setting.text;
  refuseParquet(name);
  const entry = findFormat(name);
  if (entry !== undefined) return entry;
  const names = FORMATS.map((format) => format.name);
  throw usageError(
    `${setting.origin}: unknown format: ${name}`,
    didYouMean(name, names) ?? `one of ${names.join(', ')}`,
  );
}

function count(context: Context, option: string, key: string): number | undefined {
  const setting = findSetting(context.sources, option, key);
  return setting === undefined ? undefined : parseCount(setting.text, setting.origin);
}

/** Backslash sequences in --separator: a shell makes it hard to type a tab. */
function unescapeSeparator(text: string): string {
  return text.replaceAll('\\t', '\t').replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
}

/** A csv field is told from the next one by a separator that no quoting can be taken for. */
function checkCsvSeparator(context: Context): void {
  const setting = findSetting(context.sources, 'separator', 'format.separator');
  if (setting === undefined || !/^$|["\n\r]/.test(unescapeSeparator(setting.text))) return;
  const problem = setting.text === '' ? 'empty' : 'has a quote or a line break';
  throw usageError(`${setting.origin}: ${problem}: csv cannot be read back`, "one character, such as ';' or '\\t'");
}

function outputOptions(context: Context, output: string | undefined, toTerminal: boolean): OutputOptions {
  const { sources, terminal, options } = context;
  const separator = findSetting(sources, 'separator', 'format.separator')?.text;
  const table = options.insertTable;
  return {
    header: findSwitch(sources, 'header', 'format.header'),
    nullText: findSetting(sources, 'nullvalue', 'format.nullvalue')?.text,
    separator: separator === undefined ? undefined : unescapeSeparator(separator),
    maxRows: count(context, 'maxRows', 'format.max_rows') ?? (toTerminal ? TERMINAL_ROWS : 0),
    maxWidth: count(context, 'maxWidth', 'format.max_width') ?? (toTerminal ? terminal.width : 0),
    color: toTerminal && terminal.stdoutColor ? true : options.color === 'always',
    thousands: findSwitch(sources, 'thousands', 'format.thousands'),
    types: findSwitch(sources, 'types', 'format.types'),
    bigint: findChoice(sources, 'jsonBigint', 'format.json_bigint', ['number', 'string'] as const),
    table: typeof table === 'string' ? table : undefined,
    arrowStream: output === undefined || output === '-' || /\.arrows$/i.test(output),
  };
}

/** `quern query`: runs SQL and writes its results. */
export async function runQuery(context: Context): Promise<number> {
  const { options, interruption, terminal } = context;
  const output = typeof options.output === 'string' ? options.output : undefined;
  if (asksParquet(context, output)) return runParquetQuery(context, output);
  const toTerminal = terminal.stdoutIsTerminal && (output === undefined || output === '-');
  const format = chooseFormat(context, output);
  if (format.name === 'csv') checkCsvSeparator(context);
  const isArrow = format.name === 'arrow';
  if (isArrow && toTerminal) throw usageError('Arrow is not for a terminal', '-o FILE.arrow, or into a pipe');
  const written = outputOptions(context, output, toTerminal);
  const opened = openTarget(output, options.force === true, interruption);
  const target = isArrow ? new ArrowTarget(opened) : opened;
  const loaded = await format.load();
  const printer = new ResultPrinter(context, target, loaded, written);
  const code = await runSql(context, {
    target,
    dryRun: options.dryRun === true,
    onResult: (result, statement) => printer.print(result, statement),
  });
  return printer.skippedFiles ? worstExitCode([code, BAD_INPUT]) : code;
}

/** `quern query -o x.parquet`. */
async function runParquetQuery(context: Context, output: string): Promise<number> {
  const { ParquetTarget } = await import('../parquet_target.ts');
  const { DEFAULT_PARQUET_WRITE } = await import('../../session/index.ts');
  const { options } = context;
  if (count(context, 'rowLimit', 'query.row_limit') !== undefined) {
    throw unsupported('--row-limit of a Parquet file', undefined, 'LIMIT in the query');
  }
  const target = new ParquetTarget(output, options.force === true, context.interruption);
  const printer = new ResultPrinter(context, target, list, {});
  const code = await runSql(context, {
    target,
    dryRun: options.dryRun === true,
    writeTo: () => target.next(DEFAULT_PARQUET_WRITE),
    named: (error) => target.named(error),
    onResult: (result, statement) => printer.print(result, statement),
  });
  return printer.skippedFiles ? worstExitCode([code, BAD_INPUT]) : code;
}

/** What COPY counts; other statements without a result have no batches. */
function writtenRows(batch: ResultBatch): number {
  const counts = batch.columns[0]?.values;
  return counts instanceof BigInt64Array ? Number(counts[0]) : 0;
}

type AnyFormat = Format<TextSink & ByteSink>;

class ResultPrinter {
  readonly #context: Context;
  readonly #target: OutputTarget;
  readonly #format: AnyFormat;
  readonly #options: OutputOptions;
  readonly #rowLimit: number | undefined;
  #results = 0;
  /** whether a result lacks the rows of files that could not be read */
  skippedFiles = false;

  constructor(context: Context, target: OutputTarget, format: AnyFormat, options: OutputOptions) {
    this.#context = context;
    this.#target = target;
    this.#format = format;
    this.#options = options;
    this.#rowLimit = count(context, 'rowLimit', 'query.row_limit');
  }

  async print(result: Result, statement: string): Promise<void> {
    const { options, progress } = this.#context;
    if (options.echo === true) writeStderr(`${statement};\n`);
    let rows = 0;
    if (options.dryRun !== true) {
      if (result.kind === 'rows') rows = await this.#rows(result, statement);
      else for await (const batch of result.batches()) rows += writtenRows(batch);
    }
    progress.stop();
    if (options.dryRun !== true) this.#reportSkipped(result.metrics());
    if (options.timer === true || options.stats === true) this.#metrics(result.metrics(), rows);
  }

  async #rows(result: Result, statement: string): Promise<number> {
    if (++this.#results > 1 && this.#context.options.singleResult === true) {
      throw usageError('more than one result (--single-result)');
    }
    const { progress } = this.#context;
    const sink = {
      write: (text: string): Promise<void> | void => {
        progress.clear();
        return this.#target.write(text);
      },
      writeBytes: (parts: readonly Uint8Array[]): Promise<void> | void => {
        progress.clear();
        return this.#target.writeBytes(parts);
      },
      startOver: (): WrittenBytes | undefined => this.#target.startOver?.(),
    };
    if (this.#target instanceof ArrowTarget) this.#target.next();
    else if (this.#results > 1 && this.#format.between !== undefined) await sink.write(this.#format.between);
    // A plan is meant to be read as it is; a format that was asked for is used all the same.
    const writer =
      this.#context.options.mode === undefined && this.#format.name !== 'arrow' && /^explain\b/i.test(statement)
        ? list.create(sink, { header: false })
        : this.#format.create(sink, this.#options);
    await writer.begin(result.schema);
    let rows = 0;
    for await (const batch of result.batches()) {
      rows += batch.rows;
      if (this.#rowLimit !== undefined && rows > this.#rowLimit) {
        const message = `the result has more than ${countText(this.#rowLimit)} rows (--row-limit)`;
        throw new QuernError({ source: 'user', code: 'runtime', message });
      }
      progress.add(batch.rows);
      await writer.batch(batch);
    }
    progress.clear();
    await writer.end();
    return rows;
  }

  #reportSkipped(metrics: QueryMetrics): void {
    for (const { path, reason } of metrics.skippedFiles ?? []) {
      this.skippedFiles = true;
      // A reason mostly starts with its path.
      writeStderr(`skipped ${reason.startsWith(path) ? reason : `${path}: ${reason}`}\n`);
    }
  }

  #metrics(metrics: QueryMetrics, rows: number): void {
    const time = `${countText(rows)} row${rows === 1 ? '' : 's'} in ${secondsText(metrics.elapsedMs)}`;
    if (this.#context.options.stats !== true) {
      writeStderr(`${time}\n`);
      return;
    }
    writeStderr(
      `${time}, read ${sizeText(metrics.bytesRead)} (${countText(metrics.bytesRead)} bytes), ` +
        `peak memory ${sizeText(metrics.peakMemory)}\n` +
        `pages: ${countText(metrics.pagesRead)} read, ${countText(metrics.pagesSkipped)} skipped; ` +
        `row groups: ${countText(metrics.rowGroupsRead)} read, ${countText(metrics.rowGroupsSkipped)} skipped\n`,
    );
  }
}
