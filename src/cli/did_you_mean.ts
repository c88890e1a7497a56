import { distance } from 'fastest-levenshtein';

/** The candidate nearest to `word`, if it is near enough to be a slip. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // In a short word two changes leave nothing of it.
  let least = (word.length <= 3 ? 1 : 2) + 1;
  for (const candidate of candidates) {
    const size = distance(word.toLowerCase(), candidate.toLowerCase());
    if (size < least && size < candidate.length) {
      least = size;
      best = candidate;
    }
  }
  return best;
}

/** `did you mean "…"?` for the nearest candidate, or undefined. */
export function meantHint(word: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(word, candidates);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}
