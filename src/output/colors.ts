import picocolors from 'picocolors';

/** Paints text; every function returns its argument when colour is off. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  green(text: string): string;
}

/** Colour is decided for each stream apart, never by picocolors itself (which turns it on whenever CI is set). */
export function paint(enabled: boolean): Paint {
  return picocolors.createColors(enabled);
}
