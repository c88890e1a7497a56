import { describe, expect, test } from 'vitest';
import { parseExpression, parseStatements, splitStatements } from '../../src/sql/index.ts';
import { canonical, canonicalScript, withoutSpans } from './tree.ts';

const value = (text: string): unknown => withoutSpans(parseExpression(text));

describe('names', () => {
  test('keep their case, quoted or not', () => {
    expect(canonicalScript('select CounterID, "EventDate" from Hits')).toBe('SELECT CounterID, EventDate FROM Hits');
  });

  test('in quotes hold blanks, digits, signs and doubled quotes', () => {
    expect(canonicalScript('select a as "30 days", b ">120 days", "x""y" from t')).toBe(
      'SELECT a AS "30 days", b AS ">120 days", "x""y" FROM t',
    );
  });

  test('in backticks are names too', () => {
    expect(canonicalScript('select `order count` as `a``b` from t')).toBe('SELECT "order count" AS "a`b" FROM t');
  });

  test('may have blanks round their dots', () => {
    expect(canonical('v1. cc_name = v1 .cc_name')).toBe('(v1.cc_name = v1.cc_name)');
  });

  test('may have letters of any script', () => {
    expect(canonicalScript('select größe, 数量 from таблица')).toBe('SELECT "größe", "数量" FROM "таблица"');
  });

  test('after a dot or AS may be any keyword', () => {
    expect(canonicalScript('select t.select, t.from as where from t')).toBe(
      'SELECT t."select", t."from" AS "where" FROM t',
    );
  });
});

describe('keywords stay usable as names', () => {
  const words = [
    ...'segment catalog descending state brand total average rank_col ranking mean cov value nation year_ at_'.split(
      ' ',
    ),
    ...'returns_ year returns at date rows range first last filter percent row values time timestamp map struct columns'.split(
      ' ',
    ),
  ];

  test.each(words)('%s as an alias without AS, of a column and of a table', (word) => {
    const column = parseStatements(`select sum(x) ${word} from t`);
    const table = parseStatements(`select 1 from t ${word}`);
    expect(column).toMatchObject([{ query: { body: { items: [{ alias: { name: word } }] } } }]);
    expect(table).toMatchObject([{ query: { body: { from: { alias: { name: { name: word } } } } } }]);
  });

  test('as columns, and qualified', () => {
    expect(canonical('year + month + returns.date + at.value')).toBe(
      '((("year" + "month") + "returns".date) + "at"."value")',
    );
  });

  test('an alias may equal the name of a table', () => {
    expect(canonicalScript('with store as (select 1 store from store) select store.store from store, web web')).toBe(
      'WITH store AS (SELECT 1 AS store FROM store) SELECT store.store FROM store CROSS JOIN web AS web',
    );
  });
});

test('a keyword before a parenthesis is no call', () => {
  const text = 'select case when(a)then(1)end from(select 1)where(a)and(b)or(c)in(1)group by(a)having(b)order by(c)';
  expect(canonicalScript(text)).toBe(
    'SELECT CASE WHEN a THEN 1 END FROM (SELECT 1) WHERE ((a AND b) OR (c IN (1))) GROUP BY a HAVING b ORDER BY c',
  );
});

test('a blank may stand between a function and its parenthesis', () => {
  expect(canonical('SUM (x) + ABS (y) + cast (z as int) + grouping (g)')).toBe(
    '(((SUM(x) + ABS(y)) + CAST(z AS INT)) + "grouping"(g))',
  );
});

test('DISTINCT may touch a parenthesis', () => {
  expect(canonicalScript('select distinct(a), count(distinct(b)) from t')).toBe(
    'SELECT DISTINCT a, count(DISTINCT b) FROM t',
  );
});

describe('comments and statements', () => {
  test('line comments, block comments, nested ones', () => {
    expect(canonicalScript('-- first\nselect 1 -- one\n/* a /* nested */ one */ + 2--end')).toBe('SELECT (1 + 2)');
  });

  test('semicolons separate statements; empty ones vanish', () => {
    expect(canonicalScript(';select 1;; -- two\n select 2; ;')).toBe('SELECT 1; SELECT 2');
    expect(canonicalScript(' -- nothing\n')).toBe('');
    expect(canonicalScript('')).toBe('');
  });

  test('splitStatements finds their places', () => {
    const text = " select ';' ; /* ; */ select (1\n;2); ;select 3 -- ;";
    const parts = splitStatements(text).map(({ start, end, terminated }) => [text.slice(start, end), terminated]);
    expect(parts).toEqual([
      ["select ';'", true],
      ['select (1\n;2)', true],
      ['select 3', false],
    ]);
  });

  test('one statement of a script keeps the offsets of the script', () => {
    const text = 'select 1; select foo';
    const [, second] = splitStatements(text);
    const [statement] = parseStatements(text, second);
    expect(statement?.span).toEqual({ start: 10, end: 20 });
    expect(() => parseStatements('select 1; select ,', { start: 10, end: 18 })).toThrow(
      expect.objectContaining({ message: 'syntax error at or near ","', span: { start: 17, end: 18 } }),
    );
  });

  test('no-break blanks and a byte order mark are blanks', () => {
    expect(canonicalScript('\ufeffselect\u00a01')).toBe('SELECT 1');
  });
});

describe('literals', () => {
  test.each([
    ['1', { kind: 'integer_literal', text: '1' }],
    ['1_000', { kind: 'integer_literal', text: '1000' }],
    ['0xFF', { kind: 'integer_literal', text: '255' }],
    ['0b101', { kind: 'integer_literal', text: '5' }],
    [
      '170141183460469231731687303715884105728',
      { kind: 'integer_literal', text: '170141183460469231731687303715884105728' },
    ],
    ['1.0000', { kind: 'decimal_literal', text: '1.0000' }],
    ['.5', { kind: 'decimal_literal', text: '.5' }],
    ['2.', { kind: 'decimal_literal', text: '2.' }],
    ['1e0', { kind: 'double_literal', text: '1e0' }],
    ['1.5E-3', { kind: 'double_literal', text: '1.5E-3' }],
    ["''", { kind: 'string_literal', value: '' }],
    ["'it''s'", { kind: 'string_literal', value: "it's" }],
    ["'a\nb'", { kind: 'string_literal', value: 'a\nb' }],
    ["'\\n'", { kind: 'string_literal', value: '\\n' }],
    ["E'a\\nb\\t\\'\\\\ \\x41\\u00e9\\U0001F600'''", { kind: 'string_literal', value: "a\nb\t'\\ Aé😀'" }],
    ["$$it's$$", { kind: 'string_literal', value: "it's" }],
    ['$q$a $$ b$q$', { kind: 'string_literal', value: 'a $$ b' }],
    ["x'00fF'", { kind: 'blob_literal', hex: '00FF' }],
    ['NULL', { kind: 'null_literal' }],
    ['true', { kind: 'boolean_literal', value: true }],
    ['FALSE', { kind: 'boolean_literal', value: false }],
    ['$1', { kind: 'parameter', name: '1' }],
    ['$name', { kind: 'parameter', name: 'name' }],
    ['#2', { kind: 'positional_ref', index: 2 }],
  ])('%s', (text, node) => {
    expect(value(text)).toEqual(node);
  });

  test('question marks are numbered within a statement', () => {
    expect(canonicalScript('select ? + ?; select ?')).toBe('SELECT ($1 + $2); SELECT $1');
  });

  test('a type name before a string is a cast', () => {
    expect(canonical("DATE '2000-01-01'")).toBe("CAST('2000-01-01' AS DATE)");
    expect(canonical("timestamp with time zone '2000-01-01'")).toBe("CAST('2000-01-01' AS TIMESTAMPTZ)");
    expect(canonical("double precision '1'")).toBe("CAST('1' AS DOUBLE)");
    expect(canonical("decimal(3, 1) '1.5'")).toBe("CAST('1.5' AS DECIMAL(3, 1))");
  });

  test('intervals', () => {
    expect(canonical("INTERVAL '1' day")).toBe("INTERVAL '1' DAY");
    expect(canonical('interval 3 months')).toBe('INTERVAL 3 MONTH');
    expect(canonical("interval '1 day 2 hours'")).toBe("INTERVAL '1 day 2 hours'");
    expect(canonical('interval (a + 1) centuries')).toBe('INTERVAL ((a + 1)) CENTURY');
    expect(canonical("cast('1998-08-04' as date) + 14 days")).toBe("(CAST('1998-08-04' AS DATE) + INTERVAL 14 DAY)");
    expect(canonical('d - 5 days < e + 1 year')).toBe('((d - INTERVAL 5 DAY) < (e + INTERVAL 1 YEAR))');
  });

  test('a long literal has its place in the text', () => {
    expect(parseExpression(" 'abc' ").span).toEqual({ start: 1, end: 6 });
  });
});
