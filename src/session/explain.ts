import type { Result } from '../common/batch.ts';
import { didYouMean } from '../common/did_you_mean.ts';
import { unsupported, userError } from '../common/error.ts';
import type { Engine, EngineMetrics } from '../engine/index.ts';
import type { WirePlan } from '../operators/wire.ts';
import type { ExplainFormat, NodeMeasure } from '../planner/explain/index.ts';
import { explainLogical, explainPhysical, isGraph } from '../planner/explain/index.ts';
import { nodeChoices, placementLine } from '../planner/explain/placement.ts';
import type { PlannerCapabilities, Plans } from '../planner/index.ts';
import type { Explain, Option } from '../sql/ast.ts';
import { textResult } from './text_result.ts';

type Stage = 'logical' | 'optimized' | 'physical';

interface ExplainOptions {
  readonly format: ExplainFormat;
  readonly stage: Stage;
}

/**
 * The plan as text, one row a line (JSON: one row); with an engine the query is run and measured first. `noDevice`: why a
 * plan for a GPU cannot run here.
 */
export async function explainResult(
  statement: Explain,
  plans: Plans,
  wire: WirePlan,
  capabilities: PlannerCapabilities,
  engine: Engine | null,
  noDevice: string | null,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const options = readOptions(statement.options);
  const metrics = engine === null ? null : await measure(engine, wire, signal);
  const measures: readonly NodeMeasure[] | null = metrics === null ? null : metrics.nodes;
  if (options.format === 'json') {
    if (options.stage !== 'physical') throw unsupported(`EXPLAIN of the ${options.stage} plan as JSON`, statement.span);
    const choices = nodeChoices(plans.physical, capabilities);
    const document = { ...wire, choices, ...(metrics === null ? {} : { metrics }) };
    return textResult(['plan'], [[JSON.stringify(document, null, 2)]]);
  }
  const lines =
    options.stage === 'physical'
      ? explainPhysical(plans.physical, options.format, measures)
      : explainLogical(options.stage === 'logical' ? plans.logical : plans.optimized, options.format);
  const place =
    options.stage !== 'physical' || isGraph(options.format) ? [] : [placementLine(plans.physical, capabilities)];
  const total = metrics === null || isGraph(options.format) ? [] : [summary(metrics)];
  const missing = noDevice === null || isGraph(options.format) ? [] : [noDevice];
  return textResult(
    ['plan'],
    [...lines, ...place, ...total, ...missing].map((line) => [line]),
  );
}

async function measure(engine: Engine, wire: WirePlan, signal: AbortSignal | undefined): Promise<EngineMetrics> {
  const result = engine.execute(wire, { signal });
  for await (const _ of result.batches()) {
    // rows are counted by the engine
  }
  return result.metrics();
}

/** Of a chain that begins with a scan: what decoded its column chunks. */
function chunkParts({ deviceChunks, cachedChunks, hostChunks }: EngineMetrics['devices'][number]): string[] {
  const decoded = deviceChunks > 0 ? [`chunks ${deviceChunks} decoded on gpu`] : [];
  const cached = cachedChunks > 0 ? [`chunks ${cachedChunks} still on gpu`] : [];
  return [
    ...decoded,
    ...cached,
    ...hostChunks.map(({ reason, chunks }) => `chunks ${chunks} decoded on cpu (${reason})`),
  ];
}

function summary(metrics: EngineMetrics): string {
  const parts = [
    `total ${metrics.elapsedMs.toFixed(1)} ms`,
    `${metrics.rows} rows`,
    `${metrics.bytesRead} bytes read`,
    `${metrics.peakMemory} bytes peak`,
    `row groups ${metrics.rowGroupsRead} read, ${metrics.rowGroupsSkipped} skipped`,
    `pages ${metrics.pagesRead} read, ${metrics.pagesSkipped} skipped`,
  ];
  for (const device of metrics.devices) {
    parts.push(
      `gpu ${device.deviceMs.toFixed(1)} ms, compiling ${device.compileMs.toFixed(1)} ms, ${device.launches} launches, ${device.readBacks} read-backs, ${device.bytesToDevice} bytes to it, ${device.bytesToHost} back, ${device.peakBytes} peak`,
      ...device.tiers.map(({ tier }) => `groups ${tier}`),
      ...chunkParts(device),
    );
  }
  if (metrics.pairsTested > 0) parts.push(`pairs ${metrics.pairsTested} tested, ${metrics.pairsWritten} written`);
  return parts.join(' · ');
}

const FORMATS: readonly ExplainFormat[] = ['text', 'tree', 'json', 'mermaid', 'dot', 'html'];
const UNSUPPORTED_FORMATS = new Set(['yaml']);
const FORMAT_HINT = `use ${FORMATS.slice(0, -1).join(', ')} or ${FORMATS.at(-1) ?? ''}`;
const STAGES: readonly Stage[] = ['logical', 'optimized', 'physical'];

function readOptions(options: readonly Option[]): ExplainOptions {
  let result: ExplainOptions = { format: 'text', stage: 'physical' };
  for (const option of options) {
    const stage = STAGES.find((name) => name === option.name);
    if (stage !== undefined) result = { ...result, stage };
    else if (option.name === 'format') result = { ...result, format: formatOf(option) };
    else if (option.name !== 'analyze') {
      const hint =
        didYouMean(option.name, ['analyze', 'format', ...STAGES]) ?? 'there are ANALYZE, FORMAT, LOGICAL, OPTIMIZED';
      throw userError('binder', `option of EXPLAIN not found: ${option.name}`, option.span, hint);
    }
  }
  return result;
}

function formatOf(option: Option): ExplainFormat {
  const text = option.value?.kind === 'string_literal' ? option.value.value.toLowerCase() : '';
  // graphviz is the other name of dot
  const format = FORMATS.find((name) => name === (text === 'graphviz' ? 'dot' : text));
  if (format !== undefined) return format;
  if (UNSUPPORTED_FORMATS.has(text)) throw unsupported(`EXPLAIN as ${text}`, option.span, FORMAT_HINT);
  throw userError('binder', `not a format of EXPLAIN: ${text}`, option.span, FORMAT_HINT);
}
