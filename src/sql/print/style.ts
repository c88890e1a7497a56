/**
 * How a tree becomes text.
 * - sql: canonical SQL of this dialect; parsing it gives the same tree again.
 * - name: what DuckDB calls an output column without an alias; may not be SQL.
 */
export type Style = 'sql' | 'name';

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Non-empty parts separated by blanks. */
export function words(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
