/**
 * Text of numbers as DuckDB casts them to VARCHAR: integers and decimals exactly from their words, floats with the
 * fewest digits that read back as the same value, always with `.0` or an exponent.
 */

const TWO_32 = 4294967296;
/** The high word of an int64 whose value is a safe integer lies in [-SAFE_HIGH, SAFE_HIGH). */
const SAFE_HIGH = 2 ** 21;

/** The signed 64-bit integer at `index`: a number where that is exact. `halves` is a view of the same bytes as `words`. */
export function int64Value(words: BigInt64Array, halves: Int32Array, index: number): number | bigint {
  const high = halves[2 * index + 1] as number;
  if (high >= -SAFE_HIGH && high < SAFE_HIGH) return high * TWO_32 + ((halves[2 * index] as number) >>> 0);
  return words[index] as bigint;
}

/** Text of the signed 64-bit integer at `index`. */
export function int64Text(words: BigInt64Array, halves: Int32Array, index: number): string {
  return String(int64Value(words, halves, index));
}

/** Text of a 128-bit unscaled value, given as its two words at `2 * index`, with `scale` decimal places. */
export function decimalText(
  words: BigInt64Array,
  halves: Int32Array,
  index: number,
  precision: number,
  scale: number,
): string {
  const top = halves[4 * index + 3] as number;
  const third = halves[4 * index + 2] as number;
  const second = halves[4 * index + 1] as number;
  let digits: string;
  let negative = top < 0;
  if (
    top === third &&
    top === second >> 31 &&
    (top === 0 || top === -1) &&
    second >= -SAFE_HIGH &&
    second < SAFE_HIGH
  ) {
    const value = second * TWO_32 + ((halves[4 * index] as number) >>> 0);
    digits = String(Math.abs(value));
  } else {
    const value = ((words[2 * index + 1] as bigint) << 64n) | BigInt.asUintN(64, words[2 * index] as bigint);
    negative = value < 0n;
    digits = String(negative ? -value : value);
  }
  const sign = negative ? '-' : '';
  if (scale === 0) return sign + digits;
  // DECIMAL(p,p) has no digit before the point.
  const least = precision > scale ? scale + 1 : scale;
  if (digits.length < least) digits = digits.padStart(least, '0');
  const point = digits.length - scale;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `1.5e-7` → `1.5e-07`: at least two digits of exponent and its sign. */
function exponentText(digits: string, exponent: number): string {
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
  const size = Math.abs(exponent);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
}

/** Value `0.d₁d₂… × 10^(exponent + 1)` in fixed form for exponents -4..15, else with an exponent. */
export function layoutDigits(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 16) return exponentText(digits, exponent);
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = exponent + 1;
  if (digits.length <= whole) return `${digits.padEnd(whole, '0')}.0`;
  return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
}

/** Text of zeros, NaN and infinities; undefined for any other value. */
export function specialText(x: number): string | undefined {
  if (Number.isNaN(x)) return 'nan';
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  if (x === Infinity) return 'inf';
  if (x === -Infinity) return '-inf';
  return undefined;
}

/** Splits `d.ddde±x` into digits without trailing zeros and exponent. */
export function scientificParts(text: string): { digits: string; exponent: number } {
  const mark = text.indexOf('e');
  const digits = text.slice(0, mark).replace('.', '').replace(/0+$/, '');
  return { digits, exponent: Number(text.slice(mark + 1)) };
}

/** Text of a DOUBLE. V8's shortest digits are DuckDB's, ties included. */
export function float64Text(x: number): string {
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(x) ? `${x}.0` : String(x);
  const special = specialText(x);
  if (special !== undefined) return special;
  const { digits, exponent } = scientificParts(size.toExponential());
  return (x < 0 ? '-' : '') + exponentText(digits, exponent);
}

/** Value of IEEE half-precision bits. */
export function float16Value(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const wideBits = new Uint32Array(1);
const wideFloat = new Float32Array(wideBits.buffer);

/** Value of bfloat16 bits: the upper half of a float32. */
export function bfloat16Value(bits: number): number {
  wideBits[0] = bits << 16;
  return wideFloat[0] as number;
}
