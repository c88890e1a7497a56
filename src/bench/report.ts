import type { BenchResult, QueryResult } from './result.ts';

/** The table a person reads, then who lost. */
export function textReport(result: BenchResult): string {
  const lines = [header(result), ...result.queries.map((query) => queryLine(query))];
  const { losers, missed, ok, queries, geomean_ms: geomean } = result.summary;
  const { geomean_ratio: ratio, max_geomean_ratio: allowed } = result.summary;
  const against = ratio === undefined ? '' : `, ${ratio.toFixed(2)}× ${result.tool.vs?.name}`;
  lines.push(`${ok} of ${queries} queries ok, geometric mean ${geomean.toFixed(1)} ms${against}`);
  if (allowed !== undefined) lines.push(`over the bar: geometric mean, allowed ${allowed.toFixed(2)}×`);
  if (losers.length > 0) lines.push(`slower than ${result.tool.vs?.name}: ${losers.map(ratioText).join(', ')}`);
  for (const miss of missed) lines.push(`over the bar: ${ratioText(miss)}, allowed ${miss.max_ratio.toFixed(2)}×`);
  return `${lines.join('\n')}\n`;
}

const ratioText = (entry: { id: string; ratio: number }): string => `${entry.id} ${entry.ratio.toFixed(2)}×`;

const COLUMN = 11;
const column = (text: string): string => text.padStart(COLUMN);
const ms = (value: number | undefined): string => column((value ?? 0).toFixed(1));

function header(result: BenchResult): string {
  const title = `${result.suite.name}, ${result.config.threads ?? 'all'} threads`.padEnd(36);
  const own = column('quern ms') + column('±') + column('cpu ms');
  const { vs } = result.tool;
  return title + own + (vs === undefined ? '' : column(`${vs.name} ms`) + column('cpu ms') + column('ratio'));
}

function queryLine(query: QueryResult): string {
  const id = query.id.padEnd(36);
  if (query.median_ms === undefined) return `${id}${query.status}: ${query.error?.message ?? ''}`;
  const own = ms(query.median_ms) + ms(query.mad_ms) + ms(query.cpu_ms);
  const { vs } = query;
  const other = vs === undefined ? '' : ms(vs.median_ms) + ms(vs.cpu_ms) + column(vs.ratio.toFixed(2));
  const wrong = query.status === 'ok' ? '' : `  ${query.status}: ${query.validation.mismatches[0] ?? ''}`;
  return `${id}${own}${other}${wrong}`;
}
