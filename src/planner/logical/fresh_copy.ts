import { mapExpressions } from '../optimize/map_expressions.ts';
import type { ColumnId } from './expression.ts';
import { mapColumns } from './expression.ts';
import type { LogicalColumn, LogicalNode } from './node.ts';
import { inputsOf, withInputs } from './node.ts';

/** A plan like another one with column ids of its own. */
export interface FreshCopy {
  readonly node: LogicalNode;
  /** new ids of the columns that the plan gives anywhere */
  readonly ids: ReadonlyMap<ColumnId, ColumnId>;
}

/** Copies a plan so that both may stand in one; columns of rows around it stay what they are. */
export function freshCopy(root: LogicalNode, newId: () => ColumnId): FreshCopy {
  const ids = new Map<ColumnId, ColumnId>();
  const fresh = <T extends LogicalColumn>(column: T): T => {
    const id = ids.get(column.id) ?? newId();
    ids.set(column.id, id);
    return { ...column, id };
  };
  const copy = (node: LogicalNode): LogicalNode => {
    const inputs = withInputs(node, inputsOf(node).map(copy));
    const renamed = mapExpressions(inputs, (expr) =>
      mapColumns(expr, (column) => {
        const id = ids.get(column.column);
        return id === undefined ? undefined : { ...column, column: id };
      }),
    );
    return withFreshColumns(renamed, fresh);
  };
  return { node: copy(root), ids };
}

function withFreshColumns(node: LogicalNode, fresh: <T extends LogicalColumn>(column: T) => T): LogicalNode {
  switch (node.kind) {
    case 'scan':
      return freshScan(node, fresh);
    case 'values':
    case 'union_all':
      return { ...node, columns: node.columns.map(fresh) };
    case 'generate':
      return { ...node, columns: node.columns.map(fresh) };
    case 'project':
      return { ...node, columns: node.columns.map(fresh) };
    case 'shared':
      return { ...node, columns: node.columns.map(fresh) };
    case 'range':
      return { ...node, column: fresh(node.column) };
    case 'aggregate':
      return { ...node, keys: node.keys.map(fresh), aggregates: node.aggregates.map(fresh) };
    case 'unnest':
      return {
        ...node,
        keep: node.keep.map(fresh),
        lists: node.lists.map(fresh),
        ordinality: node.ordinality === null ? null : fresh(node.ordinality),
      };
    case 'join':
      return { ...node, columns: node.columns.map(fresh), mark: node.mark === null ? null : fresh(node.mark) };
    case 'filter':
    case 'sort':
    case 'limit':
    case 'top_k':
      return node;
  }
}

/** The filter of a scan reads the columns of the scan itself. */
function freshScan(
  node: Extract<LogicalNode, { kind: 'scan' }>,
  fresh: <T extends LogicalColumn>(column: T) => T,
): LogicalNode {
  const columns = node.columns.map(fresh);
  const ids = new Map(node.columns.map((column, i) => [column.id, columns[i]?.id as ColumnId]));
  const filter = node.filter.map((conjunct) =>
    mapColumns(conjunct, (column) => {
      const id = ids.get(column.column);
      return id === undefined ? undefined : { ...column, column: id };
    }),
  );
  return { ...node, columns, filter };
}
