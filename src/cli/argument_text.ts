import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { usageError } from './usage_error.ts';

/** What Node puts in place of bytes that are no text. */
const REPLACEMENT = '\uFFFD';

/** Refuses arguments that are not UTF-8: what arrives of them is another text, or the name of another file. */
export function refuseBrokenText(args: readonly string[]): void {
  const broken = args.find((arg) => arg.includes(REPLACEMENT));
  if (broken === undefined || isUtf8(readFileSync('/proc/self/cmdline'))) return;
  throw usageError(`an argument is not UTF-8 text: ${broken}`);
}
