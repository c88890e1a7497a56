/**
 * The syntax tree: immutable unions told apart by `kind`; every node knows where it stands in the SQL text.
 *
 * Rules of the tree
 * - Only what the text says: no names resolved, no types, no folding. Where SQL has two spellings of one thing the
 *   tree has one form, so that later stages see fewer cases; each node's comment names the spellings.
 * - Optional parts are `null`, repeated parts are arrays (empty when absent), never undefined.
 * - Keywords, operators and type names are normalised; identifiers keep their case and are compared without it.
 * - The parser bounds the depth of the tree (MAX_DEPTH in depth.ts), so plain recursion over it is safe.
 */
import type { SourceSpan } from '../common/source_span.ts';

interface Node {
  readonly span: SourceSpan;
}

/** A name as written, without its quotes. */
export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}

/** `t`, `schema.t`, `database.schema.t`: at least one part. */
export type QualifiedName = readonly Identifier[];

// ---------------------------------------------------------------------------------------------------------------
// Types

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

// ---------------------------------------------------------------------------------------------------------------
// Literals and references

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

// ---------------------------------------------------------------------------------------------------------------
// Operators

export type UnaryOperator = '-' | '+' | '~' | '@' | 'not';

export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type ComparisonOperator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'is_distinct_from'
  | 'is_not_distinct_from';

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

// ---------------------------------------------------------------------------------------------------------------
// Calls

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

// ---------------------------------------------------------------------------------------------------------------
// Subqueries and nested values

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

export type Literal =
  | IntegerLiteral
  | DecimalLiteral
  | DoubleLiteral
  | StringLiteral
  | BlobLiteral
  | BooleanLiteral
  | NullLiteral;

export type Expression =
  | Literal
  | IntervalLiteral
  | ColumnRef
  | PositionalRef
  | Parameter
  | Star
  | Columns
  | Unary
  | Binary
  | Logical
  | IsNull
  | IsBoolean
  | Between
  | InList
  | InSubquery
  | Like
  | Case
  | Cast
  | Collate
  | FunctionCall
  | Lambda
  | ScalarSubquery
  | Exists
  | QuantifiedComparison
  | ArraySubquery
  | ListLiteral
  | StructLiteral
  | MapLiteral
  | Row
  | Subscript
  | Slice
  | FieldAccess;

export type ExpressionKind = Expression['kind'];

// ---------------------------------------------------------------------------------------------------------------
// Queries

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

// ---------------------------------------------------------------------------------------------------------------
// FROM

/** `AS t`, `t(a, b)`. */
export interface TableAlias extends Node {
  readonly kind: 'table_alias';
  readonly name: Identifier;
  readonly columns: readonly Identifier[];
}

/** A table, view, common table or quoted file name; the binder decides. */
export interface TableName extends Node {
  readonly kind: 'table_name';
  readonly name: QualifiedName;
  readonly alias: TableAlias | null;
}

/** `FROM 'data/*.parquet'`. */
export interface FilePath extends Node {
  readonly kind: 'file_path';
  readonly path: string;
  readonly alias: TableAlias | null;
}

/** `read_parquet('x', hive_partitioning = true)`, `range(10)`, `unnest(l) WITH ORDINALITY`. May refer to tables on its left. */
export interface TableFunction extends Node {
  readonly kind: 'table_function';
  readonly name: QualifiedName;
  readonly arguments: readonly Argument[];
  readonly ordinality: boolean;
  readonly lateral: boolean;
  readonly alias: TableAlias | null;
}

/** `(query) t(a, b)`, `LATERAL (query) t`, `(VALUES …) t`. */
export interface DerivedTable extends Node {
  readonly kind: 'derived_table';
  readonly query: Query;
  readonly lateral: boolean;
  readonly alias: TableAlias | null;
}

/** `FROM (DESCRIBE t)`, `(SUMMARIZE t)`, `(SHOW TABLES)`. */
export interface StatementTable extends Node {
  readonly kind: 'statement_table';
  readonly statement: Describe | Summarize | Show;
  readonly alias: TableAlias | null;
}

/** A comma is a cross join that binds weaker than JOIN. NATURAL is a condition. An alias on `(a JOIN b) t` is refused. */
export interface Join extends Node {
  readonly kind: 'join';
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti';
  readonly left: TableRef;
  readonly right: TableRef;
  /** null only for cross */
  readonly condition: JoinCondition | null;
}

export interface JoinOn extends Node {
  readonly kind: 'join_on';
  readonly expression: Expression;
}

export interface JoinUsing extends Node {
  readonly kind: 'join_using';
  readonly columns: readonly Identifier[];
}

export interface JoinNatural extends Node {
  readonly kind: 'join_natural';
}

export type JoinCondition = JoinOn | JoinUsing | JoinNatural;

export type TableRef = TableName | FilePath | TableFunction | DerivedTable | StatementTable | Join;

// ---------------------------------------------------------------------------------------------------------------
// Statements

export interface SelectStatement extends Node {
  readonly kind: 'select_statement';
  readonly query: Query;
}

/** `EXPLAIN q`, `EXPLAIN ANALYZE q`, `EXPLAIN (ANALYZE, FORMAT json) q`. */
export interface Explain extends Node {
  readonly kind: 'explain';
  readonly analyze: boolean;
  /** all but ANALYZE, e.g. FORMAT */
  readonly options: readonly Option[];
  readonly statement: Statement;
}

/** `FORMAT json`, `COMPRESSION 'zstd'`, `PARTITION_BY (a, b)`, `HEADER`. `name` is lower case. A bare word is a string literal, `(a, b)` a row. */
export interface Option extends Node {
  readonly kind: 'option';
  readonly name: string;
  readonly value: Expression | null;
}

/** `DESCRIBE t`, `DESC t`, `DESCRIBE q`, `SHOW t`; the target of a table or file is that table reference. */
export interface Describe extends Node {
  readonly kind: 'describe';
  readonly target: Query | TableRef;
}

/** `SUMMARIZE t`, `SUMMARIZE q`. */
export interface Summarize extends Node {
  readonly kind: 'summarize';
  readonly target: Query | TableRef;
}

/** `SHOW TABLES`, `DESCRIBE` alone, `SHOW ALL [TABLES]`, `SHOW SETTINGS`, `SHOW FUNCTIONS`. */
export interface Show extends Node {
  readonly kind: 'show';
  readonly what: 'tables' | 'all_tables' | 'settings' | 'functions';
}

/** `SET x = v`, `SET x TO v`, `SET SESSION x = v`. A bare word is a string literal. */
export interface SetSetting extends Node {
  readonly kind: 'set';
  /** lower case; dots are part of it: `list.offset_limit` */
  readonly name: string;
  readonly nameSpan: SourceSpan;
  /** null: SET x = DEFAULT */
  readonly value: Expression | null;
}

export interface ResetSetting extends Node {
  readonly kind: 'reset';
  readonly name: string;
  readonly nameSpan: SourceSpan;
}

export interface CreateView extends Node {
  readonly kind: 'create_view';
  readonly orReplace: boolean;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly name: QualifiedName;
  readonly columns: readonly Identifier[];
  readonly query: Query;
}

export interface DropView extends Node {
  readonly kind: 'drop_view';
  readonly ifExists: boolean;
  readonly names: readonly QualifiedName[];
}

/** `COPY (query) TO 'file' (options)`, `COPY t TO 'file'`, `COPY t(a, b) TO 'file'`; a table is `SELECT … FROM t`. */
export interface Copy extends Node {
  readonly kind: 'copy';
  readonly query: Query;
  readonly target: string;
  readonly targetSpan: SourceSpan;
  readonly options: readonly Option[];
}

export type Statement =
  | SelectStatement
  | Explain
  | Describe
  | Summarize
  | Show
  | SetSetting
  | ResetSetting
  | CreateView
  | DropView
  | Copy;

export type StatementKind = Statement['kind'];
