import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/common/error.ts';
import { parseExpression, parseStatements } from '../../src/sql/index.ts';
import { editDistance, nearKeyword } from '../../src/sql/syntax_error.ts';
import { faultOf } from './tree.ts';

describe('whole messages', () => {
  test.each([
    ['select', 'parse: syntax error at end of input @6-6'],
    ['select a,, b', 'parse: syntax error at or near "," @9-10'],
    ['select from t', 'parse: syntax error at or near "from" @7-11'],
    ['selct 1', 'parse: syntax error at or near "selct" @0-5 (did you mean SELECT?)'],
    ['select * FORM t', 'parse: syntax error at or near "FORM" @9-13 (did you mean FROM?)'],
    ['select a FORM t', 'parse: syntax error at or near "t" @14-15 (did you mean FROM instead of "FORM"?)'],
    ['select a FROM t WHER b = 1', 'parse: syntax error at or near "b" @21-22 (did you mean WHERE instead of "WHER"?)'],
    [
      'select a from t gruop by a',
      'parse: syntax error at or near "by" @22-24 (did you mean GROUP instead of "gruop"?)',
    ],
    [
      'select a from t ODRER by a',
      'parse: syntax error at or near "by" @22-24 (did you mean ORDER instead of "ODRER"?)',
    ],
    ['select a from t order yb a', 'parse: syntax error at or near "yb" @22-24 (did you mean BY?)'],
    ['select a from t LMIT 3', 'parse: syntax error at or near "3" @21-22 (did you mean LIMIT instead of "LMIT"?)'],
    ['select 1 2', 'parse: syntax error at or near "2" @9-10'],
    ['select (1', 'parse: syntax error at end of input @9-9'],
    ['select 1)', 'parse: syntax error at or near ")" @8-9'],
    ['select (1]', 'parse: syntax error at or near "]" @9-10'],
    ['select f(a', 'parse: syntax error at end of input @10-10'],
    ['select f(a,)', 'parse: syntax error at or near ")" @11-12'],
    ['select a < b < c', 'parse: syntax error at or near "<" @13-14'],
    ['select s like t like u', 'parse: syntax error at or near "like" @16-20'],
    ['select case a end', 'parse: syntax error at or near "end" @14-17'],
    ['select cast(a int)', 'parse: syntax error at or near "int" @14-17'],
    ['select a from t where', 'parse: syntax error at end of input @21-21'],
    ['select a from t join u', 'parse: syntax error at end of input @22-22'],
    ['select a from t limit 1 limit 2', 'parse: syntax error at or near "limit" @24-29'],
    ['select "from" from "a b" "c d" e', 'parse: syntax error at or near "e" @31-32'],
    ['select 1 from t "x" "y"', 'parse: syntax error at or near "y" @20-23'],
    ['select * from (select 1', 'parse: syntax error at end of input @23-23'],
    ['select a left from t', 'parse: syntax error at or near "left" @9-13'],
    ['select order from t', 'parse: syntax error at or near "order" @7-12'],
    ['select 1; selec 2', 'parse: syntax error at or near "selec" @10-15 (did you mean SELECT?)'],
    ['foo', 'parse: syntax error at or near "foo" @0-3'],
    ['explain', 'parse: syntax error at end of input @7-7'],
    ['describe t u', 'parse: an alias has no use here: u @11-12'],
    ['show t u', 'parse: an alias has no use here: u @7-8'],
    ['select * as x from t', 'parse: syntax error at or near "as" @9-11 (a star has no alias)'],
    ['select t.* x from t', 'parse: syntax error at or near "x" @11-12'],
    ['set x 1', 'parse: syntax error at or near "1" @6-7'],
    ['copy t to x', 'parse: syntax error at or near "x" @10-11'],
    ['with a (select 1) select 1', 'parse: syntax error at or near "select" @8-14'],
    [
      `select '${'x'.repeat(70)}' 1 '`,
      "parse: unterminated string literal @82-83 (it starts here and needs a closing ')",
    ],
    [`select 1 '${'x'.repeat(70)}'`, `parse: syntax error at or near "'${'x'.repeat(59)}…" @9-81`],
    ["select 'abc", "parse: unterminated string literal @7-11 (it starts here and needs a closing ')"],
    ["select E'abc\\'", "parse: unterminated string literal @7-14 (it starts here and needs a closing ')"],
    ['select $x$abc', 'parse: unterminated string literal @7-13 (it starts here and needs a closing $x$)'],
    ['select 1 /* a /* b */', 'parse: unterminated comment @9-21 (it starts here and needs a closing */)'],
    ['select "abc', 'parse: unterminated quoted name @7-11 (it starts here and needs a closing ")'],
    ['select `abc', 'parse: unterminated quoted name @7-11 (it starts here and needs a closing `)'],
    ['select 1abc', 'parse: letters run into a number: 1abc @7-11 (put a blank between them, or quote the name)'],
    ['select 0x', 'parse: letters run into a number: 0x @7-9 (put a blank between them, or quote the name)'],
    ["select x'0'", "parse: not a binary literal: x'0' @7-11 (write two hexadecimal digits for each byte: x'00FF')"],
    ["select e'a\\u00zz\\xff'", 'parse: escape does not name a character: \\xff @16-20'],
    ['select \\', 'parse: unexpected character "\\\\" @7-8'],
    ['select a ! b', 'parse: unexpected character "!" @9-10'],
    ['select \u0001', 'parse: unexpected character "\\u0001" @7-8'],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toBe(expected);
  });

  test('a lone expression has nothing behind it', () => {
    expect(() => parseExpression('a + 1, b')).toThrow(
      expect.objectContaining({ message: 'syntax error at or near ","', span: { start: 5, end: 6 } }),
    );
    expect(() => parseExpression('')).toThrow('syntax error at end of input');
  });

  test('the parser works again after an error', () => {
    expect(() => parseStatements('select (((')).toThrow(QuernError);
    expect(parseStatements('select 1')).toHaveLength(1);
  });
});

describe('near keywords', () => {
  test('a swap of neighbours is one edit', () => {
    expect(editDistance('FORM', 'FROM')).toBe(1);
    expect(editDistance('SELECT', 'SELECT')).toBe(0);
    expect(editDistance('', 'ABC')).toBe(3);
    expect(editDistance('KITTEN', 'SITTING')).toBe(3);
  });

  test('short words must be nearer', () => {
    expect(
      ['form', 'slect', 'selecct', 'grup', 'distnct', 'xyz', 'a', 'customer'].map((word) => nearKeyword(word)),
    ).toEqual([...['FROM', 'SELECT', 'SELECT', 'GROUP', 'DISTINCT', undefined, undefined, undefined]]);
  });
});
