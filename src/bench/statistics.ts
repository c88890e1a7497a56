import { medianAbsoluteDeviation, median as medianOf } from 'simple-statistics';

export function median(values: readonly number[]): number {
  return medianOf([...values]);
}

/** Median absolute deviation: the spread that one slow run does not move. */
export function mad(values: readonly number[]): number {
  return medianAbsoluteDeviation([...values]);
}

/** Geometric mean of `value + shift`, less the shift, so that queries of a few ms do not rule it. */
export function shiftedGeomean(values: readonly number[], shift: number): number {
  if (values.length === 0) return 0;
  const logs = values.reduce((sum, value) => sum + Math.log(value + shift), 0);
  return Math.exp(logs / values.length) - shift;
}
