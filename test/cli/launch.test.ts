import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { QUERN } from './run_quern.ts';

const root = mkdtempSync(join(tmpdir(), 'quern-launch-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'sub'));
symlinkSync(QUERN, join(root, 'absolute'));
symlinkSync('../absolute', join(root, 'sub', 'relative'));

const run = (command: string, args: readonly string[], options: ExecFileSyncOptions = {}): string =>
  execFileSync(command, [...args, '--no-config', '-c', "select 'x''y' as a"], {
    encoding: 'utf8',
    ...options,
  }) as string;

describe('bin/quern starts', () => {
  const expected = "a\nx'y\n";

  it('from the shell, through symbolic links and from the PATH', () => {
    expect(run(QUERN, [])).toBe(expected);
    expect(run(join(root, 'absolute'), [])).toBe(expected);
    expect(run('./relative', [], { cwd: join(root, 'sub') })).toBe(expected);
    expect(run('absolute', [], { env: { ...process.env, PATH: `${root}:${process.env.PATH}` } })).toBe(expected);
  });

  it('as a module, and with options of Node that no snapshot fits', () => {
    expect(run(process.execPath, [QUERN])).toBe(expected);
    expect(run(QUERN, [], { env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=200' } })).toBe(expected);
  });

  it('says that node is missing', () => {
    const start = (): string => run('/bin/sh', [QUERN], { env: { PATH: '/nonexistent' }, stdio: 'pipe' });
    expect(start).toThrow('quern: node is not on the PATH (Node 20 or newer)');
  });
});
