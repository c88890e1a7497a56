import type { ColumnBounds } from './file_table.ts';

/** A dictionary of one row group; `entries` null = the chunk has none. */
export interface DictionarySample {
  readonly entries: number | null;
  readonly rows: number;
  /** of the row group */
  readonly bounds: ColumnBounds | null;
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
  const fromDictionaries = estimateFrom(samples, values, bounds);
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

/** Mean over the sampled row groups, by their rows. */
function estimateFrom(
  samples: readonly DictionarySample[],
  values: number,
  bounds: ColumnBounds | null,
): number | null {
  if (samples.length === 0) return null;
  let [rows, weighted] = [0, 0];
  for (const sample of samples) {
    if (sample.entries === null) return values;
    // its values lie in a part of the domain; the rows of that part are the draws, the other parts have as many values
    const part = Math.min(1, Math.max(partOf(sample.bounds, bounds), sample.rows / values));
    weighted += (grown(sample.entries, sample.rows, values * part) / part) * sample.rows;
    rows += sample.rows;
  }
  return weighted / rows;
}

/** The part of the column's range that one row group's values take: 1 / row groups in a sorted file, near 1 in others. */
function partOf(group: ColumnBounds | null, all: ColumnBounds | null): number {
  const [inner, outer] = [widthOf(group), widthOf(all)];
  return inner === null || outer === null || outer === 0 ? 1 : inner / outer;
}

function widthOf(bounds: ColumnBounds | null): number | null {
  if (bounds === null) return null;
  const { min, max } = bounds;
  if (typeof min === 'bigint' && typeof max === 'bigint') return Number(max - min) + 1;
  return typeof min === 'number' && typeof max === 'number' ? max - min : null;
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
