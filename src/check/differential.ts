import type { TextResult } from '../reference/text_engine.ts';
import type { Difference, Tolerance } from './slt_compare.ts';
import { compareCells, sortedCells } from './slt_compare.ts';
import type { SortMode } from './slt_record.ts';

/** Compares the results of two engines: names of columns aside, values by the type of the column. */
export function compareResults(
  reference: TextResult,
  actual: TextResult,
  sort: SortMode,
  tolerance: Tolerance,
  limit: number,
): Difference[] {
  if (reference.columns.length !== actual.columns.length) {
    return [
      {
        row: 0,
        expected: `${reference.columns.length} columns`,
        actual: `${actual.columns.length} columns`,
      },
    ];
  }
  const types = sort === 'valuesort' ? '' : actual.columns.map((column) => comparisonLetter(column.type)).join('');
  return compareCells(sortedCells(reference.rows, sort), sortedCells(actual.rows, sort), types, tolerance, limit);
}

/** DOUBLE may differ in its last digits (sums over rows); everything else, FLOAT too, is compared as text. */
export function comparisonLetter(type: string): string {
  return type === 'DOUBLE' ? 'R' : 'T';
}
