import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExpression } from '../../src/sql/index.ts';
import { NAME_PRINTER } from '../../src/sql/print/default_name.ts';
import { duckdbRows } from './oracle.ts';

// No NULL: DuckDB reads `a || NOT NULL` as `(a ||) IS NOT NULL`, with a postfix operator that quern does not have.
const operand = fc.constantFrom(
  'a',
  't.b',
  '"x y"',
  '1',
  '2.50',
  "'s'",

  'f(a, 1)',
  '(a + 1)',
  '[1, a]',
  '(a, b)',
  'l[1]',
);
const infix = fc.constantFrom(
  ...[
    '+',
    '-',
    '*',
    '/',
    '//',
    '%',
    '^',
    '**',
    '||',
    '&',
    '|',
    '<<',
    '>>',
    '<->',
    '<=>',
    '^@',
    '@>',
    '<@',
    '&&',
    '->>',
  ],
  ...['=', '<>', '<', '<=', '>', '>=', 'and', 'or', 'and', 'or', 'is distinct from', 'is not distinct from'],
  ...['like', 'not like', 'ilike', '~~', '!~~', 'glob', 'similar to', 'not similar to', '~', '!~'],
);
const prefix = fc.constantFrom('', '', '', '-', '+', 'not', '~', '@', '- -', 'not not');
const postfix = fc.constantFrom(
  ...['', '', '', 'is null', 'is not null', 'isnull', 'notnull', 'is true', 'is not false', 'in (1, 2)', 'not in (a)'],
  ...['between 1 and a', 'not between a and 2', '::int', '::varchar', '[2:]', 'in (select 1)', "like 'x' escape '!'"],
);
const term = fc.tuple(prefix, operand, postfix).map((parts) => parts.join(' '));
const flat = fc.tuple(term, fc.array(fc.tuple(infix, term), { maxLength: 4 })).map(([first, rest]) => {
  return [first, ...rest.flat()].join(' ');
});

/** How DuckDB reads an expression, with all its parentheses; undefined when it does not accept it. */
async function duckdbReading(text: string): Promise<string | undefined> {
  const [row] = await duckdbRows(
    `select j, case when not (j->>'error')::bool then json_deserialize_sql(j) end
     from (select json_serialize_sql('select ${text.replaceAll("'", "''")}') j)`,
  );
  return row?.[1] === null ? undefined : `${row?.[1]}`.replace(/^SELECT /, '');
}

test('random chains of operators are read as DuckDB reads them', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(flat, async (text) => {
      const theirs = await duckdbReading(text);
      if (theirs === undefined) return;
      compared++;
      expect(NAME_PRINTER.expression(parseExpression(text)), text).toBe(theirs);
    }),
    { numRuns: 2000 },
  );
  expect(compared).toBeGreaterThan(500);
}, 120_000);
