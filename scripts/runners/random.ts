/** Deterministic random numbers (mulberry32): the same seed gives the same run on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 ≤ x < 2^32 */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** 0 ≤ x < n */
  below(n: number): number {
    return Math.floor((this.bits() / 2 ** 32) * n);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('pick from nothing');
    return item;
  }
}
