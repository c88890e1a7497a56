import type { Expression } from './expression.ts';
import type { Identifier, Node, QualifiedName } from './node.ts';

/** Digits of any length, without underscores; `0xff` and `0b1` are turned into decimal digits. Never negative. */
export interface IntegerLiteral extends Node {
  readonly kind: 'integer_literal';
  readonly text: string;
}

/** `1.50`, `.5`, `2.`: text as written without underscores. */
export interface DecimalLiteral extends Node {
  readonly kind: 'decimal_literal';
  readonly text: string;
}

/** `1e0`, `1.5E-3`: text as written without underscores. */
export interface DoubleLiteral extends Node {
  readonly kind: 'double_literal';
  readonly text: string;
}

/** `'it''s'`, `E'a\n'`, `$$text$$`: value after escapes. */
export interface StringLiteral extends Node {
  readonly kind: 'string_literal';
  readonly value: string;
}

/** `x'00FF'`: an even number of hexadecimal digits, upper case. */
export interface BlobLiteral extends Node {
  readonly kind: 'blob_literal';
  readonly hex: string;
}

export interface BooleanLiteral extends Node {
  readonly kind: 'boolean_literal';
  readonly value: boolean;
}

export interface NullLiteral extends Node {
  readonly kind: 'null_literal';
}

export type IntervalUnit =
  | 'year'
  | 'quarter'
  | 'month'
  | 'week'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'microsecond'
  | 'decade'
  | 'century'
  | 'millennium';

/** `INTERVAL '1' day`, `INTERVAL 3 MONTH`, `INTERVAL (x) DAYS`, `5 days`; unit null: `INTERVAL '1 day 2 hours'`. */
export interface IntervalLiteral extends Node {
  readonly kind: 'interval_literal';
  readonly value: Expression;
  readonly unit: IntervalUnit | null;
}

/**
 * `x`, `t.x`, `schema.t.x`, `x.field`, `t.x.field.field`: which part is what, the binder decides.
 * Identifiers only; a field of any other expression is a `field_access`.
 */
export interface ColumnRef extends Node {
  readonly kind: 'column_ref';
  readonly parts: readonly Identifier[];
}

/** `#1`: a column of the FROM clause by 1-based position. */
export interface PositionalRef extends Node {
  readonly kind: 'positional_ref';
  readonly index: number;
}

/** `$name`, `$1`; the nth `?` of a statement is named `n`, from 1. */
export interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly name: string;
}

/** `*`, `t.*`, with `EXCLUDE (a)` / `EXCEPT (a)`, `REPLACE (x + 1 AS x)`, `RENAME (a AS b)`, `LIKE 'p%'`. Also the `*` of `count(*)` and of ORDER BY ALL. */
export interface Star extends Node {
  readonly kind: 'star';
  /** null: all tables */
  readonly qualifier: QualifiedName | null;
  readonly exclude: readonly QualifiedName[];
  readonly replace: readonly StarReplacement[];
  readonly rename: readonly StarRename[];
}

export interface StarReplacement extends Node {
  readonly kind: 'star_replacement';
  readonly expression: Expression;
  readonly name: Identifier;
}

export interface StarRename extends Node {
  readonly kind: 'star_rename';
  readonly from: QualifiedName;
  readonly to: Identifier;
}

/**
 * `COLUMNS(*)`, `COLUMNS('regex')`, `COLUMNS(t.*)`, `COLUMNS(['a', 'b'])`, `COLUMNS(c -> c LIKE 'a%')`: anywhere in an
 * expression; the whole expression is repeated for each column. `* LIKE 'p'` is `COLUMNS(c -> c LIKE 'p')`.
 * `unpack`: `*COLUMNS(…)`, all columns as arguments of one call.
 */
export interface Columns extends Node {
  readonly kind: 'columns';
  readonly argument: Expression;
  readonly unpack: boolean;
}
