import type { Operator } from './operator.ts';

/** int64 start (inclusive) to stop (exclusive) by step. */
export interface Range {
  readonly kind: 'range';
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
}

export const range: Operator<Range> = {
  explain: (node) => `start=${node.start} stop=${node.stop}${node.step === 1n ? '' : ` step=${node.step}`}`,
  encode: (node) => ({ kind: 'range', start: String(node.start), stop: String(node.stop), step: String(node.step) }),
};
