import { describe, expect, it } from 'vitest';
import { parseSlt } from '../../src/check/slt_parse.ts';
import { applies } from '../../src/check/slt_record.ts';

describe('parseSlt', () => {
  it('reads statements, queries, conditions and results with their lines', () => {
    const text = [
      '# a comment',
      'statement ok',
      'create view v as',
      'select 1',
      '',
      'skipif duckdb',
      'query IT rowsort lab',
      'select 1, 2',
      '----',
      '1\t2',
      '',
      'statement error',
      'select foo',
      '----',
      '<REGEX>:foo',
    ].join('\n');
    const records = parseSlt(text, 'a.slt');
    expect(records).toEqual([
      {
        kind: 'statement',
        file: 'a.slt',
        headerLine: 1,
        conditions: [],
        expect: 'ok',
        sql: 'create view v as\nselect 1',
        expected: undefined,
        resultLines: { start: 4, end: 4 },
      },
      {
        kind: 'query',
        file: 'a.slt',
        headerLine: 6,
        conditions: [{ kind: 'skipif', engine: 'duckdb' }],
        types: 'IT',
        sort: 'rowsort',
        label: 'lab',
        sql: 'select 1, 2',
        expected: ['1\t2'],
        resultLines: { start: 8, end: 10 },
      },
      {
        kind: 'statement',
        file: 'a.slt',
        headerLine: 11,
        conditions: [],
        expect: 'error',
        sql: 'select foo',
        expected: ['<REGEX>:foo'],
        resultLines: { start: 13, end: 15 },
      },
    ]);
  });

  it('unrolls the values of loop and foreach, nested', () => {
    const records = parseSlt('loop i 2 4\n\nforeach x a b\n\nstatement ok\nselect 1\n\nendloop\n\nendloop\n', 'a.slt');
    expect(records).toMatchObject([
      { kind: 'loop', variable: 'i', values: ['2', '3'], body: [{ kind: 'loop', variable: 'x', values: ['a', 'b'] }] },
    ]);
  });

  it('takes a query without a label and without a sort mode', () => {
    expect(parseSlt('query I lab\nselect 1\n----\n1\n', 'a.slt')).toMatchObject([{ sort: 'nosort', label: 'lab' }]);
  });

  it.each([
    ['nonsense\n', 'a.slt:1: unknown record: nonsense'],
    ['statement maybe\nselect 1\n', 'a.slt:1: statement needs ok or error'],
    ['query X\nselect 1\n', 'a.slt:1: query needs a type letter a column (T, I or R): X'],
    ['query I\n\n', 'a.slt:1: a record needs SQL text on the next line'],
    ['loop i 1 2\n\nstatement ok\nselect 1\n', 'a.slt:5: loop without endloop'],
    ['endloop\n', 'a.slt:1: endloop without loop'],
    ['skipif duckdb\n', 'a.slt:2: skipif and onlyif need a record after them'],
    ['loop i a b\n\nendloop\n', 'a.slt:1: loop needs a first and a last integer'],
  ])('tells the line of %j', (text, message) => {
    expect(() => parseSlt(text, 'a.slt')).toThrow(message);
  });
});

describe('applies', () => {
  it('follows skipif and onlyif', () => {
    expect(applies([{ kind: 'skipif', engine: 'duckdb' }], 'quern')).toBe(true);
    expect(applies([{ kind: 'skipif', engine: 'duckdb' }], 'duckdb')).toBe(false);
    expect(applies([{ kind: 'onlyif', engine: 'duckdb' }], 'quern')).toBe(false);
    expect(applies([], 'quern')).toBe(true);
  });
});
