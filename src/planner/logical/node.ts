import type { FileTable } from '../../catalog/file_table.ts';
import type { DataType } from '../../common/data_type.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { BoundExpr, ColumnId } from './expression.ts';

/** One output column of a node. */
export interface LogicalColumn {
  readonly id: ColumnId;
  readonly name: string;
  readonly type: DataType;
  /** set on columns of files that cannot be read, with the reason: naming one is an error */
  readonly unsupported?: string;
}

/** A column that the node computes. */
export interface ComputedColumn extends LogicalColumn {
  readonly expr: BoundExpr;
}

/** `index` = position in the table's columns. */
export interface ScanColumn extends LogicalColumn {
  readonly index: number;
}

export interface LogicalSortKey {
  readonly expr: BoundExpr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A call of an aggregate row of functions.def. */
export interface AggregateCall {
  readonly fn: string;
  readonly args: readonly BoundExpr[];
  readonly distinct: boolean;
  readonly filter: BoundExpr | null;
  readonly order: readonly LogicalSortKey[];
  readonly span: SourceSpan;
}

export interface AggregateColumn extends LogicalColumn {
  readonly call: AggregateCall;
}

/** Files; `filter` are conjuncts over `columns` in written order, `limit` counts rows that pass it. */
export interface LogicalScan {
  readonly kind: 'scan';
  readonly table: FileTable;
  readonly columns: readonly ScanColumn[];
  readonly filter: readonly BoundExpr[];
  readonly limit: number | null;
}

/** Rows of expressions without columns; no columns and one row = SELECT without FROM. */
export interface LogicalValues {
  readonly kind: 'values';
  readonly columns: readonly LogicalColumn[];
  readonly rows: readonly (readonly BoundExpr[])[];
}

/** int64 from start (inclusive) to stop (exclusive). */
export interface LogicalRange {
  readonly kind: 'range';
  readonly column: LogicalColumn;
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
}

/** Rows of a built-in generator (native/src/cpu/generate.cpp). */
export interface LogicalGenerate {
  readonly kind: 'generate';
  readonly generator: string;
  readonly scale: number;
  readonly seed: bigint;
  readonly columns: readonly ScanColumn[];
}

/** Keeps rows for which every conjunct is true; a conjunct sees the rows that earlier ones kept. */
export interface LogicalFilter {
  readonly kind: 'filter';
  readonly input: LogicalNode;
  readonly predicate: readonly BoundExpr[];
}

/** Output = exactly `columns`. */
export interface LogicalProject {
  readonly kind: 'project';
  readonly input: LogicalNode;
  readonly columns: readonly ComputedColumn[];
}

/** Output = keys, then aggregates. No keys = one group; no aggregates = DISTINCT of the keys. */
export interface LogicalAggregate {
  readonly kind: 'aggregate';
  readonly input: LogicalNode;
  readonly keys: readonly ComputedColumn[];
  readonly aggregates: readonly AggregateColumn[];
}

export interface LogicalSort {
  readonly kind: 'sort';
  readonly input: LogicalNode;
  readonly keys: readonly LogicalSortKey[];
}

export interface LogicalLimit {
  readonly kind: 'limit';
  readonly input: LogicalNode;
  /** null = all */
  readonly limit: number | null;
  readonly offset: number;
}

/** Sort, then limit, in one. */
export interface LogicalTopK {
  readonly kind: 'top_k';
  readonly input: LogicalNode;
  readonly keys: readonly LogicalSortKey[];
  readonly limit: number;
  readonly offset: number;
}

/** Rows of all inputs in order; `columns[i]` is column i of each input. */
export interface LogicalUnionAll {
  readonly kind: 'union_all';
  readonly inputs: readonly LogicalNode[];
  readonly columns: readonly LogicalColumn[];
}

/** One row an element; several lists run side by side. Output = kept columns of the input, then lists, then ordinality. */
export interface LogicalUnnest {
  readonly kind: 'unnest';
  readonly input: LogicalNode;
  readonly keep: readonly LogicalColumn[];
  readonly lists: readonly ComputedColumn[];
  /** 1-based position in the list */
  readonly ordinality: LogicalColumn | null;
  readonly outer: boolean;
}

export type JoinType = 'inner' | 'left' | 'full' | 'semi' | 'anti' | 'mark' | 'single';

/** An equality between the two sides of a join. */
export interface JoinKey {
  readonly left: BoundExpr;
  readonly right: BoundExpr;
  /** NULL equals NULL */
  readonly nullSafe: boolean;
  /** the condition that it is */
  readonly condition: BoundExpr;
}

/**
 * Pairs of rows that `keys` and `residual` accept. left, full: also rows without a pair; semi, anti: rows of the left
 * side with or without a pair; mark: the left side and whether there is a pair; single: the left side and the values
 * of its pair, of which there may be at most one. A right join is a left join of exchanged sides.
 */
export interface LogicalJoin {
  readonly kind: 'join';
  readonly type: JoinType;
  readonly left: LogicalNode;
  readonly right: LogicalNode;
  readonly keys: readonly JoinKey[];
  readonly residual: readonly BoundExpr[];
  /** output, of both sides (semi, anti, mark: the left one); the mark is the last */
  readonly columns: readonly LogicalColumn[];
  readonly mark: LogicalColumn | null;
  /** mark: NULL where a NULL among the keys leaves it open */
  readonly nullAware: boolean;
  readonly span: SourceSpan;
}

/** A column of a shared subplan under an id of this reader. */
export interface SharedColumn extends LogicalColumn {
  /** of the subplan's output */
  readonly source: ColumnId;
}

/**
 * One reader of a subplan that is computed once for all of its readers: those whose `key` is equal have equal bodies.
 * Rewrites change the body by its key, not as an input.
 */
export interface LogicalShared {
  readonly kind: 'shared';
  readonly key: number;
  readonly body: LogicalNode;
  readonly columns: readonly SharedColumn[];
}

/** The algebra of queries. Windows will be members here. */
export type LogicalNode =
  | LogicalScan
  | LogicalValues
  | LogicalRange
  | LogicalGenerate
  | LogicalFilter
  | LogicalProject
  | LogicalAggregate
  | LogicalSort
  | LogicalLimit
  | LogicalTopK
  | LogicalUnionAll
  | LogicalUnnest
  | LogicalJoin
  | LogicalShared;

/** Columns of a node's rows, in order. */
export function outputOf(node: LogicalNode): readonly LogicalColumn[] {
  switch (node.kind) {
    case 'scan':
    case 'values':
    case 'generate':
    case 'project':
    case 'union_all':
    case 'join':
    case 'shared':
      return node.columns;
    case 'range':
      return [node.column];
    case 'filter':
    case 'sort':
    case 'limit':
    case 'top_k':
      return outputOf(node.input);
    case 'aggregate':
      return [...node.keys, ...node.aggregates];
    case 'unnest':
      return [...node.keep, ...node.lists, ...(node.ordinality === null ? [] : [node.ordinality])];
  }
}

export function inputsOf(node: LogicalNode): readonly LogicalNode[] {
  switch (node.kind) {
    case 'scan':
    case 'values':
    case 'range':
    case 'generate':
    case 'shared':
      return [];
    case 'union_all':
      return node.inputs;
    case 'join':
      return [node.left, node.right];
    default:
      return [node.input];
  }
}

/** The same node over other inputs; unchanged inputs keep the node's identity. */
export function withInputs(node: LogicalNode, inputs: readonly LogicalNode[]): LogicalNode {
  switch (node.kind) {
    case 'scan':
    case 'values':
    case 'range':
    case 'generate':
    case 'shared':
      return node;
    case 'union_all':
      return node.inputs.every((input, i) => input === inputs[i]) ? node : { ...node, inputs };
    case 'join': {
      const [left, right] = inputs as readonly [LogicalNode, LogicalNode];
      return left === node.left && right === node.right ? node : { ...node, left, right };
    }
    default: {
      const input = inputs[0] as LogicalNode;
      return input === node.input ? node : { ...node, input };
    }
  }
}

/** Applies `rule` to every node, inputs first. */
export function rewriteUp(node: LogicalNode, rule: (node: LogicalNode) => LogicalNode): LogicalNode {
  return rule(
    withInputs(
      node,
      inputsOf(node).map((input) => rewriteUp(input, rule)),
    ),
  );
}

/** Visits every node of a plan once, from the root down, the bodies of shared subplans behind their first reader. */
export function visitNodes(root: LogicalNode, visit: (node: LogicalNode) => void): void {
  const seen = new Set<LogicalNode>();
  const below = (node: LogicalNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    visit(node);
    for (const input of node.kind === 'shared' ? [node.body] : inputsOf(node)) below(input);
  };
  below(root);
}

/** A whole query: `columns` are the output of `root` under the names of the result. */
export interface LogicalPlan {
  readonly root: LogicalNode;
  readonly columns: readonly LogicalColumn[];
}

/** One row without columns: the input of SELECT without FROM. */
export const ONE_ROW: LogicalValues = { kind: 'values', columns: [], rows: [[]] };

/** A reference to a column. */
export function columnRef(column: LogicalColumn, span: SourceSpan): BoundExpr {
  return { kind: 'column', column: column.id, name: column.name, type: column.type, span };
}
