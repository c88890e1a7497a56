import type { Expression } from './expression.ts';
import { leaf, renderExpression } from './expression.ts';
import type { Statement } from './statement.ts';
import { statementSize } from './statement.ts';

/** Constants that stand in for a whole subtree. */
const CONSTANTS: Readonly<Record<Expression['kind'], readonly string[]>> = {
  query: [],
  relation: [],
  clause: [''],
  bool: ['true'],
  int: ['1'],
  bigint: ['1::BIGINT'],
  float: ['1::FLOAT'],
  double: ['1::DOUBLE'],
  decimal: ['1.0'],
  string: ["'a'"],
  date: ["DATE '2000-01-01'"],
  timestamp: ["TIMESTAMP '2000-01-01 00:00:00'"],
  int_list: ['[1]'],
  string_list: ["['a']"],
  float_list: ['[1::FLOAT]'],
  nested_list: ['[[1]]'],
};
const MAX_TRIES = 400;

/** Makes a statement as small as it goes while `fails` stays true; the first success of a round starts the next one. */
export async function shrink<S>(
  statement: S,
  cuts: (s: S) => readonly S[],
  fails: (s: S) => Promise<boolean>,
): Promise<S> {
  let best = statement;
  let tries = 0;
  for (let progress = true; progress && tries < MAX_TRIES; ) {
    progress = false;
    for (const candidate of cuts(best)) {
      if (tries++ >= MAX_TRIES) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      progress = true;
      break;
    }
  }
  return best;
}

/** Statements that lack something, the boldest cuts first. */
export function smaller(statement: Statement): Statement[] {
  const candidates: Statement[] = [];
  const { items, keys, where, having, orderBy, limit, distinct } = statement;
  if (statement.source.kind !== 'table') candidates.push({ ...statement, source: { kind: 'table' } });
  if (where !== undefined) candidates.push({ ...statement, where: undefined });
  if (having !== undefined) candidates.push({ ...statement, having: undefined });
  if (limit !== undefined) candidates.push({ ...statement, limit: undefined });
  if (distinct) candidates.push({ ...statement, distinct: false });
  if (items.length > 1) for (const list of without(items)) candidates.push({ ...statement, items: list });
  if (statement.sets !== 'one') candidates.push({ ...statement, sets: 'one' });
  for (const list of without(keys)) candidates.push({ ...statement, keys: list, having: undefined });
  for (const list of without(orderBy)) candidates.push({ ...statement, orderBy: list });
  for (const list of replaced(items, smallerExpressions)) candidates.push({ ...statement, items: list });
  for (const list of replaced(keys, smallerExpressions)) candidates.push({ ...statement, keys: list });
  if (where !== undefined) for (const e of smallerExpressions(where)) candidates.push({ ...statement, where: e });
  for (const list of replaced(orderBy, (o) =>
    smallerExpressions(o.by)
      .filter(isNoOrdinal)
      .map((by) => ({ ...o, by })),
  )) {
    candidates.push({ ...statement, orderBy: list });
  }
  const limitSize = statementSize(statement);
  return candidates.filter((candidate) => statementSize(candidate) < limitSize);
}

/** An integer constant in ORDER BY names a column of the output. */
function isNoOrdinal(expression: Expression): boolean {
  return !/^[\s(-]*\d/.test(renderExpression(expression));
}

function without<T>(list: readonly T[]): T[][] {
  return list.map((_, i) => list.filter((__, j) => j !== i));
}

function replaced<T>(list: readonly T[], variants: (item: T) => readonly T[]): T[][] {
  return list.flatMap((item, i) =>
    variants(item).map((variant) => list.map((other, j) => (j === i ? variant : other))),
  );
}

/** Smaller expressions of the same kind: a part of it, a constant, or the same with a smaller argument. */
export function smallerExpressions(expression: Expression): Expression[] {
  const parts = descendants(expression).filter((part) => part.kind === expression.kind);
  const aggregate =
    /^(count|sum|avg|min|max|bool_|bit_|stddev|var_|median|quantile|unnest|string_agg|list\(|first|last|any_|arg_)/;
  const isAggregate = aggregate.test(expression.pieces[0] ?? '');
  const constants =
    expression.args.length === 0 && expression.kind !== 'clause'
      ? []
      : CONSTANTS[expression.kind].map((text) => leaf(expression.kind, text));
  const inside = expression.args.flatMap((arg, i) =>
    smallerExpressions(arg).map((smallerArg) => ({
      ...expression,
      args: expression.args.map((other, j) => (j === i ? smallerArg : other)),
    })),
  );
  return isAggregate ? inside : [...parts, ...constants, ...inside];
}

function descendants(expression: Expression): Expression[] {
  return expression.args.flatMap((arg) => [arg, ...descendants(arg)]);
}
