import type { ColumnId } from '../logical/expression.ts';
import type { LogicalNode, LogicalPlan } from '../logical/node.ts';
import { idsAfter, inlineUnshared, mapTrees } from '../logical/shared.ts';
import { fetchLate } from './fetch_late.ts';
import { groupDistinct } from './group_distinct.ts';
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

/** In the order of application; each keeps the result and the errors that rows may raise. */
const RULES: readonly ((root: LogicalNode, newId: () => ColumnId) => LogicalNode)[] = [
  simplifyNodes,
  mergeProjects,
  pushFilters,
  openMarks,
  inferFilters,
  orderJoins,
  simplifyNodes,
  simplifyAggregates,
  mergeProjects,
  metadataAggregates,
  pushLimits,
  projectAfterTopK,
];

/** Rewrites a plan into a cheaper one with the same result. `distinctAsGroups`: the device's aggregates have no DISTINCT. */
export function optimize(plan: LogicalPlan, distinctAsGroups: boolean): LogicalPlan {
  const rules = distinctAsGroups ? [...RULES, groupDistinct] : RULES;
  // of the whole plan: two bodies may not give out the same
  const newId = idsAfter(plan.root);
  const rewritten = mapTrees(inlineUnshared(plan.root), (tree) =>
    rules.reduce((node, rule) => rule(node, newId), tree),
  );
  const pruned = pruneColumns({ ...plan, root: inlineUnshared(rewritten) });
  const late = mapTrees(pruned.root, (tree) => fetchLate(tree, newId));
  // last: only what all readers leave in a subplan can be common to them
  return { ...pruned, root: shareSubplans(late) };
}
