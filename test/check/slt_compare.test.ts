import { describe, expect, it } from 'vitest';
import {
  cellText,
  compareWithLines,
  DEFAULT_TOLERANCE,
  hashCells,
  resultLines,
  sameCell,
  sortedCells,
} from '../../src/check/slt_compare.ts';

const compare = (
  lines: string[],
  rows: (string | null)[][],
  types: string,
  sort: 'nosort' | 'rowsort' | 'valuesort' = 'nosort',
) => compareWithLines(lines, rows, types, sort, DEFAULT_TOLERANCE, 10);

describe('cellText', () => {
  it('marks NULL, the empty string and line breaks', () => {
    expect([null, '', 'a\tb\nc', 'x'].map(cellText)).toEqual(['NULL', '(empty)', 'a\\tb\\nc', 'x']);
  });
});

describe('sameCell', () => {
  it('allows a relative error only in numeric columns', () => {
    expect(sameCell('1000000000000.0', '1000000000000.5', true, DEFAULT_TOLERANCE)).toBe(true);
    expect(sameCell('1000000000000.0', '1000000000000.5', false, DEFAULT_TOLERANCE)).toBe(false);
    expect(sameCell('1.0', '1.1', true, DEFAULT_TOLERANCE)).toBe(false);
    expect(sameCell('NULL', '0', true, DEFAULT_TOLERANCE)).toBe(false);
    expect(sameCell('nan', 'nan', true, DEFAULT_TOLERANCE)).toBe(true);
    expect(sameCell('nan', '1.0', true, DEFAULT_TOLERANCE)).toBe(false);
    expect(sameCell('inf', '1e308', true, DEFAULT_TOLERANCE)).toBe(false);
  });
});

describe('compareWithLines', () => {
  it('takes a line a row and a line a value', () => {
    const rows = [
      ['1', 'a'],
      ['2', null],
    ];
    expect(compare(['1\ta', '2\tNULL'], rows, 'IT')).toEqual([]);
    expect(compare(['1', 'a', '2', 'NULL'], rows, 'IT')).toEqual([]);
  });

  it('sees order only without sorting', () => {
    expect(compare(['2', '1'], [['1'], ['2']], 'I', 'rowsort')).toEqual([]);
    expect(compare(['2', '1'], [['1'], ['2']], 'I')).toHaveLength(2);
    expect(
      compare(
        ['1', '2', '3', '4'],
        [
          ['4', '2'],
          ['3', '1'],
        ],
        'II',
        'valuesort',
      ),
    ).toEqual([]);
  });

  it('sees missing and surplus rows', () => {
    expect(compare(['1', '2'], [['1']], 'I')).toEqual([{ row: 1, expected: '2', actual: '(no row)' }]);
    expect(compare([], [['1']], 'I')).toEqual([{ row: 0, expected: '(no row)', actual: '1' }]);
  });

  it('compares a hash', () => {
    const rows = Array.from({ length: 10 }, (_, i) => [String(i)]);
    const lines = resultLines(sortedCells(rows, 'nosort'), 5);
    expect(lines).toEqual([`10 values hashing to ${hashCells(rows)}`]);
    expect(compare(lines, rows, 'I')).toEqual([]);
    expect(compare(lines, rows.slice(1), 'I')).toHaveLength(1);
  });
});
