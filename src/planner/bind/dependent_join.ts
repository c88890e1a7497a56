import { BOOL } from '../../common/data_type.ts';
import type { BoundExpr, ColumnId } from '../logical/expression.ts';
import { mapColumns } from '../logical/expression.ts';
import type {
  ComputedColumn,
  LogicalAggregate,
  LogicalColumn,
  LogicalJoin,
  LogicalNode,
  LogicalShared,
  LogicalUnionAll,
  LogicalValues,
} from '../logical/node.ts';
import { columnRef, outputOf, withInputs } from '../logical/node.ts';
import { mapExpressions } from '../optimize/map_expressions.ts';
import type { Binder } from './context.ts';
import { overNothing } from './decorrelate.ts';
import { freeColumns } from './free_columns.ts';
import { limitEach } from './limit_each.ts';

const NOWHERE = { start: 0, end: 0 };

/** Columns of the rows around → columns of a plan that have their values. */
export type Domain = ReadonlyMap<ColumnId, LogicalColumn>;

/** A plan made for each row of a domain: its rows with the domain's row that they belong to. */
export interface Pushed {
  readonly node: LogicalNode;
  readonly domain: Domain;
}

/** A query beside rows that it refers to, without these references. */
export interface Unnested {
  /** the rows, which from now on are read from one place */
  readonly left: LogicalNode;
  readonly right: LogicalNode;
  /** what ties a row of the query to the row that it was made for */
  readonly conditions: readonly BoundExpr[];
}

/**
 * Makes the query once for each distinct combination of the values that it reads of `left` (its domain), not once a row.
 * The domain is pushed down to where nothing refers to it any more; there it is a plain product.
 * After T. Neumann, A. Kemper: Unnesting Arbitrary Queries (BTW 2015).
 */
export function unnestDependent(left: LogicalNode, right: LogicalNode, binder: Binder): Unnested {
  const free = freeColumns(right);
  const read = outputOf(left).filter((column) => free.has(column.id));
  if (read.length === 0) return { left, right, conditions: [] };
  const key = binder.newId();
  const shared = (fresh: boolean): LogicalShared => ({
    kind: 'shared',
    key,
    body: left,
    columns: outputOf(left).map((column) => ({ ...column, id: fresh ? binder.newId() : column.id, source: column.id })),
  });
  const newDomain = (): Pushed => {
    const rows = shared(true);
    const keys = read.map((column): ComputedColumn => {
      const source = rows.columns.find((c) => c.source === column.id) as LogicalColumn;
      return { ...column, id: binder.newId(), expr: columnRef(source, NOWHERE) };
    });
    const domain = new Map(read.map((column, i) => [column.id, keys[i] as LogicalColumn]));
    return { node: { kind: 'aggregate', input: rows, keys, aggregates: [] }, domain };
  };
  const pushed = new DependentJoin(new Set(read.map((column) => column.id)), newDomain, binder).push(right);
  return {
    left: shared(false),
    right: pushed.node,
    conditions: read.map((column) => sameValue(column, pushed.domain.get(column.id) as LogicalColumn)),
  };
}

/** NULL equals NULL. */
function sameValue(a: LogicalColumn, b: LogicalColumn): BoundExpr {
  const args = [columnRef(a, NOWHERE), columnRef(b, NOWHERE)];
  return { kind: 'call', fn: 'is_not_distinct_from', args, fallible: false, type: BOOL, span: NOWHERE };
}

const passed = (column: LogicalColumn): ComputedColumn => ({ ...column, expr: columnRef(column, NOWHERE) });

class DependentJoin {
  readonly #free: ReadonlySet<ColumnId>;
  readonly #newDomain: () => Pushed;
  readonly #binder: Binder;
  readonly #shared = new Map<number, { readonly body: Pushed; readonly key: number }>();

  constructor(free: ReadonlySet<ColumnId>, newDomain: () => Pushed, binder: Binder) {
    this.#free = free;
    this.#newDomain = newDomain;
    this.#binder = binder;
  }

  push(node: LogicalNode): Pushed {
    if (!this.#isDependent(node)) return this.#product(node);
    switch (node.kind) {
      case 'filter':
      case 'sort': {
        const input = this.push(node.input);
        return { ...input, node: withInputs(this.#over(node, input.domain), [input.node]) };
      }
      case 'project': {
        const input = this.push(node.input);
        const { columns } = this.#over(node, input.domain);
        const through = [...input.domain.values()].filter((column) => columns.every((own) => own.id !== column.id));
        return { ...input, node: { ...node, input: input.node, columns: [...through.map(passed), ...columns] } };
      }
      case 'unnest': {
        const input = this.push(node.input);
        const unnest = this.#over(node, input.domain);
        return { ...input, node: { ...unnest, input: input.node, keep: [...input.domain.values(), ...node.keep] } };
      }
      case 'aggregate':
        return this.#aggregate(node);
      case 'limit': {
        const keys = node.input.kind === 'sort' ? node.input.keys : [];
        const rows = node.input.kind === 'sort' ? node.input.input : node.input;
        const input = this.push(rows);
        const order = keys.map((key) => ({ ...key, expr: substituted(key.expr, input.domain) }));
        return limitEach(
          { input, output: outputOf(rows), order, limit: node.limit, offset: node.offset },
          this.#binder,
        );
      }
      case 'join':
        return this.#join(node);
      case 'union_all':
        return this.#union(node);
      case 'values':
        return this.#values(node);
      case 'shared':
        return this.#sharedReader(node);
      default:
        throw new Error(`a dependent ${node.kind}`);
    }
  }

  #isDependent(node: LogicalNode): boolean {
    for (const id of freeColumns(node)) if (this.#free.has(id)) return true;
    return false;
  }

  /** The node with columns of the domain instead of those around; inputs as they are. */
  #over<Node extends LogicalNode>(node: Node, domain: Domain): Node {
    return mapExpressions(node, (expr) => substituted(expr, domain)) as Node;
  }

  #product(node: LogicalNode): Pushed {
    const domain = this.#newDomain();
    if (node.kind === 'values' && node.columns.length === 0 && node.rows.length === 1) return domain;
    return { ...domain, node: this.#pairs(domain.node, node, []) };
  }

  #pairs(left: LogicalNode, right: LogicalNode, residual: readonly BoundExpr[], type: 'inner' | 'left' = 'inner') {
    const join: LogicalJoin = {
      kind: 'join',
      type,
      left,
      right,
      keys: [],
      residual,
      columns: [...outputOf(left), ...outputOf(right)],
      mark: null,
      nullAware: false,
      span: NOWHERE,
    };
    return join;
  }

  #same(a: Domain, b: Domain): BoundExpr[] {
    return [...a].map(([id, column]) => sameValue(column, b.get(id) as LogicalColumn));
  }

  /** Groups are made for each row of the domain; without keys there is one for each, also over no rows. */
  #aggregate(node: LogicalAggregate): Pushed {
    const input = this.push(node.input);
    const over = this.#over(node, input.domain);
    const added = [...input.domain].map(
      ([id, column]) => [id, { ...passed(column), id: this.#binder.newId() }] as const,
    );
    const keys = [...added.map(([, column]) => column), ...over.keys];
    if (node.keys.length > 0) return { node: { ...over, input: input.node, keys }, domain: new Map(added) };
    const aggregates = over.aggregates.map((column) => ({ ...column, id: this.#binder.newId() }));
    const grouped: LogicalNode = { ...over, input: input.node, keys, aggregates };
    const all = this.#newDomain();
    const joined = this.#pairs(all.node, grouped, this.#same(all.domain, new Map(added)), 'left');
    const columns = node.aggregates.map((column, i): ComputedColumn => {
      const value = columnRef(aggregates[i] as LogicalColumn, column.call.span);
      const nothing = overNothing(column);
      const isNull = nothing.kind === 'literal' && nothing.value === null;
      const { id, name, type } = column;
      const expr: BoundExpr = isNull
        ? value
        : { kind: 'coalesce', args: [value, nothing], type, span: column.call.span };
      return { id, name, type, expr };
    });
    const through = [...all.domain.values()].map(passed);
    return { node: { kind: 'project', input: joined, columns: [...through, ...columns] }, domain: all.domain };
  }

  /** Of an inner join the side that refers to rows around, of others the side that is kept, and the other if it does. */
  #join(node: LogicalJoin): Pushed {
    const rightToo = this.#isDependent(node.right);
    const onlyRight = node.type === 'inner' && rightToo && !this.#isDependent(node.left);
    const left = onlyRight ? { node: node.left, domain: null } : this.push(node.left);
    const right = rightToo || node.type === 'full' ? this.push(node.right) : { node: node.right, domain: null };
    const domain = (left.domain ?? right.domain) as Domain;
    const join = this.#over(node, domain);
    const same = left.domain === null || right.domain === null ? [] : this.#same(left.domain, right.domain);
    const joined: LogicalJoin = {
      ...join,
      left: left.node,
      right: right.node,
      residual: [...join.residual, ...same],
      columns: [...domain.values(), ...node.columns],
    };
    if (node.type !== 'full') return { node: joined, domain };
    const other = right.domain as Domain;
    const merged = new Map<ColumnId, ComputedColumn>();
    for (const [id, column] of domain) {
      const args = [columnRef(column, NOWHERE), columnRef(other.get(id) as LogicalColumn, NOWHERE)];
      const expr: BoundExpr = { kind: 'coalesce', args, type: column.type, span: NOWHERE };
      merged.set(id, { ...column, id: this.#binder.newId(), expr });
    }
    const both = { ...joined, columns: [...domain.values(), ...other.values(), ...node.columns] };
    const columns = [...merged.values(), ...node.columns.map(passed)];
    return { node: { kind: 'project', input: both, columns }, domain: merged };
  }

  #union(node: LogicalUnionAll): Pushed {
    const first = node.inputs.map((input) => ({ input, pushed: this.push(input) }));
    const added = [...(first[0] as (typeof first)[number]).pushed.domain].map(
      ([id, column]) => [id, { ...column, id: this.#binder.newId() }] as const,
    );
    const inputs = first.map(({ input, pushed }): LogicalNode => {
      const columns = [...added.map(([id]) => pushed.domain.get(id) as LogicalColumn), ...outputOf(input)];
      return { kind: 'project', input: pushed.node, columns: columns.map(passed) };
    });
    const columns = [...added.map(([, column]) => column), ...node.columns];
    return { node: { kind: 'union_all', inputs, columns }, domain: new Map(added) };
  }

  /** Each row of values is a projection of the domain. */
  #values(node: LogicalValues): Pushed {
    const rows = node.rows.map((row): Pushed => {
      const domain = this.#newDomain();
      const columns = row.map((cell, i): ComputedColumn => {
        const { name, type } = node.columns[i] as LogicalColumn;
        return { id: this.#binder.newId(), name, type, expr: substituted(cell, domain.domain) };
      });
      const through = [...domain.domain.values()].map(passed);
      return { ...domain, node: { kind: 'project', input: domain.node, columns: [...through, ...columns] } };
    });
    const added = [...(rows[0] as Pushed).domain].map(
      ([id, column]) => [id, { ...column, id: this.#binder.newId() }] as const,
    );
    const columns = [...added.map(([, column]) => column), ...node.columns];
    return { node: { kind: 'union_all', inputs: rows.map((row) => row.node), columns }, domain: new Map(added) };
  }

  /** All readers of a shared subplan read one that is made for the domain. */
  #sharedReader(node: LogicalShared): Pushed {
    const known = this.#shared.get(node.key) ?? { body: this.push(node.body), key: this.#binder.newId() };
    this.#shared.set(node.key, known);
    const added = [...known.body.domain].map(
      ([id, column]) => [id, { ...column, id: this.#binder.newId(), source: column.id }] as const,
    );
    const columns = [...added.map(([, column]) => column), ...node.columns];
    return { node: { ...node, key: known.key, body: known.body.node, columns }, domain: new Map(added) };
  }
}

function substituted(expr: BoundExpr, domain: Domain): BoundExpr {
  return mapColumns(expr, (column) => {
    const instead = domain.get(column.column);
    return instead === undefined ? undefined : columnRef(instead, column.span);
  });
}
