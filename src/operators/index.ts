import type { ConditionalJoin } from './conditional_join.ts';
import { conditionalJoin } from './conditional_join.ts';
import { PlanEncoder } from './encoder.ts';
import type { Exchange } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { Filter } from './filter.ts';
import { filter } from './filter.ts';
import type { Generate } from './generate.ts';
import { generate } from './generate.ts';
import type { HashGroupBy } from './hash_group_by.ts';
import { hashGroupBy } from './hash_group_by.ts';
import type { HashJoin } from './hash_join.ts';
import { hashJoin } from './hash_join.ts';
import type { Limit } from './limit.ts';
import { limit } from './limit.ts';
import type { Operator, OperatorBase, WireBody } from './operator.ts';
import type { Project } from './project.ts';
import { project } from './project.ts';
import type { Range } from './range.ts';
import { range } from './range.ts';
import type { ScanArrow } from './scan_arrow.ts';
import { scanArrow } from './scan_arrow.ts';
import type { ScanParquet } from './scan_parquet.ts';
import { scanParquet } from './scan_parquet.ts';
import type { Sort } from './sort.ts';
import { sort } from './sort.ts';
import type { TopK } from './top_k.ts';
import { topK } from './top_k.ts';
import type { UnionAll } from './union_all.ts';
import { unionAll } from './union_all.ts';
import type { Unnest } from './unnest.ts';
import { unnest } from './unnest.ts';
import type { Values } from './values.ts';
import { values } from './values.ts';
import type { NodeIndex, WireNode, WirePlan } from './wire.ts';
import { PLAN_FORMAT } from './wire.ts';
import type { WriteParquet } from './write_parquet.ts';
import { writeParquet } from './write_parquet.ts';

/** Parameters of every operator, told apart by `kind`. */
export type OperatorParams =
  | ScanParquet
  | ScanArrow
  | Filter
  | Project
  | HashGroupBy
  | Sort
  | TopK
  | Limit
  | UnionAll
  | Values
  | Range
  | Unnest
  | Generate
  | HashJoin
  | ConditionalJoin
  | Exchange
  | WriteParquet;

export type OperatorKind = OperatorParams['kind'];

/** A node of a physical plan. A node that stands twice in the tree is one shared subplan. */
export type PhysicalNode = OperatorBase<PhysicalNode> & OperatorParams;

const OPERATORS: { readonly [K in OperatorKind]: Operator<Extract<OperatorParams, { kind: K }>> } = {
  scan_parquet: scanParquet,
  scan_arrow: scanArrow,
  filter,
  project,
  hash_group_by: hashGroupBy,
  sort,
  top_k: topK,
  limit,
  union_all: unionAll,
  values,
  range,
  unnest,
  generate,
  hash_join: hashJoin,
  conditional_join: conditionalJoin,
  exchange,
  write_parquet: writeParquet,
};

/** The operator of a node: `kind` picks the row whose parameters the node has. */
function operatorOf(node: PhysicalNode): Operator<PhysicalNode> {
  return OPERATORS[node.kind] as unknown as Operator<PhysicalNode>;
}

/** `kind` and parameters in one line. */
export function explainNode(node: PhysicalNode): string {
  const details = operatorOf(node).explain(node);
  return details === '' ? node.kind : `${node.kind} ${details}`;
}

/** Nodes in plan order: inputs before the nodes that read them, each node once, the root last. */
export function nodeOrder(root: PhysicalNode): PhysicalNode[] {
  const order: PhysicalNode[] = [];
  const seen = new Set<PhysicalNode>();
  const visit = (node: PhysicalNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    node.inputs.forEach(visit);
    order.push(node);
  };
  visit(root);
  return order;
}

/** Encodes a plan; `functions` is the hash of the function table it was planned with. */
export function encodePlan(root: PhysicalNode, functions: string): WirePlan {
  const encoder = new PlanEncoder();
  const order = nodeOrder(root);
  const index = new Map<PhysicalNode, NodeIndex>(order.map((node, i) => [node, i]));
  const nodes = order.map((node) => {
    const body: WireBody = operatorOf(node).encode(node, encoder);
    return {
      ...body,
      inputs: node.inputs.map((input) => index.get(input) as NodeIndex),
      output: encoder.fields(node.output),
      device: node.device,
      instances: node.instances,
      estimatedRows: node.estimatedRows,
    } as WireNode;
  });
  return { format: PLAN_FORMAT, functions, types: encoder.types, exprs: encoder.exprs, nodes };
}
