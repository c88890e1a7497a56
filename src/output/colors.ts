/** Paints text; every function returns its argument when colour is off. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  cyan(text: string): string;
}

const ESCAPE = '\u001b[';

function code(enabled: boolean, on: number, off: number): (text: string) => string {
  return enabled ? (text) => `${ESCAPE}${on}m${text}${ESCAPE}${off}m` : (text) => text;
}

/**
 * Colour is decided for each stream apart, by the caller. (picocolors would open stdout when it is loaded, which costs
 * start-up time and keeps it out of a start-up snapshot.)
 */
export function paint(enabled: boolean): Paint {
  return {
    bold: code(enabled, 1, 22),
    dim: code(enabled, 2, 22),
    red: code(enabled, 31, 39),
    cyan: code(enabled, 36, 39),
  };
}
