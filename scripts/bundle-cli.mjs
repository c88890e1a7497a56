// Bundles the command line into dist/: quern.mjs and one chunk for each part that is loaded when it is first used.
import { rolldown } from 'rolldown';

/** Not bundled: they bring files of their own, or serve development only. */
const EXTERNAL = [/\.node$/, /^@duckdb\//, 'parquet-wasm'];

/** commander loads child_process for executable subcommands, which quern has none of: 8 ms of start-up. */
const withoutChildProcess = {
  name: 'commander-without-child-process',
  transform(code, id) {
    if (!id.includes('/commander/lib/command.js')) return null;
    const lazy = code.replace("require('node:child_process')", '{}');
    if (lazy === code) throw new Error('commander no longer requires node:child_process: drop this step');
    return { code: lazy };
  },
};

const bundle = await rolldown({
  input: { quern: 'src/cli/main.ts' },
  platform: 'node',
  external: EXTERNAL,
  plugins: [withoutChildProcess],
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: 'quern-[name]-[hash].mjs',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
