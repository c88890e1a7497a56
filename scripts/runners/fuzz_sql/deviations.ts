import type { Difference } from './judge.ts';

/** A known difference from DuckDB. docs/differences.md explains each under its name. */
export interface Deviation {
  readonly name: string;
  readonly applies: (difference: Difference) => boolean;
}

const sameRows = (d: Difference): boolean => d.kind === 'type';

export const DEVIATIONS: readonly Deviation[] = [
  {
    // sums of integers: BIGINT up to 32 bits, DECIMAL(38,0) above; DuckDB: HUGEINT
    name: 'sum-of-integers',
    applies: (d) => sameRows(d) && d.reference === 'HUGEINT' && /^(BIGINT|DECIMAL\(38,0\))$/.test(d.actual),
  },
  {
    // DATE ± INTERVAL of days, months or years is a DATE; DuckDB: TIMESTAMP
    name: 'date-plus-interval',
    applies: (d) =>
      /INTERVAL/.test(d.sql) && d.kind !== 'error' && /^(TIMESTAMP|\d{4}-\d\d-\d\d 00:00:00)$/.test(d.reference),
  },
];

/** The rule that explains a difference, if any. */
export function explainedBy(difference: Difference): string | undefined {
  return DEVIATIONS.find((deviation) => deviation.applies(difference))?.name;
}
