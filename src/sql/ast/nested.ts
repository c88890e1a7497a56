import type { Expression } from './expression.ts';
import type { Identifier, Node } from './node.ts';
import type { ComparisonOperator } from './operator.ts';
import type { Query } from './query.ts';

export interface ScalarSubquery extends Node {
  readonly kind: 'scalar_subquery';
  readonly query: Query;
}

/** `EXISTS (query)`; NOT EXISTS is unary not over it. */
export interface Exists extends Node {
  readonly kind: 'exists';
  readonly query: Query;
}

/** `x = ANY (query)`, `SOME`, `ALL`; `x = ANY (list)` is `ANY (SELECT unnest(list))`. */
export interface QuantifiedComparison extends Node {
  readonly kind: 'quantified_comparison';
  readonly operator: ComparisonOperator;
  readonly quantifier: 'any' | 'all';
  readonly operand: Expression;
  readonly query: Query;
}

/** `ARRAY(query)`. */
export interface ArraySubquery extends Node {
  readonly kind: 'array_subquery';
  readonly query: Query;
}

/** `[1, 2]`, `ARRAY[1, 2]`. `[e FOR x IN l IF c]` is list_transform(list_filter(l, x -> c), x -> e). */
export interface ListLiteral extends Node {
  readonly kind: 'list_literal';
  readonly elements: readonly Expression[];
}

/** `{'a': 1, b: 2}`. */
export interface StructLiteral extends Node {
  readonly kind: 'struct_literal';
  readonly fields: readonly StructLiteralField[];
}

export interface StructLiteralField extends Node {
  readonly kind: 'struct_literal_field';
  readonly name: Identifier;
  readonly value: Expression;
}

/** `MAP {'k': 1}`. */
export interface MapLiteral extends Node {
  readonly kind: 'map_literal';
  readonly entries: readonly MapLiteralEntry[];
}

export interface MapLiteralEntry extends Node {
  readonly kind: 'map_literal_entry';
  readonly key: Expression;
  readonly value: Expression;
}

/** `(a, b)`, `ROW(a, b)`, `ROW(a)`, `ROW()`. */
export interface Row extends Node {
  readonly kind: 'row';
  readonly elements: readonly Expression[];
}

/** `l[i]`, `m['key']`, `s['field']`. */
export interface Subscript extends Node {
  readonly kind: 'subscript';
  readonly operand: Expression;
  readonly index: Expression;
}

/** `l[a:b]`, `l[:b]`, `l[a:]`, `l[a:b:step]`, `l[a:-:step]` (to null). */
export interface Slice extends Node {
  readonly kind: 'slice';
  readonly operand: Expression;
  readonly from: Expression | null;
  readonly to: Expression | null;
  readonly step: Expression | null;
}

/** `(expr).field`, `f(x).field`, `l[1].field`. */
export interface FieldAccess extends Node {
  readonly kind: 'field_access';
  readonly operand: Expression;
  readonly field: Identifier;
}
