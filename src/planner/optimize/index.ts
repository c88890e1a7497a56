import type { LogicalPlan } from '../logical/node.ts';
import { pruneColumns } from './prune_columns.ts';

/** Rewrites in a fixed order; each keeps the result and the errors that a row may raise. */
export function optimize(plan: LogicalPlan): LogicalPlan {
  return pruneColumns(plan);
}
