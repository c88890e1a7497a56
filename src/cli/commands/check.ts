import type { CheckOptions } from '../../check/index.ts';
import type { Context } from '../context.ts';
import type { OptionValues } from '../option_spec.ts';
import { parseCount } from '../quantity.ts';
import { ReportOutput } from '../report_output.ts';
import { sessionOptions } from '../settings.ts';
import { usageError } from '../usage_error.ts';

const text = (options: OptionValues, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

function count(options: OptionValues, name: string, flag: string, least: number): number | undefined {
  const value = text(options, name);
  return value === undefined ? undefined : parseCount(value, flag, least);
}

function tolerance(options: OptionValues, name: string): number | undefined {
  const value = text(options, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number >= 0)) throw usageError(`--${name}: not a tolerance: ${value}`);
  return number;
}

function updateOf(options: OptionValues): 'new' | 'all' | undefined {
  const value = options.update;
  if (value === undefined || value === 'new' || value === 'all') return value;
  if (value === true) return 'new';
  throw usageError(`--update: ${String(value)}`, 'new or all');
}

/** `quern check`: runs sqllogictest files. */
export async function runCheckCommand(context: Context): Promise<number> {
  const { options, parsed } = context;
  if (parsed.args.length === 0) throw usageError('no files to check', 'quern check PATH...');
  const { runCheck } = await import('../../check/index.ts');
  const reporters = options.reporter;
  const output = new ReportOutput(context.interruption.signal);
  const settings: CheckOptions = {
    ...sessionOptions(context.sources),
    write: output.write,
    paths: parsed.args,
    engine: text(options, 'engine') as CheckOptions['engine'],
    ref: text(options, 'ref') as CheckOptions['ref'],
    update: updateOf(options),
    filter: text(options, 'filter'),
    shard: text(options, 'shard'),
    jobs: count(options, 'jobs', '--jobs', 1),
    maxDiffs: count(options, 'maxDiffs', '--max-diffs', 0),
    rtol: tolerance(options, 'rtol'),
    atol: tolerance(options, 'atol'),
    failFast: options.failFast === true,
    list: options.list === true,
    passWithNoTests: options.passWithNoTests === true,
    ci: Boolean(context.sources.env.CI),
    reporters: Array.isArray(reporters) ? (reporters as string[]) : undefined,
  };
  const code = await runCheck(settings);
  await output.end();
  return code;
}
