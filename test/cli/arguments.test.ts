import { describe, expect, it } from 'vitest';
import { rewriteArguments } from '../../src/cli/arguments.ts';
import { parseArguments, Shown } from '../../src/cli/program.ts';
import { COMMANDS, findCommand } from '../../src/cli/surface.ts';
import { QuernError } from '../../src/common/error.ts';

const rewritten = (...args: string[]) => {
  const { command, rest } = rewriteArguments(args);
  return [command, ...rest];
};

function parsed(...args: string[]) {
  const { command, rest } = rewriteArguments(args);
  const result = parseArguments(findCommand(command) as NonNullable<ReturnType<typeof findCommand>>, rest);
  if (result instanceof Shown) throw new Error(`shown: ${result.text}`);
  return { command, options: result.options, args: result.args, ordered: result.ordered };
}

function usage(...args: string[]): { message: string; hint: string | undefined; exitCode: number } {
  try {
    parsed(...args);
  } catch (error) {
    if (error instanceof QuernError) return { message: error.message, hint: error.hint, exitCode: error.exitCode };
    throw error;
  }
  throw new Error('no error');
}

describe('rewriteArguments', () => {
  it.each([
    [['select 1'], ['query', 'select 1']],
    [[], ['query']],
    [
      ['-csv', '-c', 'select 1'],
      ['query', '--mode', 'csv', '-c', 'select 1'],
    ],
    [
      ['-c', '-csv'],
      ['query', '-c', '-csv'],
    ],
    [
      ['-c', 'x', '--json'],
      ['query', '-c', 'x', '--mode', 'json'],
    ],
    [
      ['-jsonlines', '-noheader', '-nullvalue', '-'],
      ['query', '--mode', 'jsonl', '--no-header', '--nullvalue', '-'],
    ],
    [
      ['-s', 'x', '-cmd', 'y'],
      ['query', '--command', 'x', '--command', 'y'],
    ],
    [
      ['-readonly', '-batch', '-X', '--no-pager', 'x'],
      ['query', 'x'],
    ],
    [
      ['--insert', 'my_table', 'x'],
      ['query', '--mode', 'insert', '--insert-table', 'my_table', 'x'],
    ],
    [
      ['--table', 't=x.parquet', 'x'],
      ['query', '--table', 't=x.parquet', 'x'],
    ],
    [
      ['--table', '-c', 'x'],
      ['query', '--mode', 'table', '-c', 'x'],
    ],
    [
      ['-table', 'x'],
      ['query', '--mode', 'table', 'x'],
    ],
    [
      ['--', '-csv'],
      ['query', '--', '-csv'],
    ],
    [
      ['explain', '-a', 'x'],
      ['explain', '-a', 'x'],
    ],
    [
      ['-v', '--threads', '2', 'explain', 'x'],
      ['explain', '-v', '--threads', '2', 'x'],
    ],
    [
      ['--json', 'explain', 'x'],
      ['explain', '--mode', 'json', 'x'],
    ],
    [
      ['inspect', '--json', 'x.parquet'],
      ['inspect', '--json', 'x.parquet'],
    ],
    [
      ['-c', 'explain', 'x'],
      ['query', '-c', 'explain', 'x'],
    ],
    [['version'], ['query', '--version']],
    [
      ['help', 'explain'],
      ['help', 'explain'],
    ],
    [['explain'], ['explain']],
    [['select'], ['query', 'select']],
  ])('%j', (args, expected) => {
    expect(rewritten(...args)).toEqual(expected);
  });

  it('takes a slip of a command for what it is', () => {
    expect(usage('benhc')).toEqual({ message: 'unknown command: benhc', hint: 'did you mean "bench"?', exitCode: 2 });
    expect(usage('-v', 'exlpain').hint).toBe('did you mean "explain"?');
  });

  it('takes a slip with SQL behind it for SQL', () => {
    expect(rewritten('benhc', 'x')).toEqual(['query', 'benhc', 'x']);
  });
});

describe('parseArguments', () => {
  it('keeps -c and -f in order', () => {
    expect(parsed('-c', 'a', '-f', 'b.sql', '-c', 'c').ordered).toEqual([
      { option: 'command', value: 'a' },
      { option: 'file', value: 'b.sql' },
      { option: 'command', value: 'c' },
    ]);
  });

  it('reads options on both sides of the SQL', () => {
    const { options, args } = parsed(
      '--threads',
      '2',
      'select 1',
      '-v',
      '--csv',
      '-v',
      '--no-header',
      '--set',
      'a=b',
      '--set',
      'c=d',
    );
    expect(args).toEqual(['select 1']);
    expect(options).toEqual({ threads: '2', verbose: 'vv', mode: 'csv', header: false, set: ['a=b', 'c=d'] });
  });

  it('lets the last format win', () => {
    expect(parsed('--csv', '-m', 'json', '-line', 'x').options).toEqual({ mode: 'line' });
  });

  it.each([
    [['--jsno', 'x'], "unknown option '--jsno'", 'did you mean --json or --jsonl?'],
    [['--timr', 'x'], "unknown option '--timr'", 'did you mean --timer?'],
    [['-c'], "option '-c, --command <sql>' argument missing", 'quern --help'],
    [
      ['--color', 'blue', 'x'],
      "option '--color <when>' argument 'blue' is invalid. Allowed choices are auto, always, never.",
      'quern --help',
    ],
    [['doctor', 'x'], 'too many arguments. Expected 0 arguments but got 1.', 'quern doctor --help'],
  ])('%j is a usage error', (args, message, hint) => {
    expect(usage(...args)).toEqual({ message, hint, exitCode: 2 });
  });

  it('shows help and version', () => {
    const shown = parseArguments(findCommand('query') as NonNullable<ReturnType<typeof findCommand>>, ['--version']);
    expect(shown instanceof Shown && shown.text).toBe('quern 0.1.0\n');
    for (const command of COMMANDS) {
      const help = parseArguments(command, ['-h']);
      const start = `Usage: quern ${command.name === 'query' ? '[command]' : command.name} [options]`;
      expect(help instanceof Shown && help.text.startsWith(start), command.name).toBe(true);
    }
  });
});
