import { describe, expect, test } from 'vitest';
import type { TableColumn } from '../../../src/catalog/file_table.ts';
import { BOOL, INT64 } from '../../../src/common/data_type.ts';
import type { BoundExpr } from '../../../src/planner/logical/expression.ts';
import type { LogicalColumn, LogicalJoin, LogicalScan } from '../../../src/planner/logical/node.ts';
import { columnRef } from '../../../src/planner/logical/node.ts';
import { joinGraph } from '../../../src/planner/optimize/join_graph.ts';
import { searchJoinTree, searchWithin } from '../../../src/planner/optimize/join_search.ts';
import type { JoinTree } from '../../../src/planner/optimize/join_tree.ts';
import { SAMPLE_TABLE } from '../sample_table.ts';

const SPAN = { start: 0, end: 0 };
let nextId = 0;

/** A table of integer columns with their numbers of distinct values. */
function table(name: string, rows: number, columns: Readonly<Record<string, number>>) {
  const names = Object.keys(columns);
  const tableColumns = names.map(
    (column): TableColumn => ({
      name: column,
      type: INT64,
      source: 'field',
      field: column,
      nth: 0,
      unsupported: null,
      bounds: null,
      distinct: columns[column] as number,
    }),
  );
  const scanned = names.map((column, index) => ({ id: nextId++, name: column, type: INT64, index }));
  const node: LogicalScan = {
    kind: 'scan',
    table: { ...SAMPLE_TABLE, rows, columns: tableColumns, label: name },
    columns: scanned,
    filter: [],
    limit: null,
  };
  return { node, column: (column: string) => scanned[names.indexOf(column)] as LogicalColumn };
}

const equal = (a: LogicalColumn, b: LogicalColumn): BoundExpr => ({
  kind: 'call',
  fn: 'eq',
  args: [columnRef(a, SPAN), columnRef(b, SPAN)],
  fallible: false,
  type: BOOL,
  span: SPAN,
});

function shape(tree: JoinTree): string {
  if (tree.relation !== null) return (tree.relation.node as LogicalScan).table.label;
  return `(${shape(tree.left as JoinTree)} ${shape(tree.right as JoinTree)})`;
}

describe('join order', () => {
  test('joins the table that keeps the fewest rows first', () => {
    const facts = table('facts', 1_000_000, { a: 1000, b: 1000 });
    const wide = table('wide', 1000, { a: 1000 });
    const narrow = table('narrow', 10, { b: 1000 });
    const graph = joinGraph(
      [facts.node, wide.node, narrow.node],
      [equal(facts.column('a'), wide.column('a')), equal(facts.column('b'), narrow.column('b'))],
    );
    expect(shape(searchJoinTree(graph))).toBe('((facts narrow) wide)');
  });

  test('takes no equality of few values where keys lead round it', () => {
    // both demographics are also tied to each other by two columns of seven and five values
    const sales = table('sales', 100_000, { d1: 100_000, d2: 100_000 });
    const one = table('one', 1_900_000, { sk: 1_900_000, status: 5, education: 7 });
    const two = table('two', 1_900_000, { sk: 1_900_000, status: 5, education: 7 });
    const graph = joinGraph(
      [one.node, two.node, sales.node],
      [
        equal(one.column('status'), two.column('status')),
        equal(one.column('education'), two.column('education')),
        equal(sales.column('d1'), one.column('sk')),
        equal(sales.column('d2'), two.column('sk')),
      ],
    );
    expect(shape(searchJoinTree(graph))).toMatch(/^\((one|two) \((one|two) sales\)\)$/);
  });

  test('uses equalities that follow from others', () => {
    const a = table('a', 1_000_000, { x: 1000 });
    const b = table('b', 1_000_000, { x: 1000 });
    const c = table('c', 1, { x: 1000 });
    const graph = joinGraph(
      [a.node, b.node, c.node],
      [equal(a.column('x'), b.column('x')), equal(b.column('x'), c.column('x'))],
    );
    expect(graph.classes.map((one) => one.members.length)).toEqual([3]);
    const tree = searchJoinTree(graph);
    expect(shape(tree)).toMatch(/^\((a \(b c\)|b \(a c\))\)$/);
    expect(Math.round(tree.rows)).toBe(1_000_000);
  });

  test('leaves tables without an equality to the end', () => {
    const a = table('a', 100, { x: 10 });
    const lone = table('lone', 2, { y: 2 });
    const b = table('b', 100, { x: 10 });
    const graph = joinGraph([a.node, lone.node, b.node], [equal(a.column('x'), b.column('x'))]);
    expect(shape(searchJoinTree(graph))).toBe('((a b) lone)');
  });

  test('finds a tree of all relations when the exact search gives up', () => {
    const hub = table('hub', 1_000_000, Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`k${i}`, 100])));
    const spokes = Array.from({ length: 18 }, (_, i) => table(`s${i}`, 100 - i, { k: 100 }));
    const conditions = spokes.map((spoke, i) => equal(hub.column(`k${i}`), spoke.column('k')));
    const graph = joinGraph([hub.node, ...spokes.map((spoke) => spoke.node)], conditions);
    const tree = searchJoinTree(graph, 50);
    expect(tree.set).toBe(2 ** 19 - 1);
    expect(shape(tree)).toContain('(hub s17)');
  });

  test('looks at each pair of connected sets of a star of ten tables once', () => {
    const hub = table('hub', 1_000_000, Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, 100])));
    const spokes = Array.from({ length: 9 }, (_, i) => table(`s${i}`, 100 - i, { k: 100 }));
    const conditions = spokes.map((spoke, i) => equal(hub.column(`k${i}`), spoke.column('k')));
    const effort = { pairs: 0, budget: 20_000 };
    searchWithin(joinGraph([hub.node, ...spokes.map((spoke) => spoke.node)], conditions), effort);
    // the hub with any of the others, and one more: 9 · 2^8
    expect(effort.pairs).toBe(2304);
  });

  test('exact and greedy agree on a small star', () => {
    const hub = table('hub', 1_000_000, { a: 100, b: 100, c: 100 });
    const spokes = [table('s0', 90, { k: 100 }), table('s1', 10, { k: 100 }), table('s2', 50, { k: 100 })];
    const conditions = spokes.map((spoke, i) => equal(hub.column('abc'[i] as string), spoke.column('k')));
    const graph = joinGraph([hub.node, ...spokes.map((spoke) => spoke.node)], conditions);
    expect(shape(searchJoinTree(graph))).toBe('(((hub s1) s2) s0)');
    expect(shape(searchJoinTree(graph, 0))).toBe('(((hub s1) s2) s0)');
  });
});

/** A join of which only the right side is a relation. */
function hanging(type: LogicalJoin['type'], left: LogicalScan, right: LogicalScan, on: BoundExpr): LogicalJoin {
  const [a, b] = (on.kind === 'call' ? on.args : []) as readonly [BoundExpr, BoundExpr];
  const columns = [...left.columns, ...(type === 'left' ? right.columns : [])];
  return {
    kind: 'join',
    type,
    left,
    right,
    keys: [{ left: a, right: b, nullSafe: false, condition: on }],
    residual: [],
    columns,
    mark: null,
    nullAware: false,
    span: SPAN,
  };
}

describe('joins that look at one left row at a time', () => {
  const hub = table('hub', 1_000_000, { a: 1000, b: 1000, c: 1000 });
  const few = table('few', 100, { k: 1000 });
  const most = table('most', 900, { k: 1000 });
  const on = (left: string, right: typeof few) => equal(hub.column(left), right.column('k'));

  test('a semi join stands where it leaves fewer rows to the others', () => {
    const first = joinGraph(
      [hub.node, most.node],
      [on('a', most)],
      [hanging('semi', hub.node, few.node, on('b', few))],
    );
    expect(shape(searchJoinTree(first))).toBe('((hub few) most)');
    const last = joinGraph([hub.node, few.node], [on('a', few)], [hanging('semi', hub.node, most.node, on('b', most))]);
    expect(shape(searchJoinTree(last))).toBe('((hub few) most)');
    expect(shape(searchJoinTree(last, 0))).toBe('((hub few) most)');
  });

  test('a left join waits until inner joins have left out rows', () => {
    const graph = joinGraph(
      [hub.node, few.node],
      [on('a', few)],
      [hanging('left', hub.node, most.node, on('b', most))],
    );
    expect(shape(searchJoinTree(graph))).toMatch(/^\((most \(hub few\)|\(hub few\) most)\)$/);
  });

  test('it never meets a relation that it does not read first', () => {
    const other = table('other', 10, { c: 1000 });
    const both = joinGraph(
      [hub.node, most.node, other.node],
      [on('a', most), equal(hub.column('c'), other.column('c'))],
      [hanging('anti', most.node, few.node, equal(most.column('k'), few.column('k')))],
    );
    for (const budget of [20_000, 0]) {
      expect(shape(searchJoinTree(both, budget))).not.toMatch(/\((hub|other) few\)|\(few (hub|other)\)/);
    }
  });
});
