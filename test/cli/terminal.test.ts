import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { QUERN } from './run_quern.ts';

/** util-linux; runs a command on a terminal of its own and copies what appears there. */
const SCRIPT = '/usr/bin/script';

/** What a user sees: stdout and stderr together, line ends as the terminal makes them. */
async function seen(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(
    SCRIPT,
    ['-qec', `stty cols 60; ${QUERN} --no-config ${command}`, '/dev/null'],
    {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env },
    },
  );
  return stdout.replaceAll('\r\n', '\n');
}

describe.skipIf(!existsSync(SCRIPT))('on a terminal', () => {
  it('shows a coloured box', async () => {
    expect(await seen('-c "select 1 as a, NULL as b"')).toBe(
      '┌───────┬───────┐\n' +
        '│   \u001b[1ma\u001b[22m   │   \u001b[1mb\u001b[22m   │\n' +
        '│ \u001b[2mint32\u001b[22m │ \u001b[2mint32\u001b[22m │\n' +
        '├───────┼───────┤\n' +
        '│     1 │  \u001b[2mNULL\u001b[22m │\n' +
        '└───────┴───────┘\n',
    );
  });

  it('shows no colour when asked not to', async () => {
    const box = '┌───────┐\n│   a   │\n│ int32 │\n├───────┤\n│     1 │\n└───────┘\n';
    expect(await seen('-c "select 1 as a"', { NO_COLOR: '1' })).toBe(box);
    expect(await seen('-c "select 1 as a" --no-color')).toBe(box);
    expect(await seen('-c "select 1 as a"', { TERM: 'dumb' })).toBe(box);
  });

  it('shows 40 rows and fits the width', async () => {
    const text = await seen('-c "select i, repeat(\'x\', 100) as s from range(1000) t(i)" --no-color');
    const lines = text.split('\n');
    expect(lines).toHaveLength(4 + 20 + 3 + 20 + 1 + 1 + 1);
    expect(lines[3]).toHaveLength(60);
    expect(lines[4]).toBe(`│     0 │ ${'x'.repeat(47)}… │`);
    expect(lines.at(-2)).toBe('1,000 rows (40 shown)  2 columns');
  });

  it('shows progress after two seconds and takes it away again', async () => {
    const sql = 'select sum(i * i % 7) from range(1000000000000) t(i)';
    const text = await seen(`-c "${sql}" --timeout 2500ms --no-color || true`);
    const clear = '\r\u001b[K';
    const drawn = text.split(clear);
    expect(drawn.shift()).toBe('');
    expect(drawn.pop()).toBe('error[timeout]: timed out after 2500ms\n');
    expect(drawn.length).toBeGreaterThan(0);
    for (const line of drawn) expect(line).toMatch(/^running 2\.\d s \(Ctrl-C cancels\)$/);
    expect(await seen(`-c "${sql}" --timeout 2500ms --no-color --progress off || true`)).toBe(
      'error[timeout]: timed out after 2500ms\n',
    );
  });
});
