import { didYouMean } from '../common/did_you_mean.ts';
import { QuernError } from '../common/error.ts';
import type { SourceSpan } from '../common/source_span.ts';
import type { GpuScan } from '../planner/index.ts';

/** Values that SET and --set change, in the form that the session uses. */
export interface Settings {
  /** null = as the machine has */
  readonly threads: number | null;
  /** bytes; null = 80 % of what the machine has */
  readonly memoryLimit: number | null;
  readonly tempDir: string | null;
  readonly device: string;
  readonly gpuScan: GpuScan;
  readonly fuse: boolean;
  readonly batchRows: number | null;
  readonly listOffsetLimit: number | null;
  readonly onBadFile: 'error' | 'skip';
  readonly nullsFirst: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  threads: null,
  memoryLimit: null,
  tempDir: null,
  device: 'auto',
  gpuScan: 'auto',
  fuse: true,
  batchRows: null,
  listOffsetLimit: null,
  onBadFile: 'error',
  nullsFirst: false,
};

interface SettingRow {
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly show: (settings: Settings) => string;
  /** the changed settings, or what values there are */
  readonly change: (settings: Settings, text: string) => Settings | string;
  readonly reset: (settings: Settings) => Settings;
}

const whole =
  (least: number, most: number, change: (settings: Settings, value: number) => Settings): SettingRow['change'] =>
  (settings, text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? change(settings, value) : `a whole number from ${least} to ${most}`;
  };

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Bytes of `512MB`, `1.5 GiB`; null = not a size. */
export function bytesOf(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = UNITS[(match?.[2] ?? '?').toLowerCase()];
  return match === null || unit === undefined ? null : Math.round(Number(match[1]) * unit);
}

const ROWS: readonly SettingRow[] = [
  {
    names: ['threads', 'worker_threads'],
    doc: 'Threads that run queries.',
    show: (s) => (s.threads === null ? 'auto' : String(s.threads)),
    change: whole(1, 1024, (s, threads) => ({ ...s, threads })),
    reset: (s) => ({ ...s, threads: null }),
  },
  {
    names: ['memory_limit', 'max_memory'],
    doc: 'Memory that queries may use, e.g. 4GB.',
    show: (s) => (s.memoryLimit === null ? 'auto' : `${s.memoryLimit}B`),
    change: (s, text) => {
      const memoryLimit = bytesOf(text);
      return memoryLimit === null || memoryLimit <= 0 ? 'a size such as 512MB or 4GiB' : { ...s, memoryLimit };
    },
    reset: (s) => ({ ...s, memoryLimit: null }),
  },
  {
    names: ['temp_directory', 'temp_dir'],
    doc: 'Folder for data that does not fit into memory.',
    show: (s) => s.tempDir ?? 'auto',
    change: (s, tempDir) => ({ ...s, tempDir }),
    reset: (s) => ({ ...s, tempDir: null }),
  },
  {
    names: ['batch.rows'],
    doc: 'Rows of a vector, the unit in which operators work.',
    show: (s) => (s.batchRows === null ? 'auto' : String(s.batchRows)),
    change: whole(1, 2 ** 20, (s, batchRows) => ({ ...s, batchRows })),
    reset: (s) => ({ ...s, batchRows: null }),
  },
  {
    names: ['list.offset_limit'],
    doc: 'Elements of a list column up to which its offsets have 32 bits.',
    show: (s) => (s.listOffsetLimit === null ? 'auto' : String(s.listOffsetLimit)),
    change: whole(0, 2 ** 31 - 1, (s, listOffsetLimit) => ({ ...s, listOffsetLimit })),
    reset: (s) => ({ ...s, listOffsetLimit: null }),
  },
  {
    names: ['on_bad_file'],
    doc: 'One bad file among many: stop (error), or leave it out (skip).',
    show: (s) => s.onBadFile,
    change: (s, text) => (text === 'error' || text === 'skip' ? { ...s, onBadFile: text } : 'error or skip'),
    reset: (s) => ({ ...s, onBadFile: 'error' }),
  },
  {
    names: ['default_null_order', 'null_order'],
    doc: 'Where ORDER BY puts NULL when it does not say: nulls_last or nulls_first.',
    show: (s) => (s.nullsFirst ? 'nulls_first' : 'nulls_last'),
    change: (s, text) => {
      const order = /^(?:nulls[_ ])?(first|last)$/i.exec(text)?.[1]?.toLowerCase();
      return order === undefined ? 'nulls_last or nulls_first' : { ...s, nullsFirst: order === 'first' };
    },
    reset: (s) => ({ ...s, nullsFirst: false }),
  },
  {
    names: ['timezone'],
    doc: 'Time zone of TIMESTAMP WITH TIME ZONE; UTC is the only one.',
    show: () => 'UTC',
    change: (s, text) => (/^(utc|etc\/utc|gmt)$/i.test(text) ? s : 'UTC'),
    reset: (s) => s,
  },
  {
    names: ['device'],
    doc: 'Where queries run: auto, cpu, gpu or the number of a GPU.',
    show: (s) => s.device,
    change: (s, text) => (/^(auto|cpu|gpu|\d+)$/.test(text) ? { ...s, device: text } : 'auto, cpu, gpu or a number'),
    reset: (s) => ({ ...s, device: 'auto' }),
  },
  {
    names: ['gpu.scan'],
    doc: 'Which scans a GPU decodes: those whose rows it filters or goes on with (auto), or all that it can (all).',
    show: (s) => s.gpuScan,
    change: (s, text) => (text === 'auto' || text === 'all' ? { ...s, gpuScan: text } : 'auto or all'),
    reset: (s) => ({ ...s, gpuScan: 'auto' }),
  },
  {
    names: ['fuse'],
    doc: 'Whether a group-by on a GPU runs in one kernel with the joins, filters and projections below it: on or off.',
    show: (s) => (s.fuse ? 'on' : 'off'),
    change: (s, text) => (text === 'on' || text === 'off' ? { ...s, fuse: text === 'on' } : 'on or off'),
    reset: (s) => ({ ...s, fuse: true }),
  },
];

/** All settings with their values, for SHOW SETTINGS. */
export function settingList(settings: Settings): { name: string; value: string; doc: string }[] {
  return ROWS.map((row) => ({ name: row.names[0], value: row.show(settings), doc: row.doc }));
}

/** `SET name = text`. */
export function changeSetting(settings: Settings, name: string, text: string, span?: SourceSpan): Settings {
  const row = findSetting(name, span);
  const result = row.change(settings, text);
  if (typeof result !== 'string') return result;
  throw new QuernError({
    source: 'user',
    code: span === undefined ? 'usage' : 'binder',
    message: `setting ${row.names[0]} cannot be: ${text}`,
    span,
    hint: `it is ${result}`,
  });
}

/** `RESET name`. */
export function resetSetting(settings: Settings, name: string, span?: SourceSpan): Settings {
  return findSetting(name, span).reset(settings);
}

function findSetting(name: string, span: SourceSpan | undefined): SettingRow {
  const row = ROWS.find(({ names }) => names.includes(name.toLowerCase()));
  if (row !== undefined) return row;
  throw new QuernError({
    source: 'user',
    code: span === undefined ? 'usage' : 'catalog',
    message: `setting not found: ${name}`,
    span,
    hint:
      didYouMean(
        name,
        ROWS.flatMap(({ names }) => names),
      ) ?? 'SHOW SETTINGS lists them',
  });
}
