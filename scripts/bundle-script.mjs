// Bundles one TypeScript entry into dist/<name>.mjs, so that plain Node runs it: node scripts/bundle-script.mjs ENTRY NAME
// It lies beside dist/quern.mjs because the addon is looked up from there. npm packages stay outside.
import { rolldown } from 'rolldown';

const [entry, name] = process.argv.slice(2);
if (entry === undefined || name === undefined) {
  console.error('usage: node scripts/bundle-script.mjs ENTRY NAME');
  process.exit(2);
}
const bundle = await rolldown({
  input: entry,
  platform: 'node',
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('src/') && !id.startsWith('scripts/'),
});
await bundle.write({ file: `dist/${name}.mjs`, format: 'esm', sourcemap: 'inline', codeSplitting: false });
await bundle.close();
