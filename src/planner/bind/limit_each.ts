import { INT64, list } from '../../common/data_type.ts';
import { literal, mapColumns } from '../logical/expression.ts';
import { freshCopy } from '../logical/fresh_copy.ts';
import type { AggregateColumn, ComputedColumn, LogicalColumn, LogicalNode, LogicalSortKey } from '../logical/node.ts';
import { columnRef } from '../logical/node.ts';
import { buildCall } from './call.ts';
import type { Binder } from './context.ts';
import type { Pushed } from './dependent_join.ts';

const NOWHERE = { start: 0, end: 0 };

export interface EachLimit {
  readonly input: Pushed;
  /** columns that come out beside the domain */
  readonly output: readonly LogicalColumn[];
  readonly order: readonly LogicalSortKey[];
  readonly limit: number | null;
  readonly offset: number;
}

/**
 * ORDER BY and LIMIT for each row of a domain: the first row is first(x ORDER BY …) of every column, more rows are a
 * slice of list(x ORDER BY …), unnested again.
 */
export function limitEach({ input, output, order, limit, offset }: EachLimit, binder: Binder): Pushed {
  const copy = freshCopy(input.node, () => binder.newId());
  const renamed = <T extends LogicalColumn>(column: T): T => ({ ...column, id: copy.ids.get(column.id) ?? column.id });
  const keys = [...input.domain].map(
    ([id, column]) => [id, { ...column, id: binder.newId(), expr: columnRef(renamed(column), NOWHERE) }] as const,
  );
  const domain = new Map<number, ComputedColumn>(keys);
  const values = output.map((column) => columnRef(renamed(column), NOWHERE));
  const sortKeys = order.map((key): LogicalSortKey => {
    const expr = mapColumns(key.expr, (column) => columnRef(renamed({ ...column, id: column.column }), column.span));
    return { ...key, expr };
  });
  // ties are broken the same way in every column
  const ties = values.length < 2 ? [] : values.map((expr) => ({ expr, descending: false, nullsFirst: false }));
  const aggregate = (fn: 'first' | 'list', column: LogicalColumn, at: number): AggregateColumn => ({
    ...column,
    call: {
      fn,
      args: [values[at] as ComputedColumn['expr']],
      distinct: false,
      filter: null,
      order: [...sortKeys, ...ties],
      span: NOWHERE,
    },
  });
  const grouped = (aggregates: readonly AggregateColumn[]): LogicalNode => ({
    kind: 'aggregate',
    input: copy.node,
    keys: [...domain.values()],
    aggregates,
  });
  if (limit === 1 && offset === 0) return { node: grouped(output.map((c, i) => aggregate('first', c, i))), domain };
  const lists = output.map((column, i) =>
    aggregate('list', { id: binder.newId(), name: column.name, type: list(column.type) }, i),
  );
  const last = limit === null ? -1 : offset + limit;
  const slices = output.map((column, i): ComputedColumn => {
    const bounds = [literal(BigInt(offset + 1), INT64, NOWHERE), literal(BigInt(last), INT64, NOWHERE)];
    return {
      ...column,
      expr: buildCall('list_slice', [columnRef(lists[i] as LogicalColumn, NOWHERE), ...bounds], NOWHERE),
    };
  });
  const rows = grouped(lists);
  if (limit === 0)
    return {
      node: { kind: 'limit', input: grouped(output.map((c, i) => aggregate('first', c, i))), limit: 0, offset: 0 },
      domain,
    };
  return {
    node: {
      kind: 'unnest',
      input: rows,
      keep: [...domain.values()].map(({ id, name, type }) => ({ id, name, type })),
      lists: slices,
      ordinality: null,
      outer: false,
    },
    domain,
  };
}
