import { join } from 'node:path';
import type { Random } from '../random.ts';
import type { Expression } from './expression.ts';
import type { Form, TableStep } from './form.ts';
import { generateStatement } from './generate_statement.ts';
import { rewrite } from './rewrite.ts';
import { smaller } from './shrink.ts';
import type { Statement } from './statement.ts';
import { isOrdered, renderStatement } from './statement.ts';
import { tableStatements } from './table.ts';

/** DuckDB writes the file; every second one is written again by quern, with a column of FLOAT16 lists. */
function tableSteps(random: Random, folder: string): TableStep[] {
  const halves = random.chance(0.5);
  const first = halves ? join(folder, 'base.parquet') : file(folder);
  const steps: TableStep[] = tableStatements(random, first).map((sql) => ({ engine: 'duckdb', sql }));
  if (!halves) return steps;
  const select = `SELECT * REPLACE (h::FLOAT16[] AS h) FROM '${first}'`;
  return [...steps, { engine: 'quern', sql: `COPY (${select}) TO '${file(folder)}' (FORMAT parquet)` }];
}

const file = (folder: string): string => join(folder, 't.parquet');

/** Statements over one table of many types. */
export const TABLE_FORM: Form<Statement> = {
  tables: tableSteps,
  generate: generateStatement,
  render: (statement, folder) => renderStatement(statement, `'${file(folder)}'`),
  options: (statement) => ({
    ordered: isOrdered(statement),
    signlessColumns: statement.distinct ? statement.items.length : statement.keys.length,
  }),
  rewrite: async (statement, isConstantNull) => {
    const rules = new Set<string>();
    const one = async (expression: Expression): Promise<Expression> => {
      const result = await rewrite(expression, isConstantNull);
      for (const rule of result.rules) rules.add(rule);
      return result.expression;
    };
    const all = async (list: readonly Expression[]): Promise<Expression[]> => {
      const results: Expression[] = [];
      for (const expression of list) results.push(await one(expression));
      return results;
    };
    const { source, keys, items, where, having, orderBy } = statement;
    const rewritten: Statement = {
      ...statement,
      source: source.kind === 'filtered' ? { ...source, where: await one(source.where) } : source,
      keys: await all(keys),
      items: await all(items),
      where: where && (await one(where)),
      having: having && (await one(having)),
      orderBy: await Promise.all(orderBy.map(async (key) => ({ ...key, by: await one(key.by) }))),
    };
    return { statement: rewritten, rules };
  },
  smaller,
};
