import type { LogicalNode } from '../logical/node.ts';
import { rewriteUp } from '../logical/node.ts';

/** Sorts of at most this many rows at the top are done without sorting all. */
const MOST_TOP_ROWS = 1_000_000;

/** LIMIT over ORDER BY becomes top_k; other limits also stop scans, early sides of unions and projections below them. */
export function pushLimits(root: LogicalNode): LogicalNode {
  return rewriteUp(root, (node) => {
    if (node.kind !== 'limit' || node.limit === null) return node;
    const needed = node.limit + node.offset;
    if (node.input.kind === 'sort' && needed <= MOST_TOP_ROWS) {
      const { input, keys } = node.input;
      return { kind: 'top_k', input, keys, limit: node.limit, offset: node.offset };
    }
    return { ...node, input: atMost(node.input, needed) };
  });
}

/** Rows beyond `count` are not wanted: says so to nodes that can stop early. */
function atMost(node: LogicalNode, count: number): LogicalNode {
  switch (node.kind) {
    case 'scan':
      return { ...node, limit: node.limit === null ? count : Math.min(node.limit, count) };
    case 'project':
      return { ...node, input: atMost(node.input, count) };
    case 'union_all':
      return { ...node, inputs: node.inputs.map((input) => atMost(input, count)) };
    case 'range':
      return { ...node, stop: earlierStop(node, BigInt(count)) };
    default:
      return node;
  }
}

function earlierStop(node: Extract<LogicalNode, { kind: 'range' }>, count: bigint): bigint {
  const end = node.start + node.step * count;
  return node.step > 0n === end < node.stop ? end : node.stop;
}
