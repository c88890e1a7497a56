import type { BoundExpr } from '../logical/expression.ts';
import { isFallible } from '../logical/fallible.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { inputsOf, outputOf, withInputs } from '../logical/node.ts';
import type { JoinGraph, Member } from './join_graph.ts';
import { joinGraph } from './join_graph.ts';
import { searchJoinTree } from './join_search.ts';
import type { JoinTree } from './join_tree.ts';
import { covers } from './join_tree.ts';
import { pushFilters } from './push_filters.ts';

/** Bits of a set of relations. */
const MOST_RELATIONS = 30;

/**
 * Inner joins of three and more relations in the cheapest order. What equalities make equal is one class: for a = b AND
 * b = c also a and c may be joined, and each join tests one pair of each class.
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
  if (node.kind !== 'join' || node.type !== 'inner') return withInputs(node, inputsOf(node).map(order));
  const relations: LogicalNode[] = [];
  const conditions: BoundExpr[] = [];
  collect(node, relations, conditions);
  if (relations.length < 3 || relations.length > MOST_RELATIONS || conditions.some(isFallible)) {
    return withInputs(node, inputsOf(node).map(order));
  }
  const graph = joinGraph(relations.map(order), conditions);
  const joined = built(searchJoinTree(graph), graph, node);
  const open = graph.residuals.filter((residual) => residual.set === 0).map((residual) => residual.condition);
  return open.length === 0 ? joined : { kind: 'filter', input: joined, predicate: open };
}

/** Relations and conditions of a tree of inner joins. */
function collect(node: LogicalNode, relations: LogicalNode[], conditions: BoundExpr[]): void {
  if (node.kind !== 'join' || node.type !== 'inner') {
    relations.push(node);
    return;
  }
  collect(node.left, relations, conditions);
  collect(node.right, relations, conditions);
  conditions.push(...node.keys.map((key) => key.condition), ...node.residual);
}

/** A tree as nodes, with the conditions that can be tested from each join on. */
function built(tree: JoinTree, graph: JoinGraph, top: LogicalJoin): LogicalNode {
  if (tree.relation !== null) return tree.relation.node;
  const [a, b] = [tree.left as JoinTree, tree.right as JoinTree];
  const [left, right] = [built(a, graph, top), built(b, graph, top)];
  const equalities = graph.classes.flatMap((one): BoundExpr[] => {
    const [first, second] = [memberIn(one.members, a), memberIn(one.members, b)];
    if (first === undefined || second === undefined) return [];
    return [{ ...one.example, args: [first.expr, second.expr] }];
  });
  const ready = graph.residuals.filter(
    ({ set }) => set !== 0 && covers(tree.set, set) && !covers(a.set, set) && !covers(b.set, set),
  );
  return {
    ...top,
    left,
    right,
    keys: [],
    residual: [...equalities, ...within(graph, tree), ...ready.map((residual) => residual.condition)],
    columns: [...outputOf(left), ...outputOf(right)],
  };
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
