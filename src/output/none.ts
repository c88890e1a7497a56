import type { Format } from './format.ts';

/** Runs the query to its end and shows nothing. */
export const none: Format = {
  name: 'none',
  create() {
    return { begin: async () => {}, batch: async () => {}, end: async () => {} };
  },
};
