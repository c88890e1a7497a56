import type { SourceSpan } from '../../common/source_span.ts';
import type { Expression } from './expression.ts';
import type { Node, QualifiedName } from './node.ts';
import type { Query } from './query.ts';
import type { TypeName } from './type_name.ts';

export type UnaryOperator = '-' | '+' | '~' | '@' | 'not';

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'is_distinct_from' | 'is_not_distinct_from';

/**
 * `!=` is folded into `<>`, `==` into `=`. `^` and `**` are both power. `~` and `!~` are regular expression full
 * matches, `^@` starts with, `@>` and `<@` contains, `&&` overlaps, `->` and `->>` JSON access (a lambda has its own node).
 */
export type BinaryOperator =
  | ComparisonOperator
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '^'
  | '**'
  | '||'
  | '&'
  | '|'
  | '<<'
  | '>>'
  | '<->'
  | '<=>'
  | '<#>'
  | '<+>'
  | '~'
  | '!~'
  | '~*'
  | '!~*'
  | '^@'
  | '@>'
  | '<@'
  | '&&'
  | '->'
  | '->>';

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  /** of the operator itself, for error messages */
  readonly operatorSpan: SourceSpan;
}

/** `a AND b AND c`, `(a AND b) AND c`: two operands or more, none of them a `logical` of the same operator. */
export interface Logical extends Node {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
}

/** `IS [NOT] NULL`, `ISNULL`, `NOTNULL`, `IS [NOT] UNKNOWN`. */
export interface IsNull extends Node {
  readonly kind: 'is_null';
  readonly operand: Expression;
  readonly negated: boolean;
}

/** `IS [NOT] TRUE`, `IS [NOT] FALSE`. */
export interface IsBoolean extends Node {
  readonly kind: 'is_boolean';
  readonly operand: Expression;
  readonly value: boolean;
  readonly negated: boolean;
}

export interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
}

/** `x IN (1, 2)`. `x IN list` without parentheses is the call `contains(list, x)`. */
export interface InList extends Node {
  readonly kind: 'in_list';
  readonly operand: Expression;
  readonly items: readonly Expression[];
  readonly negated: boolean;
}

export interface InSubquery extends Node {
  readonly kind: 'in_subquery';
  readonly operand: Expression;
  readonly query: Query;
  readonly negated: boolean;
}

/** `LIKE` / `~~`, `ILIKE` / `~~*`, `GLOB` / `~~~`, `SIMILAR TO`. */
export interface Like extends Node {
  readonly kind: 'like';
  readonly operator: 'like' | 'ilike' | 'glob' | 'similar_to';
  readonly operand: Expression;
  readonly pattern: Expression;
  readonly escape: Expression | null;
  readonly negated: boolean;
}

/** `CASE x WHEN …` (operand set) and `CASE WHEN …`. */
export interface Case extends Node {
  readonly kind: 'case';
  readonly operand: Expression | null;
  readonly branches: readonly CaseBranch[];
  readonly otherwise: Expression | null;
}

export interface CaseBranch extends Node {
  readonly kind: 'case_branch';
  readonly condition: Expression;
  readonly result: Expression;
}

/** `CAST(x AS T)`, `TRY_CAST(x AS T)`, `x::T` and the typed literal `T 'text'` (DATE '2000-01-01'). */
export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expression;
  readonly type: TypeName;
  readonly try: boolean;
}

/** `x COLLATE c`. */
export interface Collate extends Node {
  readonly kind: 'collate';
  readonly operand: Expression;
  readonly collation: QualifiedName;
}
