import { describe, expect, test } from 'vitest';
import { parseExpression, parseStatements, printStatement, splitStatements } from '../../src/sql/index.ts';
import { faultOf, withoutSpans } from './tree.ts';

const nested = (open: string, middle: string, close: string, levels: number): string =>
  open.repeat(levels) + middle + close.repeat(levels);

describe('deep texts are refused with a message, never by a stack overflow', () => {
  test.each([
    ['parentheses', nested('(', '1', ')', 100_000), 'more than 500 open brackets @507-508'],
    ['brackets', nested('[', '1', ']', 100_000), 'more than 500 open brackets @507-508'],
    ['calls', nested('f(', '1', ')', 100_000), 'more than 500 open brackets @1008-1009'],
    ['NOT', nested('not ', 'a', '', 100_000), 'more than 500 levels of expressions @2007-2010'],
    ['signs', nested('- ', 'a', '', 100_000), 'more than 500 levels of expressions @1007-1008'],
    ['sums', nested('1+', '1', '', 100_000), 'more than 500 levels of expressions @1007-1008'],
    ['casts', nested('', '1', '::int', 100_000), 'more than 500 levels of expressions @2505-2508'],
    ['subscripts', nested('', 'l', '[1]', 100_000), 'more than 500 levels of expressions'],
    ['CASE', nested('case when 1 then ', '1', ' end', 100_000), 'more than 500 levels of expressions'],
    ['lambdas', nested('x -> ', 'x', '', 100_000), 'more than 500 levels of expressions'],
    ['subqueries', nested('(select ', '1', ')', 400), 'more than 64 levels of queries @512-518'],
    ['UNION', nested('1 union all select ', '1', '', 100_000), 'more than 500 levels of expressions'],
    ['joins', `1 from t${nested('', '', ' join t on 1', 100_000)}`, 'more than 500 levels of expressions'],
    ['nested joins', `1 from t${nested(' join t', '', ' on 1', 100_000)}`, 'more than 500 levels of expressions'],
    ['grouping sets', `1 group by ${nested('grouping sets (', 'a', ')', 100_000)}`, 'more than 500 open brackets'],
    ['types', `1::${nested('struct(a ', 'int', ')', 100_000)}`, 'more than 500 open brackets'],
  ])('%s', (_, text, expected) => {
    expect(faultOf(`select ${text}`)).toContain(`parse: nested too deeply: ${expected}`);
  });

  test('EXPLAIN of EXPLAIN', () => {
    expect(faultOf(`${'explain '.repeat(100_000)}select 1`)).toContain('parse: nested too deeply');
  });

  test('a call with little stack left ends in a message too', () => {
    const text = `select ${nested('(', '1', ')', 490)}`;
    let deepest = 0;
    const measure = (level: number): void => {
      deepest = level;
      measure(level + 1);
    };
    expect(() => measure(0)).toThrow(RangeError);
    const atLevel = (level: number): string => (level === 0 ? faultOf(text) : atLevel(level - 1));
    expect(atLevel(Math.floor(deepest * 0.8))).toBe('parse: nested too deeply: the stack is exhausted @0-6');
  });
});

describe('what is below the limits parses, prints and reads back', () => {
  test.each([
    ['parentheses', `select ${nested('(', '1', ')', 490)}`],
    ['sums', `select ${nested('1+', '1', '', 490)}`],
    ['NOT', `select ${nested('not ', 'a', '', 240)}`],
    ['subqueries', `select ${nested('(select ', '1', ')', 60)}`],
    ['FROM subqueries', `${nested('select * from (', 'select 1', ')', 60)}`],
    ['UNION', `select ${nested('1 union all select ', '1', '', 490)}`],
    ['AND', `select ${nested('a and ', 'a', '', 20_000)}`],
  ])('%s', (_, text) => {
    const trees = parseStatements(text);
    expect(withoutSpans(parseStatements(printStatement(trees[0]!)))).toEqual(withoutSpans(trees));
  });
});

describe('large texts take linear time', () => {
  const within = (milliseconds: number, work: () => void): void => {
    const start = performance.now();
    work();
    expect(performance.now() - start).toBeLessThan(milliseconds);
  };

  test('an IN list of 1 MB', () => {
    const list = Array.from({ length: 150_000 }, (_, i) => i).join(',');
    within(15_000, () => {
      expect(parseExpression(`x in (${list})`)).toMatchObject({ kind: 'in_list', items: { length: 150_000 } });
    });
  });

  test('100,000 rows of VALUES', () => {
    const rows = Array.from({ length: 100_000 }, (_, i) => `(${i},'x')`).join(',');
    within(15_000, () => {
      expect(parseStatements(`values ${rows}`)).toMatchObject([{ query: { body: { rows: { length: 100_000 } } } }]);
    });
  });

  test('a string of 10 MB, also of doubled quotes only', () => {
    within(15_000, () => {
      const long = 'x'.repeat(1e7);
      expect(parseExpression(`'${long}'`)).toEqual({
        kind: 'string_literal',
        value: long,
        span: { start: 0, end: 1e7 + 2 },
      });
      const quotes = "'".repeat(5e6);
      expect(parseExpression(`'${quotes}${quotes}'`)).toMatchObject({ value: quotes });
    });
  });

  test('comments', () => {
    within(15_000, () => {
      expect(parseStatements(`select 1 /*${'x*'.repeat(5e6)}*/`)).toHaveLength(1);
      expect(parseStatements(`select 1 ${'/*'.repeat(1e6)}${'*/'.repeat(1e6)}`)).toHaveLength(1);
    });
  });

  test('marks that are never closed', () => {
    within(15_000, () => {
      expect(faultOf(`select 1 ${'/*'.repeat(1e5)}`)).toContain('unterminated comment');
      expect(faultOf(`select 1 ${'$a$ '.repeat(1e5)} $b$`)).toContain('unterminated string');
      expect(faultOf(`select ${'"a" '.repeat(1e5)} "`)).toContain('unterminated quoted name');
    });
  });

  test('20,000 statements, all at once and one by one', () => {
    const script = 'select 1;'.repeat(20_000);
    within(15_000, () => {
      expect(parseStatements(script)).toHaveLength(20_000);
      const spans = splitStatements(script);
      expect(spans).toHaveLength(20_000);
      for (const span of spans) expect(parseStatements(script, span)).toHaveLength(1);
    });
  });
});
