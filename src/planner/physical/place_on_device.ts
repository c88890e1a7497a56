import { unsupported } from '../../common/error.ts';
import type { OperatorKind, PhysicalNode } from '../../operators/index.ts';
import { nodeOrder } from '../../operators/index.ts';

/** Run on the host by definition: they make rows or write them. */
const HOST_KINDS: ReadonlySet<OperatorKind> = new Set(['values', 'range', 'generate', 'write_parquet', 'exchange']);

/** Which scans a GPU decodes, and which rows it only passes on: those that it goes on with or made, or all that it can. */
export type GpuScan = 'auto' | 'all';

export interface PlacementOptions {
  /** a node that stays on the CPU is an error */
  readonly strict: boolean;
  readonly scan: GpuScan;
  /** a group-by runs in one kernel with the joins, filters and projections below it */
  readonly fuse: boolean;
}

/**
 * Puts every node that a GPU can run on it, with exchanges where rows change sides. `reasons`, by node in plan order, say
 * why a node stays on the CPU ('' = it does not).
 */
export function placeOnDevice(
  root: PhysicalNode,
  possible: readonly string[],
  { strict, scan, fuse }: PlacementOptions,
): PhysicalNode {
  const order = nodeOrder(root);
  const readers = countReaders(order);
  const able = keepFiltered(order, possible);
  const reasons = strict || scan === 'all' ? able : keepPassing(order, able, readers);
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
      const onGpu: PhysicalNode = { ...node, inputs: node.inputs.map(onDevice), device: 'gpu' };
      placed.set(node, fuse ? fused(onGpu) : onGpu);
      return;
    }
    const host = HOST_KINDS.has(node.kind);
    if (strict && !host) throw unsupported(reason.replace(/^unsupported: /, ''), undefined, 'leave out --strict');
    placed.set(node, { ...node, inputs: node.inputs.map(onHost), ...(host ? {} : { cpuReason: reason }) });
  });
  return onHost(root);
}

const FUSED_KINDS: ReadonlySet<OperatorKind> = new Set(['scan_parquet', 'filter', 'project', 'hash_join']);

const FUSED_JOINS: ReadonlySet<string> = new Set(['inner', 'left', 'semi', 'anti']);

/** Whether a join looks a row up, and does no more. */
const isLookUp = (node: PhysicalNode): boolean =>
  node.kind !== 'hash_join' || (FUSED_JOINS.has(node.type) && node.residual.length === 0);

/** A group-by with joins in the chain below it. */
function fused(node: PhysicalNode): PhysicalNode {
  if (node.kind !== 'hash_group_by') return node;
  const chain: PhysicalNode[] = [];
  const isFused = (at: PhysicalNode) =>
    at.device === 'gpu' && FUSED_KINDS.has(at.kind) && !(at.kind === 'scan_parquet' && at.limit !== null);
  for (let at = node.inputs[0]; at !== undefined && isFused(at); at = at.inputs[0]) chain.unshift(at);
  if (!chain.some(({ kind }) => kind === 'hash_join') || !chain.every(isLookUp)) return node;
  // decoding is no part of the kernel, a scan's filter is
  const steps = chain.filter((step) => step.kind !== 'scan_parquet' || step.filter.length > 0);
  return { ...node, fused: steps.map(({ kind }) => kind) };
}

const filtersOf = (node: PhysicalNode): readonly number[] => {
  if (node.kind === 'hash_join') return node.keys.flatMap(({ filter }) => (filter === null ? [] : [filter.number]));
  return node.kind === 'scan_parquet' || node.kind === 'scan_arrow' ? node.joinFilters.map(({ filter }) => filter) : [];
};

/** A scan that leaves out rows by the keys of a join on the CPU does so there. */
function keepFiltered(order: readonly PhysicalNode[], reasons: readonly string[]): readonly string[] {
  const onHost = joinFiltersOnHost(order, reasons);
  return order.map((node, i) => {
    const filtered = node.kind === 'scan_parquet' && filtersOf(node).some((filter) => onHost.has(filter));
    return reasons[i] === '' && filtered
      ? "unsupported: a scan filtered by a cpu join's keys on the GPU"
      : (reasons[i] ?? '');
  });
}

/** Filters that joins on the CPU make. */
function joinFiltersOnHost(order: readonly PhysicalNode[], reasons: readonly string[]): ReadonlySet<number> {
  return new Set(order.flatMap((node, i) => (node.kind === 'hash_join' && reasons[i] !== '' ? filtersOf(node) : [])));
}

/** Gives rows as it finds them: nothing of it is faster on a GPU. */
const passesOn = (node: PhysicalNode): boolean =>
  node.kind === 'limit' ||
  node.kind === 'union_all' ||
  (node.kind === 'scan_parquet' && (node.filter.length === 0 || node.limit !== null));

/** Where the CPU takes and gives rows as they are, the GPU would only add copies. */
function keepPassing(
  order: readonly PhysicalNode[],
  reasons: readonly string[],
  readers: ReadonlyMap<PhysicalNode, number>,
): readonly string[] {
  const onGpu = new Set<PhysicalNode>();
  order.forEach((node, i) => {
    const made = node.kind !== 'scan_parquet' && node.inputs.some((input) => onGpu.has(input));
    if (reasons[i] === '' && (made || !passesOn(node))) onGpu.add(node);
  });
  // those that read a node stand behind it
  for (const [i, node] of [...order.entries()].reverse()) {
    if (reasons[i] !== '' || !onGpu.has(node)) continue;
    for (const input of node.inputs) if (readers.get(input) === 1) onGpu.add(input);
  }
  return order.map((node, i) =>
    reasons[i] === '' && !onGpu.has(node) ? 'its rows go on on the cpu' : (reasons[i] ?? ''),
  );
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
