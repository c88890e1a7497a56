import type { Comparison, ReferenceFunction } from './compare.ts';

/** The comparison as text; `all` lists the names that are implemented too. */
export function reportText(comparison: Comparison, all: boolean): string {
  const { implemented, unsupported, missing, contradictions, own } = comparison;
  const reasons = [...new Set(unsupported.map(({ reason }) => reason))];
  return [
    'functions of DuckDB:',
    `  implemented: ${counts(implemented)}`,
    ...(all ? [named(implemented)] : []),
    `  unsupported: ${counts(unsupported)}`,
    ...reasons.flatMap((reason) => {
      const group = unsupported.filter((fn) => fn.reason === reason);
      return [`    ${reason} (${group.length}): ${shortened(group)}`];
    }),
    `  missing: ${counts(missing)}`,
    ...(missing.length > 0 ? [named(missing)] : []),
    ...contradictions.map((name) => `  listed as unsupported, but implemented or unknown to DuckDB: ${name}`),
    `names of quern alone: ${own.length}`,
    ...(all ? [`    ${own.join(' ')}`] : []),
    '',
  ].join('\n');
}

function counts(functions: readonly ReferenceFunction[]): string {
  const scalars = functions.filter(({ kind }) => kind === 'scalar');
  const aliases = scalars.filter(({ alias }) => alias).length;
  const aggregates = functions.length - scalars.length;
  return `${scalars.length - aliases} scalar functions, ${aliases} aliases of them, ${aggregates} aggregates`;
}

const named = (functions: readonly ReferenceFunction[]): string => `    ${functions.map(({ name }) => name).join(' ')}`;

/** Names of one reason that are shown. */
const SHOWN = 12;

function shortened(functions: readonly ReferenceFunction[]): string {
  const names = functions.map(({ name }) => name);
  return names.length > SHOWN ? `${names.slice(0, SHOWN).join(' ')} …` : names.join(' ');
}
