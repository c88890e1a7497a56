import type { TableColumn } from '../../catalog/file_table.ts';
import type { DataType } from '../../common/data_type.ts';
import { BOOL, INT64 } from '../../common/data_type.ts';
import { estimateRows } from '../estimate/rows.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { collectColumns } from '../logical/expression.ts';
import type {
  ComputedColumn,
  LogicalColumn,
  LogicalJoin,
  LogicalNode,
  LogicalProject,
  LogicalScan,
  LogicalTopK,
  ScanColumn,
} from '../logical/node.ts';
import { columnRef, outputOf, rewriteUp, withInputs } from '../logical/node.ts';

/** Rows up to which the engine goes straight to each (native/src/cpu/join_filter.cpp). */
const MOST_ROWS = 1000;
/** Bytes that must be saved: a second scan opens the files again. */
const LEAST_BYTES = 16e6;
/** What is read for one row of a column: its page, of so many bytes or rows at most. */
const PAGE_BYTES = 1e6;
const PAGE_ROWS = 20_000;

/**
 * Columns that only the result of a top_k shows are read for its rows, by their number, and not for all.
 *
 *     Before: top_k [price] limit=10
 *               scan columns=[price, embedding]
 *     After:  sort [price, row_number]
 *               join inner [row_number = row_number]
 *                 top_k [price] limit=10
 *                   scan columns=[price, row_number]
 *                 scan columns=[embedding, row_number]     (these rows, by a filter of the join)
 *
 * When not: few bytes would be saved, the files are no Parquet, or bad ones are left out (the two scans might differ).
 */
export function fetchLate(root: LogicalNode, newId: () => ColumnId): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'top_k' || node.limit + node.offset > MOST_ROWS) return node;
    const path = pathTo(node.input, node);
    return path === null ? node : fetched(node, path, newId);
  });
}

/** The scan whose columns pass through to the top_k, and which: by their ids there, the column of the scan. */
interface Path {
  readonly scan: LogicalScan;
  readonly passed: ReadonlyMap<ColumnId, ScanColumn>;
}

function pathTo(input: LogicalNode, topK: LogicalTopK): Path | null {
  const found = pathsBelow(input)
    .map((path) =>
      without(
        path,
        topK.keys.map((key) => key.expr),
      ),
    )
    .map((path) => ({ path, saved: bytesSaved(path, input, topK) }))
    .sort((a, b) => b.saved - a.saved)[0];
  return found !== undefined && found.saved >= LEAST_BYTES ? found.path : null;
}

function pathsBelow(node: LogicalNode): readonly Path[] {
  switch (node.kind) {
    case 'scan': {
      if (node.table.format !== 'parquet' || node.table.rows === null) return [];
      if (node.table.options.on_bad_file === 'skip') return [];
      const passed = new Map(node.columns.map((column) => [column.id, column]));
      return [without({ scan: node, passed }, node.filter)];
    }
    case 'filter':
      return pathsBelow(node.input).map((path) => without(path, node.predicate));
    case 'project':
      return pathsBelow(node.input).map((path) => throughProject(path, node));
    case 'join': {
      const conditions = [...node.keys.flatMap((key) => [key.left, key.right]), ...node.residual];
      const right = node.type === 'inner' ? pathsBelow(node.right) : [];
      const left = node.type === 'full' ? [] : pathsBelow(node.left);
      return [...left, ...right].map((path) => without(path, conditions));
    }
    default:
      return [];
  }
}

/** The path without the columns that expressions read, under whatever id. */
function without({ scan, passed }: Path, exprs: readonly BoundExpr[]): Path {
  const ids = new Set<ColumnId>();
  for (const expr of exprs) collectColumns(expr, ids);
  const read = new Set([...ids].map((id) => passed.get(id)));
  return { scan, passed: new Map([...passed].filter(([, column]) => !read.has(column))) };
}

function throughProject(path: Path, node: LogicalProject): Path {
  const computed = node.columns.filter(({ expr }) => expr.kind !== 'column').map(({ expr }) => expr);
  const { scan, passed } = without(path, computed);
  const given = node.columns.flatMap(({ id, expr }): [ColumnId, ScanColumn][] => {
    const column = expr.kind === 'column' ? passed.get(expr.column) : undefined;
    return column === undefined ? [] : [[id, column]];
  });
  return { scan, passed: new Map(given) };
}

function bytesSaved({ scan, passed }: Path, input: LogicalNode, { limit, offset }: LogicalTopK): number {
  const rows = Math.min(estimateRows(input) ?? 0, estimateRows(scan) ?? 0);
  return [...new Set(passed.values())]
    .map(({ type }) => rows * bytesOf(type) - (limit + offset) * Math.min(PAGE_BYTES, PAGE_ROWS * bytesOf(type)))
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes of a value, about; what a list or a text holds is not known. */
function bytesOf(type: DataType): number {
  switch (type.kind) {
    case 'list':
      return 64 * bytesOf(type.element);
    case 'map':
      return 16 * (bytesOf(type.key) + bytesOf(type.value));
    case 'struct':
      return type.fields.reduce((sum, field) => sum + bytesOf(field.type), 0);
    case 'string':
    case 'binary':
      return 24;
    case 'null':
      return 0;
    case 'bool':
    case 'int8':
    case 'uint8':
      return 1;
    case 'int16':
    case 'uint16':
    case 'float16':
    case 'bfloat16':
      return 2;
    case 'int32':
    case 'uint32':
    case 'float32':
    case 'date':
      return 4;
    case 'int64':
    case 'uint64':
    case 'float64':
    case 'time':
    case 'timestamp':
      return 8;
    case 'uuid':
    case 'interval':
    case 'decimal':
      return 16;
  }
}

function fetched(node: LogicalTopK, path: Path, newId: () => ColumnId): LogicalNode {
  const { scan, passed } = path;
  const late = new Set(passed.values());
  const table = { ...scan.table, columns: [...scan.table.columns, rowNumber(scan.table.rows)] };
  const numbered = (): ScanColumn => ({ ...ROW_NUMBER, id: newId(), index: scan.table.columns.length });

  const early = numbered();
  const columns = [...scan.columns.filter((column) => !late.has(column)), early];
  const input = replaced(node.input, scan, { ...scan, table, columns }, early);
  const number = columnRef(early, NOWHERE);

  const again = new Map([...late].map((column) => [column, { ...column, id: newId() }]));
  const key = numbered();
  const rest: LogicalScan = { ...scan, table, columns: [...again.values(), key], filter: [], limit: null };
  const rows: LogicalNode = { ...node, input };
  const join = onEqual(rows, rest, number, columnRef(key, NOWHERE));
  const sorted: LogicalNode = {
    kind: 'sort',
    input: join,
    keys: [...node.keys, { expr: number, descending: false, nullsFirst: false }],
  };
  const given = outputOf(node).map((column): ComputedColumn => {
    const source = passed.get(column.id);
    const from = source === undefined ? column : (again.get(source) as ScanColumn);
    return { ...column, expr: columnRef(from, NOWHERE) };
  });
  return { kind: 'project', input: sorted, columns: given };
}

const NOWHERE = { start: 0, end: 0 };
const ROW_NUMBER = { name: 'row_number', type: INT64 } as const;

function rowNumber(rows: number | null): TableColumn {
  return {
    ...ROW_NUMBER,
    source: 'row_number',
    field: '',
    nth: 0,
    unsupported: null,
    bounds: null,
    distinct: rows,
  };
}

function onEqual(left: LogicalNode, right: LogicalNode, a: BoundExpr, b: BoundExpr): LogicalJoin {
  const condition: BoundExpr = { kind: 'call', fn: 'eq', args: [a, b], fallible: false, type: BOOL, span: NOWHERE };
  return {
    kind: 'join',
    type: 'inner',
    left,
    right,
    keys: [{ left: a, right: b, nullSafe: false, condition }],
    residual: [],
    columns: [...outputOf(left), ...outputOf(right)],
    mark: null,
    nullAware: false,
    span: NOWHERE,
  };
}

/** `node` over `to` instead of `from`: `added` is in every output on the way, what `to` does not give in none. */
function replaced(node: LogicalNode, from: LogicalScan, to: LogicalScan, added: LogicalColumn): LogicalNode {
  const below = (input: LogicalNode): LogicalNode => replaced(input, from, to, added);
  switch (node.kind) {
    case 'scan':
      return node === from ? to : node;
    case 'filter':
      return withInputs(node, [below(node.input)]);
    case 'project': {
      const input = below(node.input);
      if (input === node.input) return node;
      const there = new Set(outputOf(input).map((column) => column.id));
      const kept = node.columns.filter(({ expr }) => expr.kind !== 'column' || there.has(expr.column));
      return { ...node, input, columns: [...kept, { ...added, expr: columnRef(added, NOWHERE) }] };
    }
    case 'join': {
      const [left, right] = [below(node.left), below(node.right)];
      if (left === node.left && right === node.right) return node;
      const there = new Set([...outputOf(left), ...outputOf(right)].map((column) => column.id));
      const kept = node.columns.filter((column) => there.has(column.id));
      return { ...node, left, right, columns: [...kept, added, ...(node.mark === null ? [] : [node.mark])] };
    }
    default:
      return node;
  }
}
