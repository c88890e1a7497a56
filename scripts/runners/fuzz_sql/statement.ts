import type { Expression } from './expression.ts';
import { renderExpression, size } from './expression.ts';

/** What a statement reads: the table itself, or a derived table over it. */
export type Source =
  | { readonly kind: 'table' }
  | { readonly kind: 'filtered'; readonly where: Expression }
  | { readonly kind: 'limited'; readonly count: number; readonly offset: number }
  | { readonly kind: 'twice' }
  /** each row beside the elements of a list, as columns `e` and `place` */
  | { readonly kind: 'unnest'; readonly list: Expression; readonly outer: boolean };

/** One SELECT over a random table. */
export interface Statement {
  readonly source: Source;
  readonly distinct: boolean;
  /** grouping keys come first in the output */
  readonly keys: readonly Expression[];
  /** how the keys make groups */
  readonly sets: 'one' | 'rollup' | 'cube';
  /** expressions, or aggregate calls when `aggregate` */
  readonly items: readonly Expression[];
  readonly aggregate: boolean;
  readonly where: Expression | undefined;
  readonly having: Expression | undefined;
  /** sorted by these, then by id; only without grouping and DISTINCT */
  readonly orderBy: readonly { readonly by: Expression; readonly suffix: string }[];
  readonly limit: { readonly count: number; readonly offset: number } | undefined;
}

function renderSource(source: Source, table: string): string {
  switch (source.kind) {
    case 'table':
      return table;
    case 'filtered':
      return `(SELECT * FROM ${table} WHERE ${renderExpression(source.where)}) t`;
    case 'limited':
      return `(SELECT * FROM ${table} LIMIT ${source.count} OFFSET ${source.offset}) t`;
    case 'unnest': {
      const join = source.outer ? `${table} t LEFT JOIN` : `${table} t,`;
      const on = source.outer ? ' ON true' : '';
      return `${join} unnest(${renderExpression(source.list)}) WITH ORDINALITY AS u(e, place)${on}`;
    }
    case 'twice':
      return `(SELECT * FROM ${table} UNION ALL SELECT * FROM ${table}) t`;
  }
}

/** SQL text; `from` is the table. */
export function renderStatement(statement: Statement, from: string): string {
  const items = [...statement.keys, ...statement.items].map((e, i) => `${renderExpression(e)} AS c${i}`);
  const parts = [
    `SELECT ${statement.distinct ? 'DISTINCT ' : ''}${items.join(', ')}`,
    `FROM ${renderSource(statement.source, from)}`,
  ];
  if (statement.where !== undefined) parts.push(`WHERE ${renderExpression(statement.where)}`);
  if (statement.keys.length > 0) {
    const keys = statement.keys.map((_, i) => i + 1).join(', ');
    parts.push(`GROUP BY ${statement.sets === 'one' ? keys : `${statement.sets.toUpperCase()} (${keys})`}`);
  }
  if (statement.having !== undefined) parts.push(`HAVING ${renderExpression(statement.having)}`);
  if (statement.orderBy.length > 0) {
    parts.push(`ORDER BY ${statement.orderBy.map((o) => renderExpression(o.by) + o.suffix).join(', ')}, id`);
  }
  if (statement.limit !== undefined) parts.push(`LIMIT ${statement.limit.count} OFFSET ${statement.limit.offset}`);
  return parts.join(' ');
}

/** Whether the order of the rows is part of the answer. */
export function isOrdered(statement: Statement): boolean {
  return !statement.distinct && statement.keys.length === 0 && statement.source.kind !== 'unnest';
}

export function statementSize(statement: Statement): number {
  const sum = (list: readonly Expression[]): number => list.reduce((total, e) => total + size(e), 0);
  const { keys, items, where, having, orderBy, limit, distinct } = statement;
  const rest = [where, having].filter((e) => e !== undefined);
  return (
    sum([...keys, ...items, ...rest, ...orderBy.map((o) => o.by)]) +
    (limit ? 1 : 0) +
    (statement.sets === 'one' ? 0 : 1) +
    (distinct ? 1 : 0) +
    (statement.source.kind === 'table' ? 0 : 1)
  );
}
