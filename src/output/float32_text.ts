/**
 * Text of a FLOAT: the fewest decimal digits inside the interval of numbers that round to the value, and of those the
 * nearest. As in DuckDB, where the choice falls exactly on an end of the interval or on a tie of two candidates, the
 * digits are those of the same value as a DOUBLE (1669117.25 lies midway between …7.2 and …7.3, so it is shown whole).
 */
import { float64Text, layoutDigits, specialText } from './number_text.ts';

const POWERS: readonly number[] = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/** Any float32 keeps 6 decimal digits and needs no more than 9. */
const LEAST_DIGITS = 6;
const MOST_DIGITS = 9;

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** The float32 next to a positive `x`; its exponent goes on past the largest finite one. */
function midpoints(x: number): { low: number; high: number } {
  float[0] = x;
  const own = bits[0] as number;
  bits[0] = own - 1;
  const low = (x + (float[0] as number)) / 2;
  bits[0] = own + 1;
  const next = float[0] as number;
  return { low, high: next === Infinity ? x + (x - low) : (x + next) / 2 };
}

/** Places the decimal point `places` from the right of the integer `n` and drops zeros at the end. */
function fixedText(n: number, places: number): string {
  let digits = String(n);
  if (digits.length <= places) digits = digits.padStart(places + 1, '0');
  const point = digits.length - places;
  let end = digits.length;
  while (end > point + 1 && digits.charCodeAt(end - 1) === 48) end--;
  return `${digits.slice(0, point)}.${point === digits.length ? '0' : digits.slice(point, end)}`;
}

/** The chosen multiple of `unit`: undefined = none in the interval, NaN = undecided. All arguments are exact. */
function choose(below: number, unit: number, x: number, low: number, high: number): number | undefined {
  const above = below + unit;
  const hasBelow = below >= low;
  const hasAbove = above <= high;
  if (!hasBelow && !hasAbove) return undefined;
  let chosen = hasBelow ? below : above;
  if (hasBelow && hasAbove) {
    const under = x - below;
    const over = above - x;
    if (under === over) return NaN;
    chosen = under < over ? below : above;
  }
  return chosen === low || chosen === high ? NaN : chosen;
}

/**
 * Digits in fixed notation for 1e-3 ≤ x < 1e15: there every product below is an exact double (26 bits of the interval's
 * ends and at most 26 of 5^11), so comparisons decide as they would in rational numbers.
 */
function moderateText(x: number, low: number, high: number): string {
  let places = LEAST_DIGITS;
  for (let bound = 1; x >= bound; bound *= 10) places--;
  for (let bound = 0.1; x < bound; bound /= 10) places++;
  for (let digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++, places++) {
    if (places >= 0) {
      const power = POWERS[places] as number;
      const scaled = x * power;
      const n = choose(Math.floor(scaled), 1, scaled, low * power, high * power);
      if (n !== undefined) return Number.isNaN(n) ? float64Text(x) : fixedText(n, places);
    } else {
      const unit = POWERS[-places] as number;
      const n = choose(x - (x % unit), unit, x, low, high);
      if (n !== undefined) return float64Text(Number.isNaN(n) ? x : n);
    }
  }
  return float64Text(x);
}

/** A double as `numerator / 2^shift`. */
function asFraction(x: number, shift: number): bigint {
  // Two steps keep the power of two in range; both are exact.
  const half = Math.floor(shift / 2);
  return BigInt(x * 2 ** half * 2 ** (shift - half));
}

/** The same search in rational numbers, for values of any size. */
function extremeText(x: number, low: number, high: number): string {
  const shift = x < 1 ? 152 : 0;
  const exponent = Number(x.toExponential(0).split('e')[1]);
  for (let digits = 1; digits <= MOST_DIGITS; digits++) {
    // x.toExponential(0) may round up to the next power of ten: one place more is then searched first, without harm.
    const places = digits - 1 - exponent;
    const factor = places > 0 ? 10n ** BigInt(places) : 1n;
    const unit = (places < 0 ? 10n ** BigInt(-places) : 1n) << BigInt(shift);
    const scaled = asFraction(x, shift) * factor;
    const chosen = chooseExact(scaled, asFraction(low, shift) * factor, asFraction(high, shift) * factor, unit);
    if (chosen === undefined) continue;
    if (chosen === 'undecided') return float64Text(x);
    const text = String(chosen);
    return layoutDigits(text.replace(/0+$/, ''), text.length - 1 - places);
  }
  return float64Text(x);
}

function chooseExact(x: bigint, low: bigint, high: bigint, unit: bigint): bigint | 'undecided' | undefined {
  const count = x / unit;
  const below = count * unit;
  const above = below + unit;
  const hasBelow = below >= low && below > 0n;
  const hasAbove = above <= high;
  if (!hasBelow && !hasAbove) return undefined;
  let useBelow = hasBelow;
  if (hasBelow && hasAbove) {
    if (x - below === above - x) return 'undecided';
    useBelow = x - below < above - x;
  }
  const chosen = useBelow ? below : above;
  return chosen === low || chosen === high ? 'undecided' : count + (useBelow ? 0n : 1n);
}

/** Text of a FLOAT: `x` is its exact value as a double. */
export function float32Text(x: number): string {
  const size = Math.abs(x);
  if (size <= 16777216 && Number.isInteger(x)) return specialText(x) ?? `${x}.0`;
  if (!Number.isFinite(x)) return specialText(x) as string;
  const { low, high } = midpoints(size);
  const text = size >= 1e-3 && size < 1e15 ? moderateText(size, low, high) : extremeText(size, low, high);
  return x < 0 ? `-${text}` : text;
}
