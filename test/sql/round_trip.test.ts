import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultName, parseExpression, parseStatements, printExpression, printStatement } from '../../src/sql/index.ts';
import { ACCEPTED_TEXTS } from './accepted_texts.ts';
import { withoutSpans } from './tree.ts';

function expectRoundTrip(text: string): void {
  const trees = parseStatements(text);
  const printed = trees.map(printStatement).join(';\n');
  expect(withoutSpans(parseStatements(printed)), printed).toEqual(withoutSpans(trees));
  // Printing is a fixed point.
  expect(parseStatements(printed).map(printStatement).join(';\n')).toBe(printed);
}

test.each(ACCEPTED_TEXTS)('%s', (text) => {
  expectRoundTrip(text);
});

const name = fc.constantFrom('a', 'B', '"x y"', '"select"', 'year', 't.c', '"current_date"', '"q""q"', 'été');
const literal = fc.constantFrom(
  '1',
  '0',
  '1.50',
  '.5',
  '2e3',
  "'x'",
  "'it''s'",
  'NULL',
  'TRUE',
  "x'0F'",
  '$1',
  '$p',
  "E'\\n'",
);
const binary = fc.constantFrom(
  ...['+', '-', '*', '/', '//', '%', '^', '**', '||', '&', '|', '<<', '>>', '<->', '<=>', '<#>', '<+>', '~', '!~'],
  ...['and', 'or', 'is distinct from', '~~', '!~~*', '^@', '@>', '&&', '->>'],
);
const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=', '!=', '==');
const type = fc.constantFrom(
  'int',
  'decimal(7,2)',
  'float[3]',
  'struct(a int, "b c" date[])',
  'map(int, text)',
  'timestamptz',
);

/** Random expression texts; unparenthesised, so that precedence decides how they are read. */
const { expression } = fc.letrec<{ expression: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    name,
    literal,
    tie('expression').map((e) => `(${e})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `f(${a}, ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `case when ${a} then ${b} end`),
    fc.tuple(tie('expression'), type).map(([e, t]) => `cast(${e} as ${t})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `[${a}, ${b}]`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `{'k': ${a}, "j": ${b}}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}, ${b})`),
    tie('expression').map((e) => `list_filter(l, x -> ${e})`),
    tie('expression').map((e) => `(select ${e} from t where ${e} limit 1)`),
    tie('expression').map((e) => `exists (from t where ${e})`),
    tie('expression').map((e) => `sum(distinct ${e} order by a desc) filter (where ${e}) over (partition by ${e})`),
    tie('expression').map((e) => `extract(year from ${e})`),
    tie('expression').map((e) => `interval (${e}) day`),
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('operand'),
    fc.tuple(tie('operand'), binary, tie('operand'), binary, tie('operand')).map((parts) => parts.join(' ')),
    fc.tuple(tie('operand'), comparison, tie('operand')).map((parts) => parts.join(' ')),
    tie('operand').map((e) => `- ${e}`),
    tie('operand').map((e) => `~ ${e} + 1`),
    tie('operand').map((e) => `not ${e}`),
    tie('operand').map((e) => `${e} is not null`),
    tie('operand').map((e) => `${e} is true`),
    tie('operand').map((e) => `${e}::bigint[]`),
    fc.tuple(tie('operand'), tie('expression')).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie('operand'), tie('expression')).map(([a, b]) => `${a}[:${b}]`),
    fc.tuple(tie('operand'), tie('operand'), tie('operand')).map(([a, b, c]) => `${a} not between ${b} and ${c}`),
    fc.tuple(tie('operand'), tie('expression')).map(([a, b]) => `${a} in (${b}, 1)`),
    fc.tuple(tie('operand'), tie('expression')).map(([a, b]) => `${a} in (select ${b})`),
    fc.tuple(tie('operand'), tie('operand')).map(([a, b]) => `${a} not like ${b} escape '!'`),
    fc.tuple(tie('operand'), tie('operand')).map(([a, b]) => `${a} >= all (select ${b})`),
    fc.tuple(tie('operand'), tie('operand')).map(([a, b]) => `${a} at time zone ${b}`),
  ),
}));

test('random expressions read back from their printed form', () => {
  fc.assert(
    fc.property(expression, (text) => {
      const tree = parseExpression(text);
      const printed = printExpression(tree);
      expect(withoutSpans(parseExpression(printed)), printed).toEqual(withoutSpans(tree));
      expect(defaultName(tree)).not.toBe('');
    }),
    { numRuns: 3000 },
  );
});

test('spans of children lie within those of their parents', () => {
  interface Spanned {
    readonly span: { readonly start: number; readonly end: number };
  }
  const check = (node: unknown, outer: Spanned['span'], text: string): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) {
      for (const child of node) check(child, outer, text);
      return;
    }
    const span = (node as Partial<Spanned>).span ?? outer;
    expect(span.start, text).toBeGreaterThanOrEqual(outer.start);
    expect(span.end, text).toBeLessThanOrEqual(outer.end);
    expect(span.end, text).toBeGreaterThanOrEqual(span.start);
    for (const [key, child] of Object.entries(node))
      if (key !== 'span' && !key.endsWith('Span')) check(child, span, text);
  };
  for (const text of ACCEPTED_TEXTS) check(parseStatements(text), { start: 0, end: text.length }, text);
});
