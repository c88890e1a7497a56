import type { BoundExpr } from '../logical/expression.ts';
import { columnsOf } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { JoinType, LogicalJoin, LogicalNode } from '../logical/node.ts';
import { inputsOf, outputOf, withInputs } from '../logical/node.ts';
import type { JoinGraph, Member, Relation } from './join_graph.ts';
import { joinGraph } from './join_graph.ts';
import { searchJoinTree } from './join_search.ts';
import type { JoinTree } from './join_tree.ts';
import { covers, dependenceOf, readyResiduals } from './join_tree.ts';
import { pushFilters } from './push_filters.ts';

/** Bits of a set of relations. */
const MOST_RELATIONS = 30;

/**
 * Joins of three and more relations in the cheapest order. Semi, anti, mark and left joins look at one left row at a
 * time: they stand wherever they cost least once what they read is there. What equalities make equal is one class: for
 * a = b AND b = c also a and c may be joined, and each join tests one pair of each class.
 *
 *     Before: FROM a, b, c WHERE a.x = c.x AND b.y = c.y, as written
 *             join inner [a.x = c.x AND b.y = c.y]
 *               join inner            (all pairs of a and b)
 *     After:  join inner [b.y = c.y]
 *               join inner [a.x = c.x]
 *
 * When not: a condition that may raise an error stands among them, since it would see other pairs.
 */
export function orderJoins(root: LogicalNode): LogicalNode {
  const ordered = order(root);
  return ordered === root ? root : pushFilters(ordered);
}

function order(node: LogicalNode): LogicalNode {
  const tree: Collected = { relations: [], hanging: [], conditions: [] };
  collect(node, tree);
  const { relations, hanging, conditions } = tree;
  const count = relations.length + hanging.length;
  if (count < 3 || count > MOST_RELATIONS || conditions.some(isFallible)) {
    return withInputs(node, inputsOf(node).map(order));
  }
  const graph = joinGraph(
    relations.map(order),
    conditions,
    hanging.map((join) => ({ ...join, right: order(join.right) })),
  );
  const joined = built(searchJoinTree(graph), graph);
  const open = graph.residuals.filter((residual) => residual.set === 0).map((residual) => residual.condition);
  return open.length === 0 ? joined : { kind: 'filter', input: joined, predicate: open };
}

interface Collected {
  readonly relations: LogicalNode[];
  readonly hanging: LogicalJoin[];
  readonly conditions: BoundExpr[];
}

const DEPENDENT: ReadonlySet<JoinType> = new Set(['semi', 'anti', 'mark', 'left']);

/** Relations and conditions of a tree of joins whose order is free. */
function collect(node: LogicalNode, into: Collected): void {
  if (node.kind === 'filter' && isFree(node.input) && !node.predicate.some(isFallible)) {
    collect(node.input, into);
    into.conditions.push(...node.predicate);
  } else if (!isFree(node)) {
    into.relations.push(node);
  } else if (node.type === 'inner') {
    collect(node.left, into);
    collect(node.right, into);
    into.conditions.push(...node.keys.map((key) => key.condition), ...node.residual);
  } else {
    collect(node.left, into);
    into.hanging.push(node);
  }
}

function isFree(node: LogicalNode): node is LogicalJoin {
  if (node.kind !== 'join') return false;
  if (node.type === 'inner') return true;
  if (!DEPENDENT.has(node.type)) return false;
  const left = new Set(outputOf(node.left).map((column) => column.id));
  const reads = node.keys.some((key) => [...columnsOf(key.left)].some((id) => left.has(id)));
  return reads && ![...node.keys.map((key) => key.condition), ...node.residual].some(isFallible);
}

/** A tree as nodes, with the conditions that can be tested from each join on. */
function built(tree: JoinTree, graph: JoinGraph): LogicalNode {
  if (tree.relation !== null) return ownRows(tree.relation, graph);
  const [a, b] = [tree.left as JoinTree, tree.right as JoinTree];
  const [left, right] = [built(a, graph), built(b, graph)];
  const equalities = graph.classes.flatMap((one): BoundExpr[] => {
    const [first, second] = [memberIn(one.members, a), memberIn(one.members, b)];
    if (first === undefined || second === undefined) return [];
    return [{ ...one.example, args: [first.expr, second.expr] }];
  });
  const ready = readyResiduals(a, b, graph).map((residual) => residual.condition);
  const conditions = [...equalities, ...within(graph, tree), ...ready];
  const join = dependenceOf(b)?.join;
  if (join !== undefined) return hung({ ...join, left, right }, conditions);
  const columns = [...outputOf(left), ...outputOf(right)];
  return { ...INNER, left, right, residual: conditions, columns };
}

/** A relation with the conditions that read nothing else. */
function ownRows({ node, set, dependence }: Relation, graph: JoinGraph): LogicalNode {
  const own = graph.residuals.filter((residual) => residual.set === set).map((residual) => residual.condition);
  return own.length === 0 || dependence !== null ? node : { kind: 'filter', input: node, predicate: own };
}

const INNER = {
  kind: 'join',
  type: 'inner',
  keys: [],
  mark: null,
  nullAware: false,
  span: { start: 0, end: 0 },
} as const;

/** Conditions on what a dependent join gives are no part of it. */
function hung(join: LogicalJoin, conditions: readonly BoundExpr[]): LogicalNode {
  const given = join.type === 'left' ? outputOf(join.right) : join.mark === null ? [] : [join.mark];
  const node = { ...join, columns: [...outputOf(join.left), ...given] };
  return conditions.length === 0 ? node : { kind: 'filter', input: node, predicate: conditions };
}

const memberIn = (members: readonly Member[], tree: JoinTree): Member | undefined =>
  members.find((member) => covers(tree.set, member.set));

/** Members of a class in one relation, a.x = b.y AND a.z = b.y: equal to each other, tested where that relation is met. */
function within(graph: JoinGraph, tree: JoinTree): BoundExpr[] {
  const leaves = [tree.left, tree.right].flatMap((side) => (side?.relation == null ? [] : [side.relation]));
  return graph.classes.flatMap((one) =>
    leaves.flatMap((relation) => {
      const [first, ...others] = one.members.filter((member) => member.set === relation.set);
      return others.map((member): BoundExpr => ({ ...one.example, args: [(first as Member).expr, member.expr] }));
    }),
  );
}
