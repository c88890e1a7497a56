import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { configFiles, readConfig } from '../../src/cli/config.ts';
import { parseCount, parseDuration, parseSize, sizeText } from '../../src/cli/quantity.ts';
import { findSetting, findSwitch, sessionOptions } from '../../src/cli/settings.ts';

const root = mkdtempSync(join(tmpdir(), 'quern-config-'));
afterAll(() => rmSync(root, { recursive: true }));
const project = join(root, 'project');
const inner = join(project, 'a', 'b');
const home = join(root, 'home');
mkdirSync(inner, { recursive: true });
mkdirSync(join(home, 'quern'), { recursive: true });
const projectFile = join(project, 'quern.toml');
const userFile = join(home, 'quern', 'config.toml');
writeFileSync(
  projectFile,
  '[engine]\nthreads = 3\nmemory_limit = "2GiB"\n[engine.settings]\nlist.offset_limit = 16\n[format]\nheader = false\n' +
    '[tables]\nsales = "data/*.parquet"\nremote = "/abs/x.parquet"\n[bench]\nanything = 1\n',
);
writeFileSync(userFile, '[engine]\nthreads = 9\ntemp_dir = "/scratch"\n[format]\nmode = "json"\n');
const env = { XDG_CONFIG_HOME: home };

async function failure(text: string): Promise<string> {
  const file = join(root, 'bad.toml');
  writeFileSync(file, text);
  return readConfig(file, env, inner).then(
    () => 'no error',
    (error) => `${error.message}${error.hint === undefined ? '' : ` | ${error.hint}`}`.replace(file, 'FILE'),
  );
}

describe('configuration', () => {
  it('finds the nearest project file and the user file', () => {
    expect(configFiles(env, inner)).toEqual([projectFile, userFile]);
  });

  it('lets the project win over the user', async () => {
    expect(await readConfig(undefined, env, inner)).toEqual({
      values: {
        'engine.threads': 3,
        'engine.memory_limit': '2GiB',
        'engine.temp_dir': '/scratch',
        'format.header': false,
        'format.mode': 'json',
      },
      settings: { 'list.offset_limit': '16' },
      tables: { sales: join(project, 'data/*.parquet'), remote: '/abs/x.parquet' },
    });
  });

  it('reads nothing where there is nothing', async () => {
    expect(await readConfig(undefined, { XDG_CONFIG_HOME: join(root, 'none') }, root)).toEqual({
      values: {},
      settings: {},
      tables: {},
    });
  });

  it.each([
    ['[engin]\nthreads = 1', 'configuration: unknown key engin: FILE | did you mean "engine"?'],
    ['[engine]\nthread = 1', 'configuration: unknown key engine.thread: FILE | did you mean "engine.threads"?'],
    ['[engine]\nthreads = "two"', 'configuration: engine.threads is not a number: FILE'],
    ['engine = 1', 'configuration: [engine] is not a section: FILE'],
    ['[tables]\nx = 1', 'configuration: tables.x is not a string: FILE'],
    ['x = ', 'configuration is not TOML: FILE: Invalid TOML document: incomplete key-value: cannot find end of key'],
  ])('%j is refused', async (text, message) => {
    expect((await failure(text)).startsWith(message.split(': Invalid')[0] as string)).toBe(true);
    if (!text.startsWith('x')) expect(await failure(text)).toBe(message);
  });

  it('refuses a file that is named but not there', async () => {
    const file = join(root, 'none.toml');
    await expect(readConfig(file, env, inner)).rejects.toMatchObject({
      code: 'usage',
      message: `cannot read configuration: no such file or directory: ${file}`,
    });
  });
});

describe('settings', () => {
  const config = { values: { 'engine.threads': 3, 'format.header': false }, settings: { a: '1' }, tables: {} };

  it('flag, then environment, then configuration', () => {
    const environment = { QUERN_THREADS: '5' };
    const find = (options: object, e: NodeJS.ProcessEnv) =>
      findSetting({ options: { ...options }, env: e, config }, 'threads', 'engine.threads', 'QUERN_THREADS');
    expect(find({ threads: '7' }, environment)).toEqual({ text: '7', origin: '--threads' });
    expect(find({}, environment)).toEqual({ text: '5', origin: 'QUERN_THREADS' });
    expect(find({}, {})).toEqual({ text: '3', origin: 'engine.threads' });
  });

  it('a switch counts only when it is given', () => {
    expect(findSwitch({ options: {}, env: {}, config }, 'header', 'format.header')).toBe(false);
    expect(findSwitch({ options: { header: true }, env: {}, config }, 'header', 'format.header')).toBe(true);
  });

  it('makes session options', () => {
    const options = { memoryLimit: '1GiB', tempDir: '/t', device: 'cpu', set: ['a=2', 'b=x=y'] };
    expect(sessionOptions({ options, env: {}, config })).toEqual({
      threads: 3,
      memoryLimit: 2 ** 30,
      tempDir: '/t',
      device: 'cpu',
      settings: { a: '2', b: 'x=y' },
    });
  });

  it.each([
    [{ threads: '0' }, '--threads: not a whole number of at least 1: 0'],
    [{ threads: 'two' }, '--threads: not a whole number of at least 1: two'],
    [{ memoryLimit: '12 parsecs' }, '--memory-limit: not a size: 12 parsecs'],
    [{ device: 'tpu' }, '--device: not a device: tpu'],
    [{ set: ['x'] }, '--set: not NAME=VALUE: x'],
  ])('%j is a usage error', (options, message) => {
    expect(() => sessionOptions({ options, env: {}, config })).toThrow(message);
  });
});

describe('quantities', () => {
  it('sizes', () => {
    expect(['512MB', '2GiB', '1.5 kB', '1024', '3k'].map((text) => parseSize(text, 'x'))).toEqual([
      512e6,
      2 ** 31,
      1500,
      1024,
      3000,
    ]);
    expect(parseSize('50%', 'x')).toBeGreaterThan(1e6);
    expect(() => parseSize('-1', '--memory-limit')).toThrow('--memory-limit: not a size: -1');
  });

  it('durations', () => {
    expect(['500ms', '10s', '5m', '1h', '2', '0.5s'].map((text) => parseDuration(text, 'x'))).toEqual([
      500, 10_000, 300_000, 3_600_000, 2000, 500,
    ]);
    expect(parseDuration('1000h', 'x')).toBe(2 ** 31 - 1);
    expect(() => parseDuration('0s', '--timeout')).toThrow('--timeout: not a duration: 0s');
  });

  it('counts', () => {
    expect(parseCount('12', 'x')).toBe(12);
    expect(() => parseCount('1.5', '--max-rows')).toThrow('--max-rows: not a whole number: 1.5');
  });

  it('text of sizes', () => {
    expect([0, 999, 1234, 12_345_678, 5e12].map(sizeText)).toEqual(['0 B', '999 B', '1.23 kB', '12.3 MB', '5.00 TB']);
  });
});
