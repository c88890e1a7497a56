import type { Operator } from './operator.ts';

/** Rows of a built-in table generator. */
export interface Generate {
  readonly kind: 'generate';
  readonly generator: string;
  readonly scale: number;
  readonly seed: bigint;
  /** positions of the generator's columns */
  readonly columns: readonly number[];
}

export const generate: Operator<Generate> = {
  explain: (node) => `${node.generator} scale=${node.scale} seed=${node.seed}`,
  encode: (node) => ({
    kind: 'generate',
    generator: node.generator,
    scale: node.scale,
    seed: String(node.seed),
    columns: node.columns,
  }),
};
