import type { IToken } from 'chevrotain';
import { type QuernError, userError } from '../common/error.ts';
import { keywordClass } from '../common/keywords.ts';
import { tokenSpan } from './lexer.ts';
import { KEYWORDS, QuotedName, Semicolon, Word } from './tokens.ts';

/** Edits between two words, a swap of neighbours counted as one (FORM → FROM). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** Keywords that are often mistyped, in order of preference among equally near ones. */
const LIKELY = ['SELECT', 'FROM', 'WHERE', 'GROUP', 'ORDER', 'BY', 'HAVING', 'LIMIT', 'JOIN', 'UNION', 'DISTINCT'];

/** What a statement can begin with. */
const STATEMENT_WORDS = [
  ...['SELECT', 'FROM', 'WITH', 'VALUES', 'TABLE', 'EXPLAIN', 'DESCRIBE', 'SUMMARIZE', 'SHOW', 'SET', 'RESET'],
  ...['CREATE', 'DROP', 'COPY'],
];

const letters = (word: string): string => [...word].sort().join('');

/**
 * The keyword nearest to a word: two edits at most for words of more than five letters, one for shorter ones; up to
 * three letters only a change of their order, since any name is near some short keyword.
 */
export function nearKeyword(word: string, keywords: readonly string[] = [...LIKELY, ...KEYWORDS]): string | undefined {
  const upper = word.toUpperCase();
  if (upper.length <= 3) return keywords.find((keyword) => keyword !== upper && letters(keyword) === letters(upper));
  const limit = upper.length > 5 ? 2 : 1;
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const keyword of keywords) {
    if (Math.abs(keyword.length - upper.length) > limit || keyword.length <= 3) continue;
    const distance = editDistance(upper, keyword);
    if (distance > 0 && distance < bestDistance) {
      best = keyword;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The hint of a syntax error at `token`: a word near a keyword, either the token itself or the one before it, which
 * was then read as a name (`select a FORM t` fails at t). Words that are keywords elsewhere are meant as they stand.
 */
function keywordHint(token: IToken | undefined, previous: IToken | undefined): string | undefined {
  const first = previous === undefined || previous.tokenType === Semicolon;
  const suspects = first ? [token] : [token, previous];
  for (const suspect of suspects) {
    if (suspect?.tokenType !== Word || keywordClass(suspect.image) !== undefined) continue;
    const keyword = first ? nearKeyword(suspect.image, STATEMENT_WORDS) : nearKeyword(suspect.image);
    if (keyword === undefined) continue;
    return suspect === token ? `did you mean ${keyword}?` : `did you mean ${keyword} instead of "${suspect.image}"?`;
  }
  return undefined;
}

/** Long tokens are cut in messages. */
const SHOWN = 60;

function shown(token: IToken): string {
  const text = token.tokenType === QuotedName ? token.image.slice(1, -1) : token.image;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** `token` undefined: the text ended; the span is then the end of the last token. */
export function syntaxError(token: IToken | undefined, previous: IToken | undefined, hint?: string): QuernError {
  const help = hint ?? keywordHint(token, previous);
  if (token === undefined) {
    const end = previous === undefined ? 0 : tokenSpan(previous).end;
    return userError('parse', 'syntax error at end of input', { start: end, end }, help);
  }
  return userError('parse', `syntax error at or near "${shown(token)}"`, tokenSpan(token), help);
}
