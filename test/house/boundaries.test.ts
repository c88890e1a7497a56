import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Rooms of src and whom each may import (docs/architecture.md). A room always may import itself and common. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  common: [],
  sql: [],
  functions: [],
  operators: [],
  engine: ['operators'],
  catalog: ['engine'],
  planner: ['sql', 'catalog', 'functions', 'operators'],
  session: ['sql', 'engine', 'catalog', 'functions', 'planner', 'operators'],
  output: [],
  reference: ['session', 'output'],
  check: ['session', 'output', 'reference'],
  bench: ['session', 'output', 'reference'],
  gen: ['session', 'output'],
  cli: [
    'sql',
    'engine',
    'catalog',
    'functions',
    'operators',
    'planner',
    'session',
    'output',
    'reference',
    'check',
    'bench',
    'gen',
  ],
};

/** npm packages that belong to one room, or two. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  chevrotain: ['sql'],
  commander: ['cli'],
  'apache-arrow': [],
  flatbuffers: ['output'],
  'parquet-wasm': [],
  '@duckdb/node-api': ['reference'],
  tinyglobby: ['catalog', 'check', 'cli'],
  'smol-toml': ['bench', 'cli'],
};

/** Folders of native/src and which other folders each may include. A folder always may include itself and common. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  common: [],
  ops: [],
  context: [],
  columnar: ['context', 'ops'],
  parquet: ['context', 'columnar', 'ops'],
  arrow: ['context', 'columnar', 'ops'],
  plan: ['context', 'columnar', 'ops'],
  cpu: ['context', 'columnar', 'ops', 'plan', 'parquet', 'arrow'],
  jit: ['context', 'columnar', 'ops', 'plan'],
  cuda: ['context', 'columnar', 'ops', 'plan', 'parquet', 'jit'],
  exec: ['context', 'columnar', 'ops', 'plan', 'parquet', 'arrow', 'cpu', 'jit', 'cuda'],
  addon: ['context', 'columnar', 'ops', 'plan', 'parquet', 'arrow', 'cpu', 'exec'],
};
/** cpu and exec share one contract each way: pipelines are defined by exec, operators implement them. */
const SHARED_HEADERS = new Set(['exec/pipeline.hpp']);

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...found].map((match) => match[1] ?? '');
}

function includesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^\s*#\s*include\s+[<"]([^>"]+)[>"]/gm)].map((match) => match[1] ?? '');
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}

describe('imports of src', () => {
  const files = filesBelow('src', /\.ts$/);

  test('every file is in a known room', () => {
    const strangers = files.map((file) => relative('src', file)).filter((file) => !(roomOf(file) in ROOMS));
    expect(strangers).toEqual([]);
  });

  test('a room imports only the rooms it may', () => {
    const breaches: string[] = [];
    for (const file of files) {
      const room = roomOf(relative('src', file));
      for (const path of importsOf(file)) {
        if (!path.startsWith('.')) continue;
        const target = roomOf(relative('src', join(file, '..', path)));
        if (target === room || target === 'common' || ROOMS[room]?.includes(target)) continue;
        breaches.push(`${file} imports ${path}`);
      }
    }
    expect(breaches).toEqual([]);
  });

  test('a package is imported only in its room', () => {
    const breaches: string[] = [];
    for (const file of files) {
      const room = roomOf(relative('src', file));
      for (const path of importsOf(file)) {
        const owner = Object.keys(PACKAGES).find((name) => path === name || path.startsWith(`${name}/`));
        if (owner !== undefined && !PACKAGES[owner]?.includes(room)) breaches.push(`${file} imports ${path}`);
      }
    }
    expect(breaches).toEqual([]);
  });

  test('only engine loads the addon', () => {
    const breaches = files.filter(
      (file) => !file.startsWith('src/engine/') && /quern\.node/.test(readFileSync(file, 'utf8')),
    );
    expect(breaches).toEqual([]);
  });
});

describe('includes of native/src', () => {
  const files = filesBelow('native/src', /\.(hpp|cpp|cu|cuh)$/);

  test('every file is in a known folder', () => {
    const strangers = files.map((file) => relative('native/src', file)).filter((file) => !(roomOf(file) in FOLDERS));
    expect(strangers).toEqual([]);
  });

  test('a folder includes only the folders it may', () => {
    const breaches: string[] = [];
    for (const file of files) {
      const folder = roomOf(relative('native/src', file));
      for (const path of includesOf(file)) {
        const target = roomOf(path);
        if (!(target in FOLDERS) || target === folder || SHARED_HEADERS.has(path)) continue;
        if ((target === 'common' && folder !== 'ops') || FOLDERS[folder]?.includes(target)) continue;
        breaches.push(`${file} includes ${path}`);
      }
    }
    expect(breaches).toEqual([]);
  });

  test('exec and addon see no CUDA type', () => {
    const outside = files.filter((file) => /^native\/src\/(exec|addon)\//.test(file));
    const breaches = outside.filter((file) =>
      includesOf(file).some((path) => path.startsWith('cuda') && path !== 'cuda/interface.hpp'),
    );
    expect(breaches).toEqual([]);
    expect(includesOf('native/src/cuda/interface.hpp').filter((path) => /cuda/.test(path))).toEqual([
      'cuda/encoded.hpp',
    ]);
    expect(includesOf('native/src/cuda/encoded.hpp').filter((path) => /cuda/.test(path))).toEqual([]);
  });

  test('only addon includes napi.h', () => {
    const breaches = files.filter(
      (file) => !file.startsWith('native/src/addon/') && includesOf(file).includes('napi.h'),
    );
    expect(breaches).toEqual([]);
  });

  test('native code neither prints nor ends the process', () => {
    const forbidden = /\b(std::cout|std::cerr|printf\s*\(|fprintf|std::abort|std::exit|std::terminate|assert\s*\()/;
    const breaches: string[] = [];
    for (const file of files) {
      readFileSync(file, 'utf8')
        .split('\n')
        .forEach((line, index) => {
          const code = line.replace(/\/\/.*$/, '');
          if (forbidden.test(code.replaceAll('static_assert(', '').replaceAll('snprintf', ''))) {
            breaches.push(`${file}:${index + 1}: ${line.trim()}`);
          }
        });
    }
    expect(breaches).toEqual([]);
  });
});
