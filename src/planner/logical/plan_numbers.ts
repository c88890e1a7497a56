import type { BoundExpr, ColumnId } from './expression.ts';
import { exprKey, mapColumns } from './expression.ts';
import type { AggregateCall, LogicalNode, LogicalSortKey } from './node.ts';
import { inputsOf, outputOf } from './node.ts';

/** Numbers for plans: equal for plans that give the same rows in columns of the same order, whatever ids these have. */
export class PlanNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #known = new WeakMap<LogicalNode, number>();

  of(node: LogicalNode): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const inputs = node.kind === 'shared' ? [] : inputsOf(node).map((input) => this.of(input));
    const key = JSON.stringify([node.kind, inputs, ownParts(node)]);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.#known.set(node, number);
    return number;
  }
}

/** Columns as places in the inputs' output; negative, so that none is the parameter of a lambda. */
function placesOf(node: LogicalNode): ReadonlyMap<ColumnId, number> {
  const columns = node.kind === 'scan' ? node.columns : inputsOf(node).flatMap(outputOf);
  return new Map(columns.map((column, i) => [column.id, -1 - i]));
}

/** What a node does to its inputs, without ids and names. */
function ownParts(node: LogicalNode): unknown {
  const places = placesOf(node);
  const expression = (expr: BoundExpr): string =>
    exprKey(
      mapColumns(expr, (column) => {
        const place = places.get(column.column);
        return place === undefined ? undefined : { ...column, column: place };
      }),
    );
  const sortKeys = (keys: readonly LogicalSortKey[]): unknown =>
    keys.map((key) => [expression(key.expr), key.descending, key.nullsFirst]);
  const call = ({ fn, args, distinct, filter, order }: AggregateCall): unknown => [
    fn,
    args.map(expression),
    distinct,
    filter === null ? null : expression(filter),
    sortKeys(order),
  ];
  switch (node.kind) {
    case 'scan': {
      const { table } = node;
      const columns = node.columns.map((column) => column.index);
      return [table.format, table.files, table.options, columns, node.filter.map(expression), node.limit];
    }
    case 'values':
      return [node.columns.length, node.rows.map((row) => row.map(expression))];
    case 'range':
      return [node.start, node.stop, node.step].map(String);
    case 'generate':
      return [node.generator, node.scale, String(node.seed), node.columns.map((column) => column.index)];
    case 'filter':
      return node.predicate.map(expression);
    case 'project':
      return node.columns.map((column) => [expression(column.expr), column.type]);
    case 'aggregate':
      return [
        node.keys.map((key) => expression(key.expr)),
        node.aggregates.map((column) => [call(column.call), column.type]),
      ];
    case 'sort':
      return sortKeys(node.keys);
    case 'limit':
      return [node.limit, node.offset];
    case 'top_k':
      return [sortKeys(node.keys), node.limit, node.offset];
    case 'union_all':
      return node.columns.map((column) => column.type);
    case 'unnest':
      return [
        node.keep.map((column) => places.get(column.id)),
        node.lists.map((list) => expression(list.expr)),
        node.ordinality !== null,
        node.outer,
      ];
    case 'join':
      return [
        node.type,
        node.keys.map((key) => [expression(key.left), expression(key.right), key.nullSafe]),
        node.residual.map(expression),
        node.columns.map((column) => places.get(column.id) ?? 'mark'),
        node.nullAware,
      ];
    case 'shared':
      return [node.key, node.columns.map((column) => column.source)];
  }
}
