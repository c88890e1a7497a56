import type { TypeKind, TypeTag } from '../common/data_type.ts';

/**
 * The plan document: what crosses to the native engine, once a query, as UTF-8 JSON; EXPLAIN (FORMAT json) prints it.
 * Tables `types`, `exprs`, `nodes` refer to each other by index; a row only refers to smaller indices, so that the
 * plan is acyclic by construction and shared subplans are allowed. The last node is the root.
 * Numbers that a double cannot hold (int64, decimals, float specials) travel as text.
 * Native twin: native/src/plan/plan.hpp. Change both and raise PLAN_FORMAT together.
 */
export const PLAN_FORMAT = 5;

export type TypeIndex = number;
export type ExprIndex = number;
export type NodeIndex = number;

export interface WireType {
  readonly kind: TypeKind;
  readonly precision?: number;
  readonly scale?: number;
  readonly unit?: 's' | 'ms' | 'us' | 'ns';
  /** timestamp; time: absent = false */
  readonly zone?: boolean;
  /** string, binary: absent = plain text or bytes */
  readonly tag?: TypeTag;
  /** list: [element]; map: [key, value]; struct: one a field */
  readonly children?: readonly TypeIndex[];
  /** struct only */
  readonly names?: readonly string[];
}

/**
 * Text of one literal: null = NULL; boolean; integers, decimals (unscaled digits), dates (days), times and timestamps
 * (units since epoch) as decimal text; floats as shortest text or 'nan' 'inf' '-inf' '-0.0'; strings as they are;
 * binary and uuid as hex; interval as "months,days,micros"; list as array; struct as array in field order;
 * map as array of [key, value].
 */
export type WireLiteral = null | boolean | string | readonly WireLiteral[];

/** `span` = [start, end) UTF-16 offsets into the statement's SQL text, for run-time errors. */
export type WireExpr =
  /** column `index` of the node's input */
  | { readonly kind: 'column'; readonly index: number; readonly type: TypeIndex }
  | { readonly kind: 'literal'; readonly value: WireLiteral; readonly type: TypeIndex }
  /** a row of functions.def, chosen by name and the exact types of its arguments */
  | {
      readonly kind: 'call';
      readonly fn: string;
      readonly args: readonly ExprIndex[];
      readonly type: TypeIndex;
      readonly span?: readonly [number, number];
    }
  | {
      readonly kind: 'cast';
      readonly args: readonly [ExprIndex];
      readonly type: TypeIndex;
      readonly try: boolean;
      readonly span?: readonly [number, number];
    }
  /** three-valued; an operand sees only rows that the earlier ones have not decided */
  | { readonly kind: 'and' | 'or'; readonly args: readonly ExprIndex[]; readonly type: TypeIndex }
  /** args: condition, value, condition, value, …, else; a branch sees only its rows */
  | { readonly kind: 'case'; readonly args: readonly ExprIndex[]; readonly type: TypeIndex }
  /** first value that is not null; an argument sees only rows still undecided */
  | { readonly kind: 'coalesce'; readonly args: readonly ExprIndex[]; readonly type: TypeIndex }
  /** args[0] IN (args[1..]), all literals of args[0]'s type, three-valued */
  | { readonly kind: 'in'; readonly args: readonly ExprIndex[]; readonly type: TypeIndex }
  /**
   * Only as an argument of a call that applies it to the elements of a list (list_transform, list_filter, list_reduce).
   * args[0] = body, args[1..] = captures, evaluated on the rows of the surrounding input. Inside the body `column` refers
   * to a batch of its own, one row an element: the `parameters` values the function passes (element, then its 1-based
   * int64 index; for list_reduce accumulator, element, index), then the captures repeated for each element.
   * `type` = type of the body.
   */
  | {
      readonly kind: 'lambda';
      readonly args: readonly ExprIndex[];
      readonly parameters: number;
      readonly type: TypeIndex;
    };

export interface WireField {
  readonly name: string;
  readonly type: TypeIndex;
}

export interface WireAggregate {
  /** an aggregate row of functions.def */
  readonly fn: string;
  readonly args: readonly ExprIndex[];
  readonly distinct: boolean;
  /** only rows where it is true */
  readonly filter: ExprIndex | null;
  /** order inside the group for list, string_agg, first, last */
  readonly order: readonly WireSortKey[];
  readonly type: TypeIndex;
  readonly span?: readonly [number, number];
}

export interface WireSortKey {
  readonly expr: ExprIndex;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A column that a file scan produces. */
export interface WireScanColumn {
  readonly name: string;
  readonly type: TypeIndex;
  /** what fills it: a top-level field of the file, its path, the row's number in it or in all files of the scan (int64, from 0), a hive key, or a constant NULL */
  readonly source: 'field' | 'filename' | 'file_row_number' | 'row_number' | 'hive';
  /** 'field': the file's top-level field by exact name; absent in a file (union_by_name) = NULL. 'hive': the key */
  readonly field: string;
  /** 'field': which of the file's fields of this name; absent = the first */
  readonly nth?: number;
}

export interface WireScanOptions {
  readonly binary_as_string: boolean;
  readonly union_by_name: boolean;
  readonly hive_partitioning: boolean;
  /** INT16/UINT16/FLBA(2) columns to be read as bfloat16 */
  readonly bfloat16: readonly string[];
  /** stop at the first bad file, or leave it out and list it in the metrics */
  readonly on_bad_file: 'error' | 'skip';
}

export type WireJoinType = 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti' | 'mark' | 'single';

export interface WireJoinKey {
  readonly probe: ExprIndex;
  readonly build: ExprIndex;
  readonly nullSafe: boolean;
  /** number of the filter that scans below the first input use; absent = none */
  readonly filter?: number;
  /** whether it looks at rows, not only at row groups and pages; with `filter` */
  readonly filtersRows?: boolean;
}

interface WireNodeBase {
  readonly inputs: readonly NodeIndex[];
  readonly output: readonly WireField[];
  readonly device: 'cpu' | 'gpu';
  readonly instances: number;
  /** planner's estimate of output rows, shown by EXPLAIN; null = unknown */
  readonly estimatedRows: number | null;
}

export type WireNode = WireNodeBase &
  (
    | {
        readonly kind: 'scan_parquet';
        readonly files: readonly string[];
        readonly columns: readonly WireScanColumn[];
        readonly options: WireScanOptions;
        /** conjuncts over the scan's own output columns, in written order: evaluated first, then only pages that hold
         *  surviving rows of the other columns are read; those that allow it also prune row groups and pages */
        readonly filter: readonly ExprIndex[];
        /** stop after this many rows that pass the filter, in file order; null = all */
        readonly limit: number | null;
        /** rows whose value in a column is no key of the join that makes filter `filter` may be left out; absent = none */
        readonly joinFilters?: readonly { readonly column: number; readonly filter: number }[];
      }
    | {
        readonly kind: 'scan_arrow';
        readonly files: readonly string[];
        readonly columns: readonly WireScanColumn[];
        readonly options: WireScanOptions;
        readonly filter: readonly ExprIndex[];
        readonly limit: number | null;
        readonly joinFilters?: readonly { readonly column: number; readonly filter: number }[];
      }
    | { readonly kind: 'filter'; readonly predicate: readonly ExprIndex[] }
    | { readonly kind: 'project'; readonly exprs: readonly ExprIndex[] }
    /** no keys = one global group. Output: keys, then aggregates. Without aggregates = DISTINCT. */
    | {
        readonly kind: 'hash_group_by';
        readonly keys: readonly ExprIndex[];
        readonly aggregates: readonly WireAggregate[];
        /** on a GPU: one kernel with the joins, filters and projections below it; absent = no */
        readonly fused?: boolean;
      }
    | { readonly kind: 'sort'; readonly keys: readonly WireSortKey[] }
    | { readonly kind: 'top_k'; readonly keys: readonly WireSortKey[]; readonly limit: number; readonly offset: number }
    | { readonly kind: 'limit'; readonly limit: number | null; readonly offset: number }
    | { readonly kind: 'union_all' }
    /** rows of literal expressions */
    | { readonly kind: 'values'; readonly rows: readonly (readonly ExprIndex[])[] }
    /** int64 start (inclusive), stop (exclusive), step ≠ 0, as text */
    | { readonly kind: 'range'; readonly start: string; readonly stop: string; readonly step: string }
    /** each list expression gives rows; shorter ones are padded with NULL. Output: `keep` input columns, one column a list, then
     *  int64 ordinality when asked. outer: a row whose lists are all empty or null stays, with NULLs */
    | {
        readonly kind: 'unnest';
        readonly keep: readonly number[];
        readonly lists: readonly ExprIndex[];
        readonly ordinality: boolean;
        readonly outer: boolean;
      }
    /**
     * The second input is kept as a table, the first streams past it; `residual` is over the columns of both. Output:
     * `keep` of the columns of both inputs (semi, anti, mark: of the first), then the boolean of a mark join.
     */
    | {
        readonly kind: 'hash_join';
        readonly type: WireJoinType;
        readonly keys: readonly WireJoinKey[];
        readonly residual: readonly ExprIndex[];
        readonly keep: readonly number[];
        /** mark: NULL where a NULL among the keys leaves it open */
        readonly nullAware: boolean;
        /** single: the subquery */
        readonly span?: readonly [number, number];
      }
    /** the same without keys */
    | {
        readonly kind: 'conditional_join';
        readonly type: WireJoinType;
        readonly residual: readonly ExprIndex[];
        readonly keep: readonly number[];
        /** rows are found by search in sorted values of the first comparison with an order; else every pair is tested */
        readonly sorted: boolean;
        readonly span?: readonly [number, number];
      }
    /** generated rows: see native/src/cpu/generate.cpp */
    | {
        readonly kind: 'generate';
        readonly generator: string;
        readonly scale: number;
        readonly seed: string;
        readonly columns: readonly number[];
      }
    /** one file or a folder of files; it appears when complete. Output: one int64, the number of rows */
    | {
        readonly kind: 'write_parquet';
        readonly path: string;
        readonly compression: 'none' | 'snappy' | 'gzip' | 'brotli' | 'zstd' | 'lz4';
        /** of gzip, brotli, zstd */
        readonly level: number | null;
        /** of a row group at most */
        readonly group_rows: number;
        /** of a row group at most: values in plain form and levels */
        readonly group_bytes: number;
        /** bytes at which a file ends; 0 = one file */
        readonly file_bytes: number;
        readonly per_thread: boolean;
        /** wrong hits of bloom filters; 0 = none */
        readonly bloom_ratio: number;
      }
    /** moves batches between devices or instances */
    | {
        readonly kind: 'exchange';
        readonly mode: 'to_device' | 'to_host' | 'hash' | 'broadcast' | 'gather';
        readonly keys: readonly ExprIndex[];
      }
  );

export interface WirePlan {
  readonly format: typeof PLAN_FORMAT;
  /** hash of the function table the planner used; the addon refuses another one */
  readonly functions: string;
  readonly types: readonly WireType[];
  readonly exprs: readonly WireExpr[];
  readonly nodes: readonly WireNode[];
}
