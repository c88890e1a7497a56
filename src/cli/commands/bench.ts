import type { BenchOptions } from '../../bench/index.ts';
import type { Context } from '../context.ts';
import type { OptionValues } from '../option_spec.ts';
import { parseCount, parseDuration } from '../quantity.ts';
import { ReportOutput } from '../report_output.ts';
import { sessionOptions } from '../settings.ts';
import { usageError } from '../usage_error.ts';
import { VERSION } from '../version.ts';

const text = (options: OptionValues, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

function count(options: OptionValues, name: string, least: number): number | undefined {
  const value = text(options, name);
  return value === undefined ? undefined : parseCount(value, `--${name}`, least);
}

/** `quern bench run SUITE`: times a suite, with another engine in turns when `--vs` names one. */
export async function runBenchCommand(context: Context): Promise<number> {
  const { options, parsed } = context;
  const [action, suite, ...more] = parsed.args;
  if (action !== 'run') throw usageError(`bench: ${action ?? 'no action'}`, 'quern bench run SUITE');
  if (suite === undefined || more.length > 0) throw usageError('bench run: one suite, please', 'quern bench run SUITE');
  const timeout = text(options, 'timeout');
  const tags = options.tag;
  const { runBench } = await import('../../bench/index.ts');
  const output = new ReportOutput(context.interruption.signal);
  const settings: BenchOptions = {
    ...sessionOptions(context.sources),
    write: output.write,
    suite,
    data: text(options, 'data'),
    queries: text(options, 'queries'),
    skip: text(options, 'skip'),
    tags: Array.isArray(tags) ? (tags as string[]) : undefined,
    engine: text(options, 'engine') as BenchOptions['engine'],
    vs: text(options, 'vs') as BenchOptions['vs'],
    warmup: count(options, 'warmup', 0),
    runs: count(options, 'runs', 1),
    timeoutMs: timeout === undefined ? undefined : parseDuration(timeout, '--timeout'),
    validate: text(options, 'validate') as BenchOptions['validate'],
    failFast: options.failFast === true,
    output: text(options, 'output'),
    toolVersion: VERSION,
  };
  const code = await runBench(settings);
  await output.end();
  return code;
}
