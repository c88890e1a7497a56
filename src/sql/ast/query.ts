import type { Window } from './call.ts';
import type { Expression } from './expression.ts';
import type { Identifier, Node } from './node.ts';
import type { TableRef } from './table_ref.ts';

/** ORDER BY and LIMIT belong to the whole of a set operation. */
export interface Query extends Node {
  readonly kind: 'query';
  readonly recursive: boolean;
  readonly with: readonly CommonTable[];
  readonly body: QueryBody;
  /** ORDER BY ALL is one item over a `star` */
  readonly orderBy: readonly SortItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** A parenthesised operand that has its own WITH, ORDER BY or LIMIT stays a query; other parentheses vanish. */
export type QueryBody = Select | SetOperation | Values | Query;

/** `name(columns) AS [NOT] MATERIALIZED (query)`; materialized null: not said. */
export interface CommonTable extends Node {
  readonly kind: 'common_table';
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
  readonly materialized: boolean | null;
  readonly query: Query;
}

export interface SetOperation extends Node {
  readonly kind: 'set_operation';
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly byName: boolean;
  readonly left: QueryBody;
  readonly right: QueryBody;
}

/** `VALUES (1, 2), (3, 4)`. */
export interface Values extends Node {
  readonly kind: 'values';
  readonly rows: readonly (readonly Expression[])[];
}

/** `FROM t` without SELECT and `TABLE t` have one `star` item. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly distinct: Distinct | null;
  readonly items: readonly SelectItem[];
  readonly from: TableRef | null;
  readonly where: Expression | null;
  readonly groupBy: GroupBy | null;
  readonly having: Expression | null;
  readonly qualify: Expression | null;
  readonly windows: readonly NamedWindow[];
}

/** `DISTINCT` (on empty), `DISTINCT ON (…)`. */
export interface Distinct extends Node {
  readonly kind: 'distinct';
  readonly on: readonly Expression[];
}

/** `expr`, `expr AS a`, `expr a`, `a: expr`. */
export interface SelectItem extends Node {
  readonly kind: 'select_item';
  readonly expression: Expression;
  readonly alias: Identifier | null;
}

export interface SortItem extends Node {
  readonly kind: 'sort_item';
  readonly expression: Expression;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

export interface NamedWindow extends Node {
  readonly kind: 'named_window';
  readonly name: Identifier;
  readonly window: Window;
}

/** `GROUP BY ALL` (all true, no items) or items that combine by cross product. */
export interface GroupBy extends Node {
  readonly kind: 'group_by';
  readonly all: boolean;
  readonly items: readonly GroupItem[];
}

/** One key `a`, none `()` or several `(a, b)`; the latter are the keys a and b, not a row. */
export interface GroupSet extends Node {
  readonly kind: 'group_set';
  readonly expressions: readonly Expression[];
}

/** `ROLLUP (a, (b, c))`, `CUBE (a, b)`. */
export interface GroupRollup extends Node {
  readonly kind: 'rollup' | 'cube';
  readonly sets: readonly GroupSet[];
}

/** `GROUPING SETS ((a, b), a, (), ROLLUP (c))`. */
export interface GroupingSets extends Node {
  readonly kind: 'grouping_sets';
  readonly items: readonly GroupItem[];
}

export type GroupItem = GroupSet | GroupRollup | GroupingSets;
