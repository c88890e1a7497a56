import type { DuckDbModule } from '../../../src/reference/duckdb_module.ts';
import { SPELLED, UNSUPPORTED, UNSUPPORTED_FAMILIES } from './unsupported.ts';

/** A function of DuckDB; macros count as scalar functions. */
export interface ReferenceFunction {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate';
  readonly alias: boolean;
}

export interface Comparison {
  readonly implemented: readonly ReferenceFunction[];
  readonly unsupported: readonly (ReferenceFunction & { readonly reason: string })[];
  /** neither implemented nor listed */
  readonly missing: readonly ReferenceFunction[];
  /** listed as unsupported although there is such a function, or not a function of DuckDB at all */
  readonly contradictions: readonly string[];
  /** names of quern that DuckDB has not */
  readonly own: readonly string[];
}

/** Every scalar function, aggregate and scalar macro of DuckDB, each name once. */
export async function referenceFunctions({ DuckDBInstance }: DuckDbModule): Promise<ReferenceFunction[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const reader = await connection.runAndReadAll(`
    SELECT lower(function_name) AS name, bool_or(function_type = 'aggregate') AS aggregate,
           bool_and(alias_of IS NOT NULL) AS alias
    FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')
    GROUP BY 1 ORDER BY 1`);
  return reader.getRows().map(([name, aggregate, alias]) => ({
    name: String(name),
    kind: aggregate === true ? 'aggregate' : 'scalar',
    alias: alias === true,
  }));
}

export function compareFunctions(reference: readonly ReferenceFunction[], known: ReadonlySet<string>): Comparison {
  const has = (name: string): boolean => known.has(SPELLED[name] ?? name);
  const rest = reference.filter(({ name }) => !has(name));
  const names = new Set(reference.map(({ name }) => name));
  const listed = UNSUPPORTED.flatMap((group) => group.names);
  return {
    implemented: reference.filter(({ name }) => has(name)),
    unsupported: rest.flatMap((fn) => {
      const reason = reasonOf(fn.name);
      return reason === undefined ? [] : [{ ...fn, reason }];
    }),
    missing: rest.filter(({ name }) => reasonOf(name) === undefined),
    contradictions: listed.filter((name) => has(name) || !names.has(name)),
    own: [...known].filter((name) => !names.has(name)).sort(),
  };
}

function reasonOf(name: string): string | undefined {
  return (
    UNSUPPORTED.find((group) => group.names.includes(name))?.reason ??
    UNSUPPORTED_FAMILIES.find((family) => family.pattern.test(name))?.reason
  );
}

/** Whether the list of unsupported functions has to be changed, or a function to be written. */
export const failed = ({ missing, contradictions }: Comparison): boolean =>
  missing.length > 0 || contradictions.length > 0;
