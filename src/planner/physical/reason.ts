import { estimateRows } from '../estimate/rows.ts';
import type { LogicalJoin, LogicalNode } from '../logical/node.ts';
import { joinInputs } from './join.ts';

/** Why a node runs as the operator that it is, where the planner had a choice; null = it had none. */
export function reasonOf(node: LogicalNode): string | null {
  switch (node.kind) {
    case 'join':
      return node.keys.length === 0 ? 'no equality to hash' : buildReason(node);
    case 'top_k': {
      const rows = estimateRows(node.input);
      return `no full sort: ${countText(node.limit + node.offset)} of ${rows === null ? 'all' : `~${countText(rows)}`} rows are kept`;
    }
    default:
      return null;
  }
}

/** The second input, drawn below the first, becomes the hash table. */
function buildReason(node: LogicalJoin): string {
  if (!['inner', 'left', 'full'].includes(node.type)) return `build=right: ${node.type} gives rows of the left`;
  const [probe, build] = joinInputs(node).map(estimateRows) as [number | null, number | null];
  if (probe === null || build === null) return 'build=right: as written, rows unknown';
  if (probe === build) return 'build=right: as written, equal rows';
  return `build=right: fewer rows (~${countText(build)} against ~${countText(probe)})`;
}

const UNITS = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Three digits tell what estimates can: 950, 12.3k, 288k, 2.88M. */
export function countText(rows: number): string {
  if (rows < 1000) return String(Math.round(rows));
  const digits = Number(rows.toPrecision(3));
  for (const [size, unit] of UNITS) if (digits >= size) return `${Number((digits / size).toPrecision(3))}${unit}`;
  return String(digits);
}
