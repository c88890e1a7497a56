import type { ColumnBounds } from './file_table.ts';

/** A dictionary of one row group; `entries` null = the chunk has none. */
export interface DictionarySample {
  readonly entries: number | null;
  readonly rows: number;
}

/**
 * About how many distinct values a column has in `rows` rows, from the dictionaries of some row groups and the bounds.
 * A writer leaves the dictionary out where most values differ. null = unknown.
 */
export function distinctValues(
  samples: readonly DictionarySample[],
  rows: number,
  bounds: ColumnBounds | null,
): number | null {
  const values = Math.max(1, rows - (bounds?.nullCount ?? 0));
  const range = rangeOf(bounds);
  const fromDictionaries = estimateFrom(samples, values);
  if (fromDictionaries === null) return range === null || range > values ? null : range;
  return Math.max(1, Math.round(Math.min(fromDictionaries, range ?? Infinity, values)));
}

/** How many whole numbers lie within the bounds. */
function rangeOf(bounds: ColumnBounds | null): number | null {
  if (bounds === null) return null;
  const { min, max } = bounds;
  if (typeof min === 'boolean') return 2;
  return typeof min === 'bigint' && typeof max === 'bigint' ? Number(max - min) + 1 : null;
}

function estimateFrom(samples: readonly DictionarySample[], values: number): number | null {
  if (samples.length === 0) return null;
  if (samples.some((sample) => sample.entries === null)) return values;
  return Math.max(...samples.map((sample) => grown(sample.entries as number, sample.rows, values)));
}

/** Halvings that bring the domain within a thousandth of its true size. */
const STEPS = 40;

/**
 * Distinct values among `total` draws when `draws` draws had `seen`: with a domain of D values that are equally likely,
 * n draws see D(1 − e^(−n/D)) of them.
 */
function grown(seen: number, draws: number, total: number): number {
  if (draws >= total) return seen;
  if (seen >= draws * 0.98) return (seen / draws) * total;
  const seenOf = (domain: number, n: number): number => domain * (1 - Math.exp(-n / domain));
  let [low, high] = [seen, draws * 100];
  for (let i = 0; i < STEPS; i++) {
    const middle = Math.sqrt(low * high);
    if (seenOf(middle, draws) < seen) low = middle;
    else high = middle;
  }
  return seenOf(high, total);
}
