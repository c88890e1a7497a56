import { describe, expect, it } from 'vitest';
import { asQuernError, type ErrorFormat, errorText, worstExitCode } from '../../src/cli/error_report.ts';
import { type QuernError, userError } from '../../src/common/error.ts';
import { paint } from '../../src/output/colors.ts';
import { displayWidth } from '../../src/output/display_width.ts';

const SQL = 'select 1;\nselect ss_itm_sk, count(*)\n\tfrom store_sales';

function report(error: QuernError, label: string | undefined, format: ErrorFormat = 'text', text = SQL): string {
  return errorText(error, { text, label }, { format, paint: paint(false), verbose: false, widthOf: displayWidth });
}

const start = SQL.indexOf('ss_itm_sk');
const binder = userError(
  'binder',
  'column "ss_itm_sk" not found',
  { start, end: start + 9 },
  'did you mean "ss_item_sk"?',
);

describe('text', () => {
  it('shows file, line and caret', () => {
    expect(report(binder, 'queries/q03.sql')).toBe(
      'error[binder]: column "ss_itm_sk" not found\n' +
        '  --> queries/q03.sql:2:8\n' +
        '2 | select ss_itm_sk, count(*)\n' +
        '  |        ^^^^^^^^^\n' +
        'hint: did you mean "ss_item_sk"?\n',
    );
  });

  it('leaves the place out for SQL of the command line', () => {
    expect(report(binder, undefined).split('\n')[1]).toBe('2 | select ss_itm_sk, count(*)');
  });

  it('keeps tabs and counts wide characters', () => {
    const sql = "\tselect '漢字', nope";
    const at = sql.indexOf('nope');
    expect(report(userError('binder', 'x', { start: at, end: at + 4 }), undefined, 'text', sql)).toBe(
      `error[binder]: x\n1 | ${sql}\n  | \t${' '.repeat(15)}^^^^\n`,
    );
  });

  it('cuts long lines round the fault', () => {
    const sql = `${'a'.repeat(200)} BAD ${'b'.repeat(200)}`;
    const text = report(userError('parse', 'x', { start: 201, end: 204 }), undefined, 'text', sql);
    expect(text).toBe(`error[parse]: x\n1 | …${'a'.repeat(59)} BAD ${'b'.repeat(59)}…\n  | ${' '.repeat(61)}^^^\n`);
  });

  it('points at the end of the text', () => {
    expect(report(userError('parse', 'x', { start: 8, end: 8 }), undefined, 'text', 'select (')).toBe(
      'error[parse]: x\n1 | select (\n  |         ^\n',
    );
  });

  it('marks the first line of a fault of several lines', () => {
    expect(report(userError('parse', 'x', { start: 7, end: 20 }), undefined, 'text', 'select (1,\n  2, 3)\nx')).toBe(
      'error[parse]: x\n1 | select (1,\n  |        ^^^\n',
    );
  });

  it('shows control characters of a message', () => {
    expect(report(userError('runtime', 'bad \u001b[31mvalue'), 'f.sql')).toBe(
      'error[runtime]: bad \\x1b[31mvalue\n  --> f.sql\n',
    );
  });

  it('asks for a report of an internal error', () => {
    expect(report(asQuernError(new TypeError('x is undefined')), undefined)).toBe(
      'error[internal]: TypeError: x is undefined\n' +
        `This is a bug in quern 0.1.0 (Node ${process.version}); please report it with the query.\n` +
        'hint: -v shows where it happened\n',
    );
  });
});

it('json', () => {
  expect(JSON.parse(report(binder, 'q.sql', 'json'))).toEqual({
    kind: 'binder',
    message: 'column "ss_itm_sk" not found',
    file: 'q.sql',
    line: 2,
    column: 8,
    length: 9,
    hint: 'did you mean "ss_item_sk"?',
    sql: SQL,
  });
});

it('github', () => {
  expect(report(binder, 'a,b.sql', 'github')).toBe(
    '::error title=quern binder error,file=a%2Cb.sql,line=2,col=8::column "ss_itm_sk" not found%0Ahint: did you mean "ss_item_sk"?\n',
  );
});

it('the worst exit code wins', () => {
  expect(worstExitCode([1, 5, 3])).toBe(5);
  expect(worstExitCode([1, 3])).toBe(3);
  expect(worstExitCode([4, 1])).toBe(1);
  expect(worstExitCode([6, 70, 130])).toBe(130);
  expect(worstExitCode([])).toBe(0);
});
