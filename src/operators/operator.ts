import type { Schema } from '../common/batch.ts';
import type { PlanEncoder } from './encoder.ts';
import type { WireNode } from './wire.ts';

/** What every physical operator has beside its own parameters. */
export interface OperatorBase<Input> {
  readonly inputs: readonly Input[];
  readonly output: Schema;
  readonly device: 'cpu' | 'gpu';
  /** why the node is not on the GPU that was asked for */
  readonly cpuReason?: string | undefined;
  readonly instances: number;
  /** estimate of output rows; null = unknown */
  readonly estimatedRows: number | null;
  /** why this operator in this form, where there was a choice; for EXPLAIN only */
  readonly reason: string | null;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The part of a wire node that the operator itself decides. */
export type WireBody = DistributiveOmit<WireNode, 'inputs' | 'output' | 'device' | 'instances' | 'estimatedRows'>;

/** What an operator can say about one of its nodes. */
export interface Operator<Node> {
  /** one line for EXPLAIN, without the operator's name: parameters that matter */
  explain(node: Node): string;
  encode(node: Node, encoder: PlanEncoder): WireBody;
}
