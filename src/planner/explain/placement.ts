import type { PhysicalNode } from '../../operators/index.ts';
import { nodeOrder } from '../../operators/index.ts';
import type { PlannerCapabilities } from '../physical/index.ts';

/** Where one node runs and why it is what it is. */
export interface NodeChoice {
  readonly kind: PhysicalNode['kind'];
  readonly device: PhysicalNode['device'];
  readonly instances: number;
  /** devices of this machine and build that can run it */
  readonly capable: readonly string[];
  readonly reason: string | null;
}

/** By node in plan order. */
export function nodeChoices(root: PhysicalNode, capabilities: PlannerCapabilities): readonly NodeChoice[] {
  return nodeOrder(root).map(({ kind, device, instances, reason }) => ({
    kind,
    device,
    instances,
    capable: capabilities.operators.includes(kind) ? capabilities.devices : [],
    reason,
  }));
}

/** One line for what all nodes have in common; those that differ say so in their own line. */
export function placementLine(root: PhysicalNode, { devices }: PlannerCapabilities): string {
  const order = nodeOrder(root);
  const exchanges = order.filter((node) => node.kind === 'exchange').length;
  const used = [...new Set(order.map((node) => node.device))];
  const instances = Math.max(...order.map((node) => node.instances));
  const only = devices.length === 1 ? ' (the only device of this build)' : ` (of ${devices.join(', ')})`;
  const why = used.length > 1 ? '' : only;
  return `device ${used.join(', ')}${why} · instances ${instances} · exchanges ${exchanges}`;
}
