import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/common/batch.ts';
import * as types from '../../src/common/data_type.ts';
import { fitColumns } from '../../src/output/fit_columns.ts';
import type { OutputOptions } from '../../src/output/format.ts';
import { findFormat } from '../../src/output/registry.ts';
import { batchOf, written } from './result_column.ts';

async function rendered(
  name: string,
  schema: Schema,
  columns: readonly (readonly unknown[])[],
  options: OutputOptions = {},
  parts = 1,
): Promise<string> {
  const format = await findFormat(name)?.load();
  const rows = columns[0]?.length ?? 0;
  const size = Math.ceil(rows / parts);
  const batches = Array.from({ length: parts }, (_, p) =>
    batchOf(
      schema,
      columns.map((c) => c.slice(p * size, (p + 1) * size)),
    ),
  );
  return written((sink) => (format as NonNullable<typeof format>).create(sink, options), schema, batches);
}

const SCHEMA: Schema = [
  { name: 'id', type: types.INT32 },
  { name: 'name', type: types.STRING },
  { name: 'v', type: types.list(types.FLOAT32) },
];
const COLUMNS = [
  [1, 20, null],
  ['ant', null, 'käfer 🐞'],
  [[1, 0.5], [], null],
];

const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');

describe('duckbox', () => {
  it('shows names, types and values', async () => {
    expect(await rendered('duckbox', SCHEMA, COLUMNS)).toBe(
      lines(
        '┌───────┬──────────┬────────────┐',
        '│  id   │   name   │     v      │',
        '│ int32 │ varchar  │  float[]   │',
        '├───────┼──────────┼────────────┤',
        '│     1 │ ant      │ [1.0, 0.5] │',
        '│    20 │ NULL     │ []         │',
        '│  NULL │ käfer 🐞 │ NULL       │',
        '└───────┴──────────┴────────────┘',
      ),
    );
  });

  it('paints names, types and NULL', async () => {
    const text = await rendered('duckbox', [{ name: 'n', type: types.INT32 }], [[null]], { color: true });
    expect(text).toBe(
      lines(
        '┌───────┐',
        '│   \u001b[1mn\u001b[22m   │',
        '│ \u001b[2mint32\u001b[22m │',
        '├───────┤',
        '│  \u001b[2mNULL\u001b[22m │',
        '└───────┘',
      ),
    );
  });

  it.each([1, 3, 100])('keeps the first and the last rows of many, in %i batches', async (parts) => {
    const rows = Array.from({ length: 1234 }, (_, i) => i);
    expect(await rendered('duckbox', [{ name: 'i', type: types.INT64 }], [rows], { maxRows: 5 }, parts)).toBe(
      lines(
        '┌───────┐',
        '│   i   │',
        '│ int64 │',
        '├───────┤',
        '│     0 │',
        '│     1 │',
        '│     2 │',
        '│     · │',
        '│     · │',
        '│     · │',
        '│  1232 │',
        '│  1233 │',
        '└───────┘',
        '1,234 rows (5 shown)  1 column',
      ),
    );
  });

  it('shows every row up to the limit', async () => {
    const rows = Array.from({ length: 5 }, (_, i) => i);
    const text = await rendered('duckbox', [{ name: 'i', type: types.INT64 }], [rows], { maxRows: 5 }, 5);
    expect(text.split('\n').slice(4, 9)).toEqual(['│     0 │', '│     1 │', '│     2 │', '│     3 │', '│     4 │']);
    expect(text.endsWith('┘\n')).toBe(true);
  });

  it('says that there are no rows', async () => {
    expect(await rendered('duckbox', [{ name: 'a', type: types.STRING }], [[]])).toBe(
      lines('┌─────────┐', '│    a    │', '│ varchar │', '├─────────┤', '└─────────┘', '0 rows  1 column'),
    );
  });

  it('cuts wide values to the width', async () => {
    const schema: Schema = [
      { name: 'a', type: types.INT32 },
      { name: 's', type: types.STRING },
    ];
    expect(await rendered('duckbox', schema, [[1], ['x'.repeat(100)]], { maxWidth: 40, maxRows: 40 })).toBe(
      lines(
        '┌───────┬──────────────────────────────┐',
        '│   a   │              s               │',
        '│ int32 │           varchar            │',
        '├───────┼──────────────────────────────┤',
        `│     1 │ ${'x'.repeat(27)}… │`,
        '└───────┴──────────────────────────────┘',
      ),
    );
  });

  it('leaves out columns in the middle when cutting is not enough', async () => {
    const schema: Schema = Array.from({ length: 6 }, (_, i) => ({ name: `c${i}`, type: types.STRING }));
    const columns = schema.map((f) => [`${f.name} ${'y'.repeat(30)}`]);
    expect(await rendered('duckbox', schema, columns, { maxWidth: 62, maxRows: 40 })).toBe(
      lines(
        '┌──────────────────┬──────────────────┬───┬──────────────────┐',
        '│        c0        │        c1        │ … │        c5        │',
        '│     varchar      │     varchar      │   │     varchar      │',
        '├──────────────────┼──────────────────┼───┼──────────────────┤',
        '│ c0 yyyyyyyyyyyy… │ c1 yyyyyyyyyyyy… │ … │ c5 yyyyyyyyyyyy… │',
        '└──────────────────┴──────────────────┴───┴──────────────────┘',
        '1 row  6 columns (3 shown)',
      ),
    );
  });

  it('makes control characters visible', async () => {
    const text = await rendered('duckbox', [{ name: 'a\nb', type: types.STRING }], [['x\ty\u001b[31m\u202e\u009b']]);
    expect(text).toBe(
      lines(
        '┌────────────────────────┐',
        '│          a\\nb          │',
        '│        varchar         │',
        '├────────────────────────┤',
        '│ x\\ty\\x1b[31m\\u202e\\x9b │',
        '└────────────────────────┘',
      ),
    );
  });

  it('settles the widths by the first rows and cuts nothing without a width limit', async () => {
    const rows = Array.from({ length: 10_002 }, (_, i) => (i === 10_001 ? 'a long value' : 'x'));
    const text = await rendered('duckbox', [{ name: 's', type: types.STRING }], [rows], {}, 7);
    expect(text.split('\n').slice(-5)).toEqual([
      '│ x       │',
      '│ a long value │',
      '└─────────┘',
      '10,002 rows  1 column',
      '',
    ]);
    expect(text.split('\n')).toHaveLength(10_002 + 4 + 3);
  });

  it('groups the digits of whole numbers on request', async () => {
    const schema: Schema = [{ name: 'n', type: types.INT64 }];
    const text = await rendered('duckbox', schema, [[-1234567n, 12n]], { thousands: true });
    expect(text.split('\n').slice(4, 6)).toEqual(['│ -1,234,567 │', '│         12 │']);
  });
});

describe('box, table, column', () => {
  it('box', async () => {
    expect(await rendered('box', SCHEMA.slice(0, 2), COLUMNS.slice(0, 2))).toBe(
      lines(
        '┌──────┬──────────┐',
        '│  id  │   name   │',
        '├──────┼──────────┤',
        '│    1 │ ant      │',
        '│   20 │ NULL     │',
        '│ NULL │ käfer 🐞 │',
        '└──────┴──────────┘',
      ),
    );
  });

  it('table', async () => {
    expect(await rendered('table', SCHEMA.slice(0, 2), COLUMNS.slice(0, 2))).toBe(
      lines(
        '+------+----------+',
        '|  id  |   name   |',
        '+------+----------+',
        '|    1 | ant      |',
        '|   20 | NULL     |',
        '| NULL | käfer 🐞 |',
        '+------+----------+',
      ),
    );
  });

  it('column', async () => {
    expect(await rendered('column', SCHEMA.slice(0, 2), COLUMNS.slice(0, 2))).toBe(
      lines('id    name', '----  --------', '   1  ant', '  20  NULL', 'NULL  käfer 🐞'),
    );
  });
});

describe('fitColumns', () => {
  const frame = { perColumn: 3, once: 1 };

  it('is quick for very many columns', () => {
    const started = performance.now();
    const { shown } = fitColumns(
      Array.from({ length: 100_000 }, () => 20),
      120,
      frame,
    );
    expect(shown).toEqual([0, 1, 2, 99_997, 99_998, 99_999]);
    expect(performance.now() - started).toBeLessThan(200);
  });

  it('never exceeds the width while a column can be left out or cut', () => {
    for (let width = 12; width < 120; width++) {
      for (const natural of [[5], [200], [3, 50, 3], [40, 40, 40, 40], Array.from({ length: 30 }, (_, i) => i + 1)]) {
        const { widths, shown, gap } = fitColumns(natural, width, frame);
        const total = widths.reduce((sum, w) => sum + w + 3, 1) + (gap === undefined ? 0 : 4);
        expect(total, `${natural} in ${width}`).toBeLessThanOrEqual(Math.max(width, 9));
        expect(shown.length).toBeGreaterThan(0);
      }
    }
  });
});
