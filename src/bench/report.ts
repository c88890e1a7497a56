import type { BenchResult, QueryResult } from './result.ts';

/** The table a person reads, then who lost. */
export function textReport(result: BenchResult): string {
  const lines = [header(result), ...result.queries.map((query) => queryLine(query))];
  const { losers, missed, ok, queries, geomean_ms: geomean } = result.summary;
  lines.push(`${ok} of ${queries} queries ok, geometric mean ${geomean.toFixed(1)} ms`);
  if (losers.length > 0) lines.push(`slower than ${result.tool.vs?.name}: ${losers.map(ratioText).join(', ')}`);
  for (const miss of missed) lines.push(`over the bar: ${ratioText(miss)}, allowed ${miss.max_ratio.toFixed(2)}×`);
  return `${lines.join('\n')}\n`;
}

const ratioText = (entry: { id: string; ratio: number }): string => `${entry.id} ${entry.ratio.toFixed(2)}×`;

function header(result: BenchResult): string {
  const vs = result.tool.vs === undefined ? '' : `${result.tool.vs.name} ms`.padStart(14) + 'ratio'.padStart(8);
  return `${`${result.suite.name}, ${result.config.threads ?? 'all'} threads`.padEnd(36)}${'quern ms'.padStart(10)}${'±'.padStart(7)}${vs}`;
}

function queryLine(query: QueryResult): string {
  const id = query.id.padEnd(36);
  if (query.median_ms === undefined) return `${id}${query.status}: ${query.error?.message ?? ''}`;
  const own = query.median_ms.toFixed(1).padStart(10) + (query.mad_ms ?? 0).toFixed(1).padStart(7);
  const vs =
    query.vs === undefined ? '' : query.vs.median_ms.toFixed(1).padStart(14) + query.vs.ratio.toFixed(2).padStart(8);
  const wrong = query.status === 'ok' ? '' : `  ${query.status}: ${query.validation.mismatches[0] ?? ''}`;
  return `${id}${own}${vs}${wrong}`;
}
