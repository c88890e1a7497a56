import { afterAll, describe, expect, test } from 'vitest';
import type { ResultBatch } from '../../src/common/batch.ts';
import { INT64, STRING } from '../../src/common/data_type.ts';
import type { EngineResult } from '../../src/engine/index.ts';
import { capabilities, Engine, functionTable } from '../../src/engine/index.ts';
import type { WirePlan } from '../../src/operators/wire.ts';
import { PlanRows } from './plan_rows.ts';

const engine = new Engine({ threads: 2 });
afterAll(() => engine.close());

/** start, start + 1, … as `n`; `map` may put nodes on top. */
function rangePlan(stop: number, map: (rows: PlanRows, range: number) => void = () => {}): WirePlan {
  const rows = new PlanRows();
  map(rows, rows.node('range', [], [['n', INT64]], { start: '0', stop: String(stop), step: '1' }));
  return rows.plan();
}

async function collect(result: EngineResult): Promise<ResultBatch[]> {
  const out: ResultBatch[] = [];
  for await (const batch of result.batches()) out.push(batch);
  return out;
}

async function int64Rows(result: EngineResult): Promise<bigint[]> {
  return (await collect(result)).flatMap((batch) => [...firstColumn(batch)]);
}

function firstColumn(batch: ResultBatch | undefined): BigInt64Array {
  return (batch?.columns[0]?.values ?? new BigInt64Array()) as BigInt64Array;
}

function textOf(values: ArrayBufferView | undefined): string {
  return new TextDecoder().decode(values as Uint8Array | undefined);
}

describe('execute', () => {
  test('gives rows in order with a schema and metrics', async () => {
    const result = engine.execute(
      rangePlan(200_000, (rows, range) => {
        rows.node('project', [range], [['m', INT64]], {
          exprs: [rows.call('add', [rows.column(0, INT64), rows.literal('5', INT64)], INT64)],
        });
      }),
    );
    expect(result.schema).toEqual([{ name: 'm', type: { kind: 'int64' } }]);
    const values = await int64Rows(result);
    expect(values.length).toBe(200_000);
    expect(values.every((value, index) => value === BigInt(index + 5))).toBe(true);
    const metrics = result.metrics();
    expect(metrics.rows).toBe(200_000);
    expect(metrics.nodes.map((node) => node.rows)).toEqual([200_000, 200_000]);
    expect(metrics.pipelines.length).toBe(1);
    expect(metrics.peakMemory).toBeGreaterThan(0);
  });

  test('strings, NULLs and lists of values', async () => {
    const rows = new PlanRows();
    const list = { kind: 'list', element: STRING } as const;
    const row = (text: string | null, items: string[] | null): number[] => [
      rows.literal(text, STRING),
      rows.literal(items, list),
    ];
    rows.node(
      'values',
      [],
      [
        ['t', STRING],
        ['l', list],
      ],
      { rows: [row('é', ['a', 'bc']), row(null, []), row('a longer text than twelve', null)] },
    );
    const [batch] = await collect(engine.execute(rows.plan()));
    const [text, items] = batch?.columns ?? [];
    expect(text?.nullCount).toBe(1);
    expect([...(text?.offsets ?? [])]).toEqual([0, 2, 2, 27]);
    expect(textOf(text?.values)).toBe('éa longer text than twelve');
    expect([...(items?.offsets ?? [])]).toEqual([0, 2, 2, 2]);
    expect(items?.validity?.[0]).toBe(0b011);
    expect(textOf(items?.children?.[0]?.values)).toBe('abc');
  });

  test('blocks stay below 8 MiB', async () => {
    const batches = await collect(engine.execute(rangePlan(3_000_000)));
    expect(batches.reduce((sum, batch) => sum + batch.rows, 0)).toBe(3_000_000);
    for (const batch of batches) expect(firstColumn(batch).buffer.byteLength).toBeLessThanOrEqual(8 << 20);
  });

  test('next() calls that overlap are settled in order', async () => {
    const query = engine.execute(rangePlan(500_000)).batches()[Symbol.asyncIterator]();
    const blocks = await Promise.all([query.next(), query.next(), query.next()]);
    const firsts = blocks.map((block) => firstColumn(block.value)[0] ?? -1n);
    expect(firsts[0]).toBe(0n);
    expect(firsts).toEqual([...firsts].sort((a, b) => Number(a - b)));
    await query.return?.(undefined);
  });
});

describe('errors', () => {
  test('of a run carry span, code and message', async () => {
    const plan = rangePlan(10, (rows, range) => {
      const overflow = rows.call(
        'add',
        [rows.column(0, INT64), rows.literal('9223372036854775807', INT64)],
        INT64,
        [7, 12],
      );
      rows.node('project', [range], [['m', INT64]], { exprs: [overflow] });
    });
    await expect(collect(engine.execute(plan))).rejects.toMatchObject({
      name: 'QuernError',
      source: 'user',
      code: 'runtime',
      span: { start: 7, end: 12 },
    });
  });

  test('of another version say what to do', async () => {
    const plan = { ...rangePlan(10), functions: 'ffff' };
    await expect(collect(engine.execute(plan))).rejects.toMatchObject({
      source: 'internal',
      message: 'the addon was built for another version of the plan',
      hint: 'run `npm run build`',
    });
  });

  test('of a malformed plan name the node', async () => {
    const plan = rangePlan(10, (rows, range) => {
      rows.node('filter', [range], [['n', INT64]], { predicate: [rows.column(3, INT64)] });
    });
    await expect(collect(engine.execute(plan))).rejects.toThrow('plan node 1 (filter): a conjunct is not boolean');
  });

  test('of a missing file', async () => {
    await expect(engine.describeFiles(['/nowhere/x.parquet'], { format: 'parquet' })).rejects.toMatchObject({
      source: 'io',
    });
  });

  test('of a GPU node that no exchange reads', async () => {
    const plan = rangePlan(10);
    const gpu = { ...plan, nodes: plan.nodes.map((node) => ({ ...node, device: 'gpu' as const })) };
    await expect(collect(engine.execute(gpu))).rejects.toMatchObject({
      source: 'internal',
      message: 'plan node 0 is on a GPU, but no exchange to_host reads it',
    });
  });

  test('over the memory limit name bytes', async () => {
    const small = new Engine({ threads: 2, memoryLimit: 8 << 20 });
    const plan = rangePlan(20_000_000, (rows, range) => {
      rows.node('sort', [range], [['n', INT64]], {
        keys: [{ expr: rows.column(0, INT64), descending: true, nullsFirst: false }],
      });
    });
    await expect(collect(small.execute(plan))).rejects.toMatchObject({ source: 'resource', code: 'oom' });
    await small.close();
  });
});

describe('ending early', () => {
  const endless = (): WirePlan => rangePlan(2 ** 52);

  test('return() cancels', async () => {
    let batches = 0;
    for await (const batch of engine.execute(endless()).batches()) {
      expect(batch.rows).toBeGreaterThan(0);
      if (++batches === 3) break;
    }
    expect(batches).toBe(3);
  });

  test('an abort signal cancels within 200 ms', async () => {
    const abort = new AbortController();
    const plan = rangePlan(2 ** 52, (rows, range) => {
      const count = { fn: 'count_star', args: [], distinct: false, filter: null, order: [], type: rows.type(INT64) };
      rows.node('hash_group_by', [range], [['c', INT64]], { keys: [], aggregates: [count] });
    });
    const running = collect(engine.execute(plan, { signal: abort.signal }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(performance.now() - started).toBeLessThan(200);
  });

  test('an abort before the start cancels', async () => {
    await expect(collect(engine.execute(endless(), { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  test('close() ends what runs', async () => {
    const other = new Engine({ threads: 2 });
    const running = collect(other.execute(endless()));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all([other.close(), expect(running).rejects.toMatchObject({ code: 'cancelled' })]);
    expect(() => other.execute(endless())).toThrow('engine closed');
  });
});

test('two engines run side by side, several queries each', async () => {
  const other = new Engine({ threads: 1 });
  const sizes = [10, 100_000, 70_000, 1];
  const results = await Promise.all(
    sizes.flatMap((size) => [engine, other].map((one) => int64Rows(one.execute(rangePlan(size))))),
  );
  expect(results.map((rows) => rows.length)).toEqual(sizes.flatMap((size) => [size, size]));
  await other.close();
});

test('a stalled result does not stop another query', async () => {
  const stalled = Array.from({ length: 8 }, () =>
    engine
      .execute(rangePlan(2 ** 40))
      .batches()
      [Symbol.asyncIterator](),
  );
  await Promise.all(stalled.map((query) => query.next()));
  expect((await int64Rows(engine.execute(rangePlan(100_000)))).length).toBe(100_000);
  await Promise.all(stalled.map((query) => query.return?.(undefined)));
});

test('capabilities and the function table', () => {
  expect(capabilities().devices).toEqual(['cpu']);
  expect(capabilities().operators).toContain('scan_parquet');
  expect(functionTable().find((row) => row.name === 'add')).toMatchObject({
    arguments: ['T', 'T'],
    result: 'T',
    fallible: true,
  });
});
