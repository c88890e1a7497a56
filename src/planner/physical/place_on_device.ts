import { unsupported } from '../../common/error.ts';
import type { OperatorKind, PhysicalNode } from '../../operators/index.ts';
import { nodeOrder } from '../../operators/index.ts';

/** Run on the host by definition: they make rows or write them. */
const HOST_KINDS: ReadonlySet<OperatorKind> = new Set(['values', 'range', 'generate', 'write_parquet', 'exchange']);

/**
 * Puts every node that a GPU can run on it, with exchanges where rows change sides. `reasons`, by node in plan order, say
 * why a node stays on the CPU ('' = it does not); under `strict` such a node is an error.
 */
export function placeOnDevice(root: PhysicalNode, reasons: readonly string[], strict: boolean): PhysicalNode {
  const order = nodeOrder(root);
  const readers = countReaders(order);
  const placed = new Map<PhysicalNode, PhysicalNode>();
  const returned = new Map<PhysicalNode, PhysicalNode>();

  /** The rows of `node` on the host; one exchange for all its readers. */
  const onHost = (node: PhysicalNode): PhysicalNode => {
    const own = placed.get(node) as PhysicalNode;
    if (own.device === 'cpu') return own;
    const known = returned.get(node) ?? exchange('to_host', own);
    returned.set(node, known);
    return known;
  };
  /** A node of several readers is stored on the host: on the GPU nodes form chains. */
  const onDevice = (node: PhysicalNode): PhysicalNode => {
    const own = placed.get(node) as PhysicalNode;
    return own.device === 'gpu' && readers.get(node) === 1 ? own : exchange('to_device', onHost(node));
  };

  order.forEach((node, i) => {
    const reason = reasons[i] ?? '';
    if (reason === '') {
      placed.set(node, { ...node, inputs: node.inputs.map(onDevice), device: 'gpu' });
      return;
    }
    const host = HOST_KINDS.has(node.kind);
    if (strict && !host) throw unsupported(reason.replace(/^unsupported: /, ''), undefined, 'leave out --strict');
    placed.set(node, { ...node, inputs: node.inputs.map(onHost), ...(host ? {} : { cpuReason: reason }) });
  });
  return onHost(root);
}

function countReaders(order: readonly PhysicalNode[]): ReadonlyMap<PhysicalNode, number> {
  const readers = new Map<PhysicalNode, number>();
  for (const node of order) {
    for (const input of node.inputs) readers.set(input, (readers.get(input) ?? 0) + 1);
  }
  return readers;
}

function exchange(mode: 'to_device' | 'to_host', input: PhysicalNode): PhysicalNode {
  return {
    kind: 'exchange',
    mode,
    keys: [],
    inputs: [input],
    output: input.output,
    device: mode === 'to_device' ? 'gpu' : 'cpu',
    instances: 1,
    estimatedRows: input.estimatedRows,
    reason: null,
  };
}
