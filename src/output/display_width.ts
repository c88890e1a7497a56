import stringWidth from 'string-width';

const ASCII = /^[\x20-\x7e]*$/;

/** Columns that `text` takes on a terminal. */
export function displayWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

const ELLIPSIS = '…';
let segmenter: Intl.Segmenter | undefined;

/** `text` cut to `width` columns, with `…` in the last one if anything was cut. */
export function fitWidth(text: string, width: number): string {
  // A character takes up to two columns, so a text this short in code units may still be too wide.
  if (text.length * 2 <= width || displayWidth(text) <= width) return text;
  if (ASCII.test(text)) return text.slice(0, width - 1) + ELLIPSIS;
  segmenter ??= new Intl.Segmenter();
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const size = displayWidth(segment);
    if (used + size > width - 1) break;
    kept += segment;
    used += size;
  }
  return kept + ELLIPSIS;
}
