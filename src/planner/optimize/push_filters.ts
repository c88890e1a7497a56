import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { columnsOf, mapColumns } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { ComputedColumn, LogicalColumn, LogicalNode } from '../logical/node.ts';
import { inputsOf, outputOf, withInputs } from '../logical/node.ts';
import { pushJoin } from './push_join_filters.ts';

/**
 * Moves conjuncts towards the scans. Their order among each other stays; a conjunct that may raise an error never moves
 * below something that keeps rows from it (a filter, an unnest, an aggregate's own filter).
 */
export function pushFilters(root: LogicalNode): LogicalNode {
  return push(root, []);
}

/** `node` with `filters` (over its output) applied as far down as they go. */
function push(node: LogicalNode, filters: readonly BoundExpr[]): LogicalNode {
  switch (node.kind) {
    case 'filter':
      return push(node.input, [...node.predicate, ...filters]);
    case 'scan':
      return node.limit === null ? { ...node, filter: [...node.filter, ...filters] } : above(node, filters);
    case 'project':
      return pushProject(node, filters);
    case 'sort':
      return { ...node, input: push(node.input, filters) };
    case 'union_all':
      return pushUnion(node, filters);
    case 'aggregate':
      return pushAggregate(node, filters);
    case 'unnest':
      return pushUnnest(node, filters);
    case 'join':
      return pushJoin(node, filters, push);
    default:
      return above(
        withInputs(
          node,
          inputsOf(node).map((input) => push(input, [])),
        ),
        filters,
      );
  }
}

function above(node: LogicalNode, filters: readonly BoundExpr[]): LogicalNode {
  return filters.length === 0 ? node : { kind: 'filter', input: node, predicate: filters };
}

/**
 * Conjuncts that pass, up to the first that stays and may not be overtaken: a later conjunct that may fail must see
 * only rows that earlier ones kept.
 */
function split(
  filters: readonly BoundExpr[],
  passes: (expr: BoundExpr) => boolean,
): { pushed: BoundExpr[]; kept: BoundExpr[] } {
  const pushed: BoundExpr[] = [];
  const kept: BoundExpr[] = [];
  for (const filter of filters) {
    if (passes(filter) && (kept.length === 0 || !isFallible(filter))) pushed.push(filter);
    else kept.push(filter);
  }
  return { pushed, kept };
}

/** References to computed columns become their expressions. */
function substituted(expr: BoundExpr, columns: ReadonlyMap<ColumnId, ComputedColumn>): BoundExpr {
  return mapColumns(expr, (column) => columns.get(column.column)?.expr);
}

/** Computing an expression twice must not cost more than filtering early gains: only cheap ones are repeated. */
function isCheap(expr: BoundExpr): boolean {
  if (expr.kind === 'column' || expr.kind === 'literal') return true;
  if (expr.kind === 'cast')
    return isCheap(expr.operand) && expr.type.kind !== 'string' && expr.operand.type.kind !== 'string';
  return expr.kind === 'call' && CHEAP.has(expr.fn) && expr.args.every(isCheap);
}

const CHEAP = new Set([
  'add',
  'sub',
  'mul',
  'neg',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'struct_extract',
  'year',
  'month',
  'is_null',
  'is_not_null',
]);

function pushProject(node: Extract<LogicalNode, { kind: 'project' }>, filters: readonly BoundExpr[]): LogicalNode {
  const columns = new Map(node.columns.map((column) => [column.id, column]));
  const { pushed, kept } = split(filters, (filter) =>
    [...columnsOf(filter)].every((id) => {
      const column = columns.get(id);
      return column !== undefined && isCheap(column.expr);
    }),
  );
  const input = push(
    node.input,
    pushed.map((filter) => substituted(filter, columns)),
  );
  return above({ ...node, input }, kept);
}

function pushUnion(node: Extract<LogicalNode, { kind: 'union_all' }>, filters: readonly BoundExpr[]): LogicalNode {
  const inputs = node.inputs.map((input) => {
    const output = outputOf(input);
    const places = new Map(node.columns.map((column, i) => [column.id, output[i] as LogicalColumn]));
    const moved = filters.map((filter) =>
      mapColumns(filter, (column) => {
        const place = places.get(column.column);
        return place === undefined ? undefined : { ...column, column: place.id, name: place.name, type: place.type };
      }),
    );
    return push(input, moved);
  });
  return { ...node, inputs };
}

/** Conjuncts over keys choose whole groups; without keys there is always one group, which nothing may choose. */
function pushAggregate(node: Extract<LogicalNode, { kind: 'aggregate' }>, filters: readonly BoundExpr[]): LogicalNode {
  const keys = new Map(node.keys.map((key) => [key.id, key]));
  const { pushed, kept } = split(
    filters,
    (filter) =>
      node.keys.length > 0 && columnsOf(filter).size > 0 && [...columnsOf(filter)].every((id) => keys.has(id)),
  );
  const input = push(
    node.input,
    pushed.map((filter) => substituted(filter, keys)),
  );
  return above({ ...node, input }, kept);
}

/** Conjuncts over columns of the input; rows with empty lists never come out, so those that may fail stay above. */
function pushUnnest(node: Extract<LogicalNode, { kind: 'unnest' }>, filters: readonly BoundExpr[]): LogicalNode {
  const below = new Set(node.keep.map((column) => column.id));
  const { pushed, kept } = split(
    filters,
    (filter) => !isFallible(filter) && [...columnsOf(filter)].every((id) => below.has(id)),
  );
  return above({ ...node, input: push(node.input, pushed) }, kept);
}
