import type { GenOptions } from '../../gen/index.ts';
import { type Context, writeStderr } from '../context.ts';
import { sizeText } from '../quantity.ts';
import { sessionOptions } from '../settings.ts';
import { usageError } from '../usage_error.ts';

const SUITES = ['tpcds'];

function textOption(context: Context, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === 'string' ? value : undefined;
}

function seedOf(text: string | undefined): bigint {
  if (text === undefined) return 1n;
  if (!/^\d{1,19}$/.test(text)) throw usageError(`--seed: not a whole number: ${text}`);
  return BigInt(text);
}

function scaleOf(text: string | undefined): number {
  const scale = text === undefined ? 1 : Number(text);
  if (Number.isNaN(scale)) throw usageError(`--scale: not a scale factor: ${text}`, 'more than 0, at most 100000');
  return scale;
}

/** `quern gen tpcds`: writes generated tables as Parquet files; one line a file on stderr. */
export async function runGenCommand(context: Context): Promise<number> {
  const suite = context.parsed.args[0];
  if (suite === undefined) throw usageError('nothing to generate', 'quern gen tpcds --scale 0.01 --out DIR');
  if (!SUITES.includes(suite)) throw usageError(`no generator: ${suite}`, `one of ${SUITES.join(', ')}`);
  const out = textOption(context, 'out');
  if (out === undefined) throw usageError('--out: no directory', 'quern gen tpcds --scale 0.01 --out DIR');
  const scale = textOption(context, 'scale');
  const { openSession, discardUnfinishedFiles } = await import('../../session/index.ts');
  const { generateTpcds } = await import('../../gen/index.ts');
  const session = await openSession(sessionOptions(context.sources));
  context.interruption.onEnd(discardUnfinishedFiles);
  try {
    const written = await generateTpcds({
      session,
      out,
      scale: scaleOf(scale),
      seed: seedOf(textOption(context, 'seed')),
      tables: textOption(context, 'tables')?.split(','),
      overwrite: context.options.overwrite === true,
      compression: (textOption(context, 'compression') ?? 'zstd') as GenOptions['compression'],
      signal: context.interruption.signal,
      onProgress: () => {},
    });
    if (!context.quiet) {
      for (const file of written) {
        writeStderr(`${file.path}: ${file.rows.toLocaleString('en-US')} rows, ${sizeText(file.bytes)}\n`);
      }
    }
  } finally {
    await session.close();
  }
  return 0;
}
