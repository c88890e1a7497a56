import { expect, it } from 'vitest';
import { errorText, isInternal, matchesError } from '../../src/check/error_text.ts';
import { QuernError, unsupported } from '../../src/common/error.ts';

it('shows code, message and hint', () => {
  expect(errorText(unsupported('moon', undefined, 'use the sun'))).toBe(
    'error[unsupported]: unsupported: moon\nhint: use the sun',
  );
});

it('compares the whole text or a pattern', () => {
  expect(matchesError(['error[parse]: x'], 'error[parse]: x')).toBe(true);
  expect(matchesError(['error[parse]: x'], 'error[parse]: xy')).toBe(false);
  expect(matchesError(['<REGEX>:^error\\[parse\\]'], 'error[parse]: xy')).toBe(true);
  expect(matchesError(['<REGEX>:^error\\[io\\]'], 'error[parse]: xy')).toBe(false);
});

it('knows a bug of the engine', () => {
  expect(isInternal(new QuernError({ source: 'internal', code: 'internal', message: 'x' }))).toBe(true);
  expect(isInternal(unsupported('x'))).toBe(false);
  expect(isInternal(new Error('INTERNAL Error: x'))).toBe(true);
});
