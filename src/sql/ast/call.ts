import type { Expression } from './expression.ts';
import type { Identifier, Node, QualifiedName } from './node.ts';
import type { SortItem } from './query.ts';

/**
 * A scalar, aggregate, window or set-returning function. Special syntax becomes a plain call:
 * `extract(f FROM x)` → date_part('f', x); `substring(x FROM a FOR b)` → substring(x, a, b);
 * `position(a IN b)` → position(b, a); `trim(BOTH c FROM x)` → trim(x, c), LEADING ltrim, TRAILING rtrim;
 * `x AT TIME ZONE z` → timezone(z, x); `CURRENT_DATE` → current_date(); `x.f(a)` on an expression → f(x, a).
 * `count(*)` has one unnamed `star` argument.
 */
export interface FunctionCall extends Node {
  readonly kind: 'function_call';
  /** `a.b.f(x)` may also be a method call on column a.b; the binder decides */
  readonly name: QualifiedName;
  readonly arguments: readonly Argument[];
  readonly distinct: boolean;
  /** ORDER BY inside the parentheses, or of WITHIN GROUP */
  readonly orderBy: readonly SortItem[];
  readonly withinGroup: boolean;
  readonly nulls: 'ignore' | 'respect' | null;
  readonly filter: Expression | null;
  readonly over: Window | null;
}

/** `f(x)`, `f(name := x)`, `f(name = x)` in table functions, `f(name => x)`. */
export interface Argument extends Node {
  readonly kind: 'argument';
  readonly name: Identifier | null;
  readonly value: Expression;
}

/** `OVER w` (only base set), `OVER (w PARTITION BY … ORDER BY … frame)`, or the right side of WINDOW w AS (…). */
export interface Window extends Node {
  readonly kind: 'window';
  readonly base: Identifier | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly SortItem[];
  readonly frame: WindowFrame | null;
}

export interface WindowFrame extends Node {
  readonly kind: 'window_frame';
  readonly unit: 'rows' | 'range' | 'groups';
  readonly start: FrameBound;
  /** CURRENT ROW when the text has only a start */
  readonly end: FrameBound;
  readonly exclude: 'no_others' | 'current_row' | 'group' | 'ties';
}

export interface FrameBound extends Node {
  readonly kind: 'frame_bound';
  readonly bound: 'unbounded_preceding' | 'preceding' | 'current_row' | 'following' | 'unbounded_following';
  /** of `n PRECEDING`, `n FOLLOWING`; else null */
  readonly offset: Expression | null;
}

/** `x -> e`, `(x, i) -> e`, `lambda x, i: e`. */
export interface Lambda extends Node {
  readonly kind: 'lambda';
  readonly parameters: readonly Identifier[];
  readonly body: Expression;
}
