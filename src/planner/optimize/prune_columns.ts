import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { collectColumns } from '../logical/expression.ts';
import type { LogicalColumn, LogicalNode, LogicalPlan } from '../logical/node.ts';
import { columnRef, outputOf } from '../logical/node.ts';

/** Every node produces only columns that something above it reads, so that scans read only those. */
export function pruneColumns(plan: LogicalPlan): LogicalPlan {
  const root = prune(plan.root, new Set(plan.columns.map((column) => column.id)));
  return { root: exactly(root, plan.columns), columns: plan.columns };
}

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

function prune(node: LogicalNode, needed: Needed): LogicalNode {
  const wanted = <T extends LogicalColumn>(columns: readonly T[]): readonly T[] =>
    columns.every((column) => needed.has(column.id)) ? columns : columns.filter((column) => needed.has(column.id));
  switch (node.kind) {
    case 'scan': {
      const all = reading(needed, node.filter);
      return { ...node, columns: node.columns.filter((column) => all.has(column.id)) };
    }
    case 'range':
      return node;
    case 'values': {
      const kept = node.columns.map((column) => needed.has(column.id));
      const rows = node.rows.map((row) => row.filter((_, i) => kept[i]));
      return { ...node, columns: wanted(node.columns), rows };
    }
    case 'generate':
      return { ...node, columns: wanted(node.columns) };
    case 'filter':
      return { ...node, input: prune(node.input, reading(needed, node.predicate)) };
    case 'project': {
      const columns = wanted(node.columns);
      const input = prune(
        node.input,
        reading(
          new Set(),
          columns.map((column) => column.expr),
        ),
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
      return { ...node, input: prune(node.input, reading(new Set(), exprs)), aggregates };
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
        ),
      };
    case 'limit':
      return { ...node, input: prune(node.input, needed) };
    case 'union_all':
      return pruneUnion(node, needed);
    case 'join': {
      const read = reading(needed, [...node.residual, ...node.keys.flatMap((key) => [key.left, key.right])]);
      const columns = node.columns.filter((column) => needed.has(column.id) || column.id === node.mark?.id);
      return { ...node, left: prune(node.left, read), right: prune(node.right, read), columns };
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
      );
      return { ...node, input, keep };
    }
  }
}

/** Columns of a union are pruned by place on all sides. */
function pruneUnion(node: Extract<LogicalNode, { kind: 'union_all' }>, needed: Needed): LogicalNode {
  const places = node.columns.flatMap((column, i) => (needed.has(column.id) ? [i] : []));
  const inputs = node.inputs.map((input) => {
    const output = outputOf(input);
    const columns = places.map((i) => output[i] as LogicalColumn);
    return exactly(prune(input, new Set(columns.map((column) => column.id))), columns);
  });
  return { ...node, inputs, columns: places.map((i) => node.columns[i] as LogicalColumn) };
}
