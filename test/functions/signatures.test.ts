import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signatureText } from '../../scripts/gen-functions.mjs';
import { FUNCTION_ROWS, functionNames, MACRO_ROWS } from '../../src/functions/index.ts';
import { SIGNATURES } from '../../src/functions/signatures.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('function table', () => {
  test('signatures.ts is what functions.def says', () => {
    const written = signatureText(read('../../native/src/plan/functions.def'));
    const rows = (text: string): string[] =>
      text.match(/row\([^;]*?(?:true|false),?\s*\)/g)?.map((r) => r.replace(/\s+/g, '')) ?? [];
    expect(rows(read('../../src/functions/signatures.ts')).map((r) => r.replace(',)', ')'))).toEqual(
      rows(written).map((r) => r.replace(',)', ')')),
    );
  });

  test('every row of functions.def has SQL names, documentation and an example', () => {
    const known = new Set(FUNCTION_ROWS.flatMap((row) => row.targets.map((target) => `${row.kind}:${target}`)));
    const missing = SIGNATURES.filter((signature) => !known.has(`${signature.kind}:${signature.name}`));
    expect(missing.map((signature) => signature.name)).toEqual([]);
    for (const row of [...FUNCTION_ROWS, ...MACRO_ROWS]) {
      expect(row.doc, row.names[0]).toMatch(/\.$/);
      expect(row.example, row.names[0]).not.toBe('');
    }
  });

  test('every SQL function ends in rows that exist', () => {
    const known = new Set(SIGNATURES.map((signature) => `${signature.kind}:${signature.name}`));
    const dangling = FUNCTION_ROWS.flatMap((row) =>
      row.targets.filter((target) => !known.has(`${row.kind}:${target}`)),
    );
    expect(dangling).toEqual([]);
  });

  test('a name means one function', () => {
    const names = functionNames();
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
  });
});
