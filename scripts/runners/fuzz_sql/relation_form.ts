import { join } from 'node:path';
import type { Expression } from './expression.ts';
import { renderExpression, size } from './expression.ts';
import type { Form } from './form.ts';
import { QueryGenerator } from './generate_query.ts';
import { LARGE_TABLE, largeTableSql, relationTableSql } from './relation_tables.ts';
import { rewrite } from './rewrite.ts';
import { smallerExpressions } from './shrink.ts';

const file = (folder: string, table: string): string => join(folder, `${table}.parquet`);

/** Joins, subqueries, set operations and grouping sets over several small tables. */
export const RELATION_FORM: Form<Expression> = {
  tables: (random, folder) =>
    [
      ...relationTableSql(random, (table) => file(folder, table)),
      largeTableSql(random, file(folder, LARGE_TABLE.name)),
    ].map((sql) => ({ engine: 'duckdb', sql })),
  generate: (random) => new QueryGenerator(random).statement(),
  render: (query, folder) =>
    renderExpression(query).replace(/\{([abce])\}/g, (_, table: string) => `'${file(folder, table)}'`),
  options: () => ({ ordered: false, signlessColumns: 0 }),
  rewrite: async (query, isConstantNull) => {
    const { expression, rules } = await rewrite(query, isConstantNull);
    return { statement: expression, rules: new Set(rules) };
  },
  smaller: (query) => {
    const most = size(query);
    return smallerExpressions(query).filter((candidate) => size(candidate) < most);
  },
};
