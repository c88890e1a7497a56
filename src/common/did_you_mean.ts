import { distance } from 'fastest-levenshtein';

/** Names within a third of the word's length (2 edits at least, 1 for words up to three letters), nearest first, same start before others, at most `max`. */
export function nearestNames(word: string, names: Iterable<string>, max = 3): string[] {
  const wanted = word.toLowerCase();
  const limit = wanted.length <= 3 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  const ranked: { name: string; edits: number; start: number }[] = [];
  for (const name of new Set(names)) {
    const lower = name.toLowerCase();
    if (Math.abs(lower.length - wanted.length) > limit) continue;
    const edits = distance(wanted, lower);
    if (edits <= limit && edits < Math.max(wanted.length, lower.length)) {
      ranked.push({ name, edits, start: lower.startsWith(wanted.slice(0, 2)) ? 0 : 1 });
    }
  }
  ranked.sort((a, b) => a.edits - b.edits || a.start - b.start || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, max).map((entry) => entry.name);
}

/** `did you mean "x" or "y"?`; undefined when nothing is near. */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const near = nearestNames(word, names);
  return near.length === 0 ? undefined : `did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
}
