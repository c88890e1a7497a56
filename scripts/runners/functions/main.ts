import { functionNames } from '../../../src/functions/index.ts';
import { FORM_NAMES } from '../../../src/planner/bind/call.ts';
import { loadDuckDb } from '../../../src/reference/duckdb_module.ts';
import { compareFunctions, failed, referenceFunctions } from './compare.ts';
import { reportText } from './report.ts';

const known = new Set([...functionNames(), ...FORM_NAMES]);
const comparison = compareFunctions(await referenceFunctions(await loadDuckDb()), known);
process.stdout.write(reportText(comparison, process.argv.includes('--all')));
// The threads of the reference would keep the process alive.
process.exit(failed(comparison) ? 1 : 0);
