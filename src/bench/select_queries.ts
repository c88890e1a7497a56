import type { SuiteQuery } from './suite.ts';

export interface Selection {
  /** ids, ranges of numbers and globs with commas: `1,3-7,q14*`; default all */
  readonly queries?: string | undefined;
  readonly skip?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The queries of a suite that a selection names, in suite order. */
export function selectQueries(queries: readonly SuiteQuery[], selection: Selection): SuiteQuery[] {
  const wanted = selection.queries === undefined ? undefined : matcher(selection.queries);
  const skipped = selection.skip === undefined ? undefined : matcher(selection.skip);
  return queries.filter(
    (query) =>
      (wanted === undefined || wanted(query.id)) &&
      (skipped === undefined || !skipped(query.id)) &&
      (selection.tags === undefined || selection.tags.some((tag) => query.tags.includes(tag))),
  );
}

function matcher(text: string): (id: string) => boolean {
  const tests = text.split(',').map((part) => part.trim());
  return (id) => tests.some((test) => matches(test, id));
}

function matches(test: string, id: string): boolean {
  if (test === id) return true;
  // numbers stand for the first number of the id: 3 is q03
  const number = Number(/\d+/.exec(id)?.[0] ?? Number.NaN);
  const range = /^(\d+)-(\d+)$/.exec(test);
  if (range !== null) return number >= Number(range[1]) && number <= Number(range[2]);
  if (/^\d+$/.test(test)) return number === Number(test);
  const pattern = test
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`).test(id);
}
