import type { LogicalNode, LogicalPlan } from '../logical/node.ts';
import { inlineUnshared, mapTrees } from '../logical/shared.ts';
import { inferFilters } from './infer_filters.ts';
import { mergeProjects } from './merge_projects.ts';
import { metadataAggregates } from './metadata_aggregates.ts';
import { openMarks } from './open_marks.ts';
import { orderJoins } from './order_joins.ts';
import { projectAfterTopK } from './project_after_top_k.ts';
import { pruneColumns } from './prune_columns.ts';
import { pushFilters } from './push_filters.ts';
import { pushLimits } from './push_limits.ts';
import { shareSubplans } from './share_subplans.ts';
import { simplifyAggregates } from './simplify_aggregates.ts';
import { simplifyNodes } from './simplify_nodes.ts';

type Rule = (root: LogicalNode) => LogicalNode;

/** In the order of application; each keeps the result and the errors that rows may raise. */
const BEFORE_MARKS: readonly Rule[] = [simplifyNodes, mergeProjects, pushFilters];
const AFTER_MARKS: readonly Rule[] = [
  inferFilters,
  orderJoins,
  simplifyNodes,
  simplifyAggregates,
  mergeProjects,
  metadataAggregates,
  pushLimits,
  projectAfterTopK,
];

/** Rewrites a plan into a cheaper one with the same result. */
export function optimize(plan: LogicalPlan): LogicalPlan {
  const opened = openMarks(ruled(inlineUnshared(plan.root), BEFORE_MARKS));
  const pruned = pruneColumns({ ...plan, root: inlineUnshared(ruled(opened, AFTER_MARKS)) });
  // last: only what all readers leave in a subplan can be common to them
  return { ...pruned, root: shareSubplans(pruned.root) };
}

/** Rules see one tree, so none may give out column ids: openMarks and shareSubplans do, for the whole plan. */
function ruled(root: LogicalNode, rules: readonly Rule[]): LogicalNode {
  return mapTrees(root, (tree) => rules.reduce((node, rule) => rule(node), tree));
}
