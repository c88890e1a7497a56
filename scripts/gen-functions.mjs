// Writes src/functions/signatures.ts from native/src/plan/functions.def: node scripts/gen-functions.mjs
// A test compares the two, so that the planner never knows another function table than the engine.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Rows of the function table as text: one array a row. */
export function signatureText(definition) {
  const rows = [];
  const pattern = /^(FUNCTION|AGGREGATE)\((\w+), "([^"]*)", "([^"]*)", "([^"]*)"(?:, (\w+), (\w+))?\)/gm;
  for (const [, kind, name, over, args, result, , fallible] of definition.matchAll(pattern)) {
    const words = (text) =>
      JSON.stringify(text === '' ? [] : text.split(/\s+/))
        .replaceAll('"', "'")
        .replaceAll(',', ', ');
    const flags = kind === 'AGGREGATE' ? "'aggregate', false" : `'scalar', ${fallible === 'fallible'}`;
    rows.push(`  row('${name}', ${words(over)}, ${words(args)}, '${result}', ${flags}),`);
  }
  return `// Written by scripts/gen-functions.mjs from native/src/plan/functions.def, which says what the words mean.
import type { Signature } from './signature.ts';
import { row } from './signature.ts';

export const SIGNATURES: readonly Signature[] = [
${rows.join('\n')}
];
`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const definition = readFileSync(new URL('../native/src/plan/functions.def', import.meta.url), 'utf8');
  const target = fileURLToPath(new URL('../src/functions/signatures.ts', import.meta.url));
  writeFileSync(target, signatureText(definition));
  const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  const { status } = spawnSync(process.execPath, [biome, 'format', '--write', target], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
