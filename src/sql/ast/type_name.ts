import type { Identifier, Node } from './node.ts';

/**
 * `DECIMAL(7, 2)`, `varchar(20)`, `TIMESTAMP WITH TIME ZONE`. `name` is upper case with standard spellings of several
 * words folded: DOUBLE PRECISION → DOUBLE, CHARACTER VARYING → VARCHAR, TIMESTAMP WITH TIME ZONE → TIMESTAMPTZ,
 * TIME WITH TIME ZONE → TIMETZ, … WITHOUT TIME ZONE → TIMESTAMP, TIME. Other aliases (INT4, STRING, HALF) stay.
 */
export interface NamedType extends Node {
  readonly kind: 'type_name';
  readonly name: string;
  /** whole numbers in parentheses */
  readonly arguments: readonly number[];
}

/** `T[]` (size null), `T[3]`, `T ARRAY`, `T ARRAY[3]`. */
export interface ListType extends Node {
  readonly kind: 'list_type';
  readonly element: TypeName;
  readonly size: number | null;
}

/** `STRUCT(a INTEGER, b VARCHAR)`, `ROW(…)`. */
export interface StructType extends Node {
  readonly kind: 'struct_type';
  readonly fields: readonly StructTypeField[];
}

export interface StructTypeField extends Node {
  readonly kind: 'struct_type_field';
  readonly name: Identifier;
  readonly type: TypeName;
}

/** `MAP(K, V)`. */
export interface MapType extends Node {
  readonly kind: 'map_type';
  readonly key: TypeName;
  readonly value: TypeName;
}

export type TypeName = NamedType | ListType | StructType | MapType;
