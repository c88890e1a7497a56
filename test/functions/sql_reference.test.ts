import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sqlReference } from '../../scripts/runners/docs/sql_reference.ts';

test('docs/sql.md is what the function rows say (npm run docs)', () => {
  expect(readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')).toBe(sqlReference());
});
