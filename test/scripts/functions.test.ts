import { describe, expect, test } from 'vitest';
import type { ReferenceFunction } from '../../scripts/runners/functions/compare.ts';
import { compareFunctions, failed } from '../../scripts/runners/functions/compare.ts';
import { reportText } from '../../scripts/runners/functions/report.ts';
import { SPELLED, UNSUPPORTED } from '../../scripts/runners/functions/unsupported.ts';

const fn = (name: string, kind: 'scalar' | 'aggregate' = 'scalar', alias = false): ReferenceFunction => ({
  name,
  kind,
  alias,
});
const listed = UNSUPPORTED.flatMap((group) => group.names);

describe('npm run functions', () => {
  test('a name is implemented, listed or missing', () => {
    const reference = [fn('abs'), fn('mean', 'aggregate', true), fn('&&'), fn('icu_collate_de'), fn('new_one')];
    const comparison = compareFunctions(reference, new Set(['abs', 'mean', SPELLED['&&'] as string, 'own']));
    expect(comparison.implemented.map(({ name }) => name)).toEqual(['abs', 'mean', '&&']);
    expect(comparison.unsupported.map(({ name }) => name)).toEqual(['icu_collate_de']);
    expect(comparison.missing.map(({ name }) => name)).toEqual(['new_one']);
    expect(comparison.own).toEqual(['list_has_any', 'own']);
    expect(failed(comparison)).toBe(true);
    expect(reportText(comparison, false)).toContain(
      '  missing: 1 scalar functions, 0 aliases of them, 0 aggregates\n    new_one\n',
    );
  });

  test('a listed name that is there is a contradiction', () => {
    const [name] = listed as [string, ...string[]];
    const reference = listed.map((other) => fn(other));
    const comparison = compareFunctions(reference, new Set([name]));
    expect(comparison.contradictions).toEqual([name]);
    expect(failed(comparison)).toBe(true);
    expect(failed(compareFunctions(reference, new Set()))).toBe(false);
  });

  test('a name is listed once', () => {
    expect(listed.filter((name, i) => listed.indexOf(name) !== i)).toEqual([]);
  });
});
