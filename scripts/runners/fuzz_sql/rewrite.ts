import type { Expression } from './expression.ts';
import { build, mapExpression, renderExpression } from './expression.ts';

/** Names of the rewritings. docs/differences.md explains each. */
export const REWRITINGS = ['decimal-to-float', 'remainder-of-least', 'float-vectors', 'constant-null'] as const;

/** Whether DuckDB computes NULL for an expression without columns. */
export type IsConstantNull = (sql: string) => Promise<boolean>;

/** An expression for DuckDB that says what docs/differences.md promises of quern, and the rules that made it so. */
export interface Rewritten {
  readonly expression: Expression;
  readonly rules: ReadonlySet<string>;
}

/**
 * What DuckDB has to compute so that its rows are quern's. A rewriting is stricter than a rule about results: all types
 * and values of the rewritten statement must agree.
 */
export async function rewrite(expression: Expression, isConstantNull: IsConstantNull): Promise<Rewritten> {
  const rules = new Set<string>();
  const changed = mapExpression(expression, (e) => {
    const other = exactFloat(e) ?? remainderOfLeast(e) ?? exactVector(e);
    if (other !== undefined) rules.add(other.rule);
    return other?.expression ?? e;
  });
  return { expression: await unfoldNulls(changed, isConstantNull, rules), rules };
}

interface Change {
  readonly rule: (typeof REWRITINGS)[number];
  readonly expression: Expression;
}

/** quern rounds a decimal once; DuckDB divides two rounded floats, but reads a text rightly. */
function exactFloat(e: Expression): Change | undefined {
  if (e.pieces.join('@') !== '@::FLOAT' || e.args[0]?.kind !== 'decimal') return undefined;
  return { rule: 'decimal-to-float', expression: build(e.kind, '@::VARCHAR::FLOAT', e.args[0]) };
}

/** The least integer has no remainder by -1 in DuckDB. */
function remainderOfLeast(e: Expression): Change | undefined {
  const [left, right] = e.args;
  if (e.pieces.join('@') !== '(@ % @)' || left === undefined || right === undefined) return undefined;
  const guarded = build(e.kind, '(CASE WHEN @ = -1 THEN 0 * @ ELSE @ % @ END)', right, left, left, right);
  return { rule: 'remainder-of-least', expression: guarded };
}

/** DuckDB refuses NULL elements of any row of the column, so it gets none. */
const DENSE = 'list_filter(@::DOUBLE[], x -> x IS NOT NULL)';

/** Functions of two vectors run in DOUBLE; a NULL element, and beside an angle a zero vector, gives NULL. */
function exactVector(e: Expression): Change | undefined {
  const [left, right] = e.args;
  const call = e.pieces.join('@');
  if (
    !/^(list_(distance|inner|dot|negative|cosine)|\(@ <(-|=)> @)/.test(call) ||
    left === undefined ||
    right === undefined
  ) {
    return undefined;
  }
  const hole = 'len(@) <> list_count(@)';
  const zero = 'list_bool_and(list_transform(@, x -> x = 0))';
  const angle = /cosine|<=>/.test(call);
  const template = `(CASE WHEN len(@) = len(@) AND (${[hole, hole, ...(angle ? [zero, zero] : [])].join(' OR ')}) THEN NULL ELSE ${call.replaceAll('@', DENSE)} END)`;
  const zeros = angle ? [left, right] : [];
  return {
    rule: 'float-vectors',
    expression: build(e.kind, template, left, right, left, left, right, right, ...zeros, left, right),
  };
}

/**
 * DuckDB gives an operation over a constant that turns out NULL the type of NULL, and drops the errors of its other
 * operands. A constant that hangs on random() is not seen as one.
 */
async function unfoldNulls(e: Expression, isConstantNull: IsConstantNull, rules: Set<string>): Promise<Expression> {
  const args: Expression[] = [];
  for (const arg of e.args) {
    const inner = await unfoldNulls(arg, isConstantNull, rules);
    const text = renderExpression(inner);
    if (/random\(\)|\bSELECT\b/.test(text) || !(await isConstantNull(text))) args.push(inner);
    else {
      rules.add('constant-null');
      args.push(build(arg.kind, '(CASE WHEN random() < 2 THEN @ END)', inner));
    }
  }
  return { ...e, args };
}
