import { userError } from '../../common/error.ts';

/** Decimal digits of an integer token: underscores dropped, `0x` and `0b` converted. */
export function integerDigits(image: string): string {
  const digits = image.replaceAll('_', '');
  return /^0[xXbB]/.test(digits) ? BigInt(digits).toString() : digits;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const ESCAPE = /''|\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g;

/**
 * Value of `E'…'`. `\x41` and octal `\101` name bytes in PostgreSQL; here only those that are characters by themselves
 * (up to 7F), since a string is text. `offset`: of the token, for the error.
 */
export function escapedValue(image: string, offset: number): string {
  return image.slice(2, -1).replace(ESCAPE, (whole, hex, short, long, octal, other, at: number) => {
    if (whole === "''") return "'";
    const span = { start: offset + 2 + at, end: offset + 2 + at + whole.length };
    const byte = hex ?? octal;
    if (byte !== undefined) {
      const code = Number.parseInt(byte, hex === undefined ? 8 : 16);
      if (code === 0 || code > 0x7f) throw userError('parse', `escape does not name a character: ${whole}`, span);
      return String.fromCharCode(code);
    }
    const point = short ?? long;
    if (point !== undefined) {
      const code = Number.parseInt(point, 16);
      const surrogate = code >= 0xd800 && code <= 0xdfff;
      if (code === 0 || code > 0x10ffff || surrogate) {
        throw userError('parse', `escape does not name a character: ${whole}`, span);
      }
      return String.fromCodePoint(code);
    }
    return SIMPLE_ESCAPES[other] ?? other;
  });
}
