import { defineConfig } from 'vitest/config';

/** Tests at real size: minutes each, one after another, several GiB of memory and disk. */
export default defineConfig({
  test: {
    include: ['test/**/*.slow.ts'],
    testTimeout: 1_800_000,
    fileParallelism: false,
    reporters: ['verbose', './test/counts_reporter.ts'],
  },
});
