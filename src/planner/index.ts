import type { PhysicalNode } from '../operators/index.ts';
import type { Describe, Query, Summarize } from '../sql/ast.ts';
import type { BindInput } from './bind/index.ts';
import { bindStatement } from './bind/index.ts';
import type { LogicalPlan } from './logical/node.ts';
import { optimize } from './optimize/index.ts';
import type { PhysicalOptions } from './physical/index.ts';
import { planPhysical } from './physical/index.ts';

export type { BindInput, CatalogAccess, ParameterValue, PartitionBy, Sources } from './bind/index.ts';
export { parameterValue, resolveSources } from './bind/index.ts';
export type { LogicalPlan } from './logical/node.ts';
export type { PhysicalOptions, PlannerCapabilities } from './physical/index.ts';
export type { GpuScan } from './physical/place_on_device.ts';
export { placeOnDevice } from './physical/place_on_device.ts';
export { planWrite, WRITE_SCHEMA } from './physical/write_parquet.ts';

/** All stages of one query's plan. */
export interface Plans {
  /** as written */
  readonly logical: LogicalPlan;
  readonly optimized: LogicalPlan;
  readonly physical: PhysicalNode;
}

/** Names and types resolved, nothing rewritten. */
export function bind(statement: Query | Describe | Summarize, input: BindInput): LogicalPlan {
  return bindStatement(statement, input);
}

/** From bound to physical. */
export function planQuery(logical: LogicalPlan, options: PhysicalOptions): Plans {
  const optimized = optimize(logical, options.distinctAsGroups ?? false);
  return { logical, optimized, physical: planPhysical(optimized, options) };
}
