import { Random } from '../random.ts';

/** One changed byte. */
export interface Flip {
  readonly offset: number;
  readonly value: number;
}

/** Bytes at the end of a file that hold the length of the footer and the magic word. */
const TAIL = 8;

/**
 * The flips of round `round`: 1 to 3 bytes, half of the rounds in the footer (where sizes and offsets are), half anywhere.
 * A flip sets a random byte, one bit, or an extreme value.
 */
export function flipsOf(bytes: Uint8Array, seed: number, round: number): Flip[] {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b));
  const footer = random.chance(0.5) ? footerStart(bytes) : 0;
  return Array.from({ length: 1 + random.below(3) }, () => {
    const offset = footer + random.below(bytes.length - footer);
    const old = bytes[offset] as number;
    const value = random.pick([random.below(256), old ^ (1 << random.below(8)), 0, 0x7f, 0x80, 0xff]);
    return { offset, value };
  });
}

/** Copy of the file with the flips made. */
export function flipped(bytes: Uint8Array, flips: readonly Flip[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const { offset, value } of flips) copy[offset] = value;
  return copy;
}

function footerStart(bytes: Uint8Array): number {
  if (bytes.length < TAIL) return 0;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - TAIL, true);
  return Math.max(0, bytes.length - TAIL - length);
}
