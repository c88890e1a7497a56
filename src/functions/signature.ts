/** One row of the function table (native/src/plan/functions.def). */
export interface Signature {
  readonly name: string;
  /** kinds and classes that the type variable T stands for; empty when T is not used */
  readonly over: readonly string[];
  /** one pattern an argument; the last may end in `...` */
  readonly args: readonly string[];
  readonly result: string;
  readonly kind: 'scalar' | 'aggregate';
  readonly fallible: boolean;
}

export function row(
  name: string,
  over: readonly string[],
  args: readonly string[],
  result: string,
  kind: Signature['kind'],
  fallible: boolean,
): Signature {
  return { name, over, args, result, kind, fallible };
}
