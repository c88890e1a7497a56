// Bundles the command line: node scripts/bundle-cli.mjs FOLDER. Writes quern.cjs, one core chunk with everything a query needs, and a chunk for each part
// that is loaded when it is first used. Then makes quern.blob, a start-up snapshot of V8's heap with the core loaded and
// the parser built, which bin/quern starts from when the machine is the one it was made on.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** Where the files will lie. */
const DIST = resolve('dist');
/** Where they are written: scripts/build moves them when all are there. */
const FOLDER = resolve(process.argv[2] ?? 'dist');

/** Not bundled: they bring files of their own, or serve development only. */
const EXTERNAL = [/\.node$/, /^@duckdb\//];

/** Loaded on demand: all that a plain query never touches. */
const ON_DEMAND = [
  /src\/(check|bench|gen|reference|cli\/inspect)\//,
  /src\/cli\/commands\/(inspect|doctor|check|bench|gen)\.ts$/,
  /node_modules\/(smol-toml|tinyglobby|fdir|picomatch|apache-arrow|flatbuffers|simple-statistics)\//,
  // string-width makes an Intl.Segmenter when it is loaded: no snapshot can hold that.
  /src\/output\/(display_width|fit_columns|table_text|table_writer|duckbox|box|table|column|line)\.ts$/,
  /node_modules\/(string-width|strip-ansi|ansi-regex|get-east-asian-width|emoji-regex)\//,
];

/** commander loads child_process for executable subcommands, which quern has none of: 8 ms of start-up. */
const withoutChildProcess = {
  name: 'commander-without-child-process',
  transform(code, id) {
    if (!id.includes('/commander/lib/command.js')) return null;
    const without = code.replace("require('node:child_process')", '{}');
    if (without === code) throw new Error('commander no longer requires node:child_process: drop this step');
    return { code: without };
  },
};

const bundle = await rolldown({
  input: { quern: 'src/cli/entry.ts' },
  platform: 'node',
  external: EXTERNAL,
  plugins: [withoutChildProcess],
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({
  dir: FOLDER,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'quern-[name]-[hash].cjs',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: { groups: [{ name: 'core', test: (id) => !ON_DEMAND.some((pattern) => pattern.test(id)) }] },
});
await bundle.close();

/** Chunks that are evaluated at start: the entry and what it imports statically. */
function eagerChunks() {
  const byName = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const eager = [];
  const visit = (name) => {
    const chunk = byName.get(name);
    if (chunk === undefined || eager.includes(name)) return;
    for (const imported of chunk.imports) visit(imported);
    eager.push(name);
  };
  visit('quern.cjs');
  return eager;
}

/**
 * The script whose heap becomes the snapshot. It evaluates the eager chunks by hand, since a snapshot script may require
 * built-in modules only; after the start they stand in Node's module cache, where chunks loaded later find them.
 */
const snapshotScript = `'use strict';
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { startupSnapshot } = require('node:v8');
const folder = ${JSON.stringify(DIST)};
const source = ${JSON.stringify(FOLDER)};
const eager = new Map();
let nodeRequire;
function chunkRequire(id) {
  const name = id.startsWith('./') ? id.slice(2) : undefined;
  if (eager.has(name)) return eager.get(name).exports;
  return nodeRequire === undefined ? require(id) : nodeRequire(id);
}
for (const name of ${JSON.stringify(eagerChunks())}) {
  const path = folder + '/' + name;
  const module = { id: path, path: folder, filename: path, loaded: true, exports: {}, children: [], paths: [] };
  eager.set(name, module);
  new Function('exports', 'require', 'module', '__filename', '__dirname', readFileSync(source + '/' + name, 'utf8') + '\\n//# sourceURL=' + path)
    (module.exports, chunkRequire, module, path, folder);
}
const { main, warmUp } = eager.get('quern.cjs').exports;
startupSnapshot.setDeserializeMainFunction(async () => {
  nodeRequire = createRequire(folder + '/quern.cjs');
  for (const module of eager.values()) nodeRequire.cache[module.filename] = module;
  process.exit(await main(process.argv.slice(2)));
});
warmUp();
`;
writeFileSync(`${FOLDER}/snapshot.cjs`, snapshotScript);
const made = spawnSync(
  process.execPath,
  ['--no-warnings', '--snapshot-blob', `${FOLDER}/quern.blob`, '--build-snapshot', `${FOLDER}/snapshot.cjs`],
  { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
);
if (made.status !== 0) {
  process.stderr.write(
    `build: no start-up snapshot, ${basename(process.execPath)} ends with ${made.status}:\n${made.stderr.slice(-2000)}\n`,
  );
}
