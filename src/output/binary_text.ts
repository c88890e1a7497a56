/** Text of BLOB and UUID values as DuckDB casts them to VARCHAR. */

const HEX: readonly string[] = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** Printable ASCII as itself, every other byte (and `'`, `"`, `\`) as `\xAB`. */
const BLOB_BYTES: readonly string[] = HEX.map((hex, byte) => {
  const char = String.fromCharCode(byte);
  return byte >= 32 && byte <= 126 && !`'"\\`.includes(char) ? char : `\\x${hex.toUpperCase()}`;
});

/** Text of a BLOB: bytes `[start, end)`. */
export function blobText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += BLOB_BYTES[bytes[i] as number];
  return text;
}

/** Lower-case hexadecimal digits of bytes `[start, end)`. */
export function hexText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += HEX[bytes[i] as number];
  return text;
}

/** Text of the 16 bytes at `start` as `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`. */
export function uuidText(bytes: Uint8Array, start: number): string {
  const hex = hexText(bytes, start, start + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
