/**
 * Limits that keep every recursion over a tree well within a default Node stack (984 KiB): the parser itself needs up
 * to 1 KiB a level, later stages may need as much. DuckDB stops at 1,000 levels of expressions.
 */

/** Levels of expressions and brackets, counted through subqueries. */
export const MAX_DEPTH = 500;

/** Levels of queries inside queries. */
export const MAX_QUERY_DEPTH = 64;
