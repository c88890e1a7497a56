/**
 * Limits that keep every recursion over a tree within a default Node stack (984 KiB), with room for the callers.
 * DuckDB's limit for expressions is 1,000 as well.
 */

/** Levels of expressions and brackets, counted through subqueries. */
export const MAX_DEPTH = 1000;

/** Levels of queries inside queries. */
export const MAX_QUERY_DEPTH = 64;
