import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { collectColumns } from '../logical/expression.ts';
import type { LogicalColumn, LogicalNode, LogicalPlan } from '../logical/node.ts';
import { columnRef, outputOf, rewriteUp } from '../logical/node.ts';
import { readersFirst } from '../logical/shared.ts';

/** Every node produces only columns that something above it reads, so that scans read only those. */
export function pruneColumns(plan: LogicalPlan): LogicalPlan {
  const readers = new Map<number, Set<ColumnId>>();
  const root = prune(plan.root, new Set(plan.columns.map((column) => column.id)), readers);
  const bodies = new Map<number, LogicalNode>();
  for (const { key, body } of readersFirst(plan.root))
    bodies.set(key, prune(body, readers.get(key) ?? new Set(), readers));
  const whole = new Map<number, LogicalNode>();
  const withBody = (node: LogicalNode): LogicalNode => {
    if (node.kind !== 'shared') return node;
    const body = whole.get(node.key) ?? rewriteUp(bodies.get(node.key) ?? node.body, withBody);
    whole.set(node.key, body);
    return { ...node, body };
  };
  return { root: exactly(rewriteUp(root, withBody), plan.columns), columns: plan.columns };
}

/** Columns that readers of shared subplans want, by key. */
type Readers = Map<number, Set<ColumnId>>;

/** A node whose output is exactly `columns`, by a projection where it has more. */
function exactly(node: LogicalNode, columns: readonly LogicalColumn[]): LogicalNode {
  const output = outputOf(node);
  if (output.length === columns.length && output.every((column, i) => column.id === columns[i]?.id)) return node;
  return {
    kind: 'project',
    input: node,
    columns: columns.map((column) => ({ ...column, expr: columnRef(column, NOWHERE) })),
  };
}

const NOWHERE = { start: 0, end: 0 };

type Needed = ReadonlySet<ColumnId>;

function reading(needed: Needed, exprs: readonly BoundExpr[]): Set<ColumnId> {
  const all = new Set(needed);
  for (const expr of exprs) collectColumns(expr, all);
  return all;
}

function prune(node: LogicalNode, needed: Needed, readers: Readers): LogicalNode {
  const wanted = <T extends LogicalColumn>(columns: readonly T[]): readonly T[] =>
    columns.every((column) => needed.has(column.id)) ? columns : columns.filter((column) => needed.has(column.id));
  switch (node.kind) {
    case 'scan': {
      const all = reading(needed, node.filter);
      return { ...node, columns: node.columns.filter((column) => all.has(column.id)) };
    }
    case 'range':
      return node;
    case 'shared': {
      const columns = wanted(node.columns);
      const sources = readers.get(node.key) ?? new Set();
      for (const column of columns) sources.add(column.source);
      readers.set(node.key, sources);
      return { ...node, columns };
    }
    case 'values': {
      const kept = node.columns.map((column) => needed.has(column.id));
      const rows = node.rows.map((row) => row.filter((_, i) => kept[i]));
      return { ...node, columns: wanted(node.columns), rows };
    }
    case 'generate':
      return { ...node, columns: wanted(node.columns) };
    case 'filter':
      return { ...node, input: prune(node.input, reading(needed, node.predicate), readers) };
    case 'project': {
      const columns = wanted(node.columns);
      const input = prune(
        node.input,
        reading(
          new Set(),
          columns.map((column) => column.expr),
        ),
        readers,
      );
      return { ...node, input, columns };
    }
    case 'aggregate': {
      const aggregates = wanted(node.aggregates);
      const exprs = [
        ...node.keys.map((key) => key.expr),
        ...aggregates.flatMap(({ call }) => [
          ...call.args,
          ...(call.filter === null ? [] : [call.filter]),
          ...call.order.map((key) => key.expr),
        ]),
      ];
      return { ...node, input: prune(node.input, reading(new Set(), exprs), readers), aggregates };
    }
    case 'sort':
    case 'top_k':
      return {
        ...node,
        input: prune(
          node.input,
          reading(
            needed,
            node.keys.map((key) => key.expr),
          ),
          readers,
        ),
      };
    case 'limit':
      return { ...node, input: prune(node.input, needed, readers) };
    case 'union_all':
      return pruneUnion(node, needed, readers);
    case 'join': {
      const read = reading(needed, [...node.residual, ...node.keys.flatMap((key) => [key.left, key.right])]);
      const columns = node.columns.filter((column) => needed.has(column.id) || column.id === node.mark?.id);
      return { ...node, left: prune(node.left, read, readers), right: prune(node.right, read, readers), columns };
    }
    case 'unnest': {
      const keep = wanted(node.keep);
      const kept = new Set(keep.map((column) => column.id));
      const input = prune(
        node.input,
        reading(
          kept,
          node.lists.map((list) => list.expr),
        ),
        readers,
      );
      return { ...node, input, keep };
    }
  }
}

/** Columns of a union are pruned by place on all sides. */
function pruneUnion(node: Extract<LogicalNode, { kind: 'union_all' }>, needed: Needed, readers: Readers): LogicalNode {
  const places = node.columns.flatMap((column, i) => (needed.has(column.id) ? [i] : []));
  const inputs = node.inputs.map((input) => {
    const output = outputOf(input);
    const columns = places.map((i) => output[i] as LogicalColumn);
    return exactly(prune(input, new Set(columns.map((column) => column.id)), readers), columns);
  });
  return { ...node, inputs, columns: places.map((i) => node.columns[i] as LogicalColumn) };
}
