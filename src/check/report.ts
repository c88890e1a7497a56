import type { FileResult, RecordResult } from './run_file.ts';

export interface CheckSummary {
  readonly files: readonly FileResult[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** files that could not be run to their end */
  readonly broken: number;
  readonly elapsedMs: number;
}

export function summarize(files: readonly FileResult[], elapsedMs: number): CheckSummary {
  const records = files.flatMap((file) => file.records);
  const count = (outcome: string): number => records.filter((record) => record.outcome === outcome).length;
  return {
    files,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    broken: files.filter((file) => file.error !== undefined).length,
    elapsedMs,
  };
}

/** One line a file while the run goes on. */
export function fileLine(file: FileResult): string {
  const failed = file.records.filter((record) => record.outcome === 'failed').length;
  const word = file.error !== undefined ? 'ERROR' : failed > 0 ? 'FAIL' : 'ok';
  const detail = file.updated ? ' (updated)' : '';
  return `${word.padEnd(5)} ${file.file}  ${file.records.length} records  ${file.elapsedMs.toFixed(0)} ms${detail}\n`;
}

/** The failures in full, then the closing line alone. */
export function textReport(summary: CheckSummary): string {
  const parts: string[] = [];
  for (const file of summary.files) {
    for (const record of file.records) if (record.outcome === 'failed') parts.push(failureText(record));
    if (file.error !== undefined) parts.push(`${file.file}: ${file.error}\n`);
  }
  const broken = summary.broken === 0 ? '' : `${summary.broken} files could not be run to their end\n`;
  const closing = `${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped\n`;
  return `${parts.length > 0 ? `\n${parts.join('\n')}\n` : ''}${broken}${closing}`;
}

export function failureText(record: RecordResult): string {
  const sql = record.sql
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('');
  const differences = record.differences
    .map((d) => `  row ${d.row + 1}\n  - ${d.expected}\n  + ${d.actual}\n`)
    .join('');
  return `${record.file}:${record.line}: ${record.message}\n${sql}${differences}`;
}

/** JUnit XML: one suite a file, one case a record. */
export function junitReport(summary: CheckSummary): string {
  const suites = summary.files.map(junitSuite).join('');
  const { passed, failed, skipped, broken } = summary;
  const totals = `tests="${passed + failed + skipped}" failures="${failed}" errors="${broken}" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="quern check" ${totals}>\n${suites}</testsuites>\n`;
}

function junitSuite(file: FileResult): string {
  const count = (outcome: string): number => file.records.filter((record) => record.outcome === outcome).length;
  const counts = `tests="${file.records.length}" failures="${count('failed')}" skipped="${count('skipped')}"`;
  const cases = file.records.map(junitCase).join('');
  const broken =
    file.error === undefined
      ? ''
      : `    <testcase name="file" classname="${xml(file.file)}"><error message="${xml(file.error)}"/></testcase>\n`;
  const errors = file.error === undefined ? 0 : 1;
  const time = (file.elapsedMs / 1000).toFixed(3);
  return `  <testsuite name="${xml(file.file)}" ${counts} errors="${errors}" time="${time}">\n${cases}${broken}  </testsuite>\n`;
}

function junitCase(record: RecordResult): string {
  const attributes =
    `name="line ${record.line}" classname="${xml(record.file)}" file="${xml(record.file)}" line="${record.line}" ` +
    `time="${(record.elapsedMs / 1000).toFixed(3)}"`;
  if (record.outcome === 'passed') return `    <testcase ${attributes}/>\n`;
  const inner =
    record.outcome === 'skipped'
      ? `<skipped message="${xml(record.message)}"/>`
      : `<failure message="${xml(record.message)}">${xml(failureText(record))}</failure>`;
  return `    <testcase ${attributes}>${inner}</testcase>\n`;
}

function xml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  // XML 1.0 has no way to write other control characters
  return Array.from(text, (c) => entities[c] ?? (c < ' ' && c !== '\t' ? '\ufffd' : c)).join('');
}

export function jsonReport(summary: CheckSummary): string {
  return `${JSON.stringify({ schema: 'quern.check/1', ...summary }, null, 2)}\n`;
}

/** Annotations of GitHub Actions; it shows ten of a kind. */
export function githubReport(summary: CheckSummary): string {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return summary.files
    .flatMap((file) => file.records)
    .filter((record) => record.outcome === 'failed')
    .slice(0, 10)
    .map(
      (r) => `::error file=${property(r.file)},line=${r.line},title=${property(r.message)}::${data(failureText(r))}\n`,
    )
    .join('');
}
