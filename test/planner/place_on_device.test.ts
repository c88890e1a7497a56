import { describe, expect, test } from 'vitest';
import type { PhysicalNode } from '../../src/operators/index.ts';
import { encodePlan, nodeOrder } from '../../src/operators/index.ts';
import { explainPhysical } from '../../src/planner/explain/index.ts';
import { placeOnDevice } from '../../src/planner/index.ts';
import type { PlacementOptions } from '../../src/planner/physical/place_on_device.ts';
import { plansOf } from './sample_table.ts';

const RUNS = new Set(['scan_parquet', 'filter', 'project', 'hash_group_by']);

/** As the engine answers: a GPU runs scans, filters, projections and group-bys. */
async function placed(sql: string, options: Partial<PlacementOptions> = {}): Promise<string[]> {
  const { physical } = await plansOf(sql);
  const reasons = nodeOrder(physical).map((node: PhysicalNode) =>
    RUNS.has(node.kind) ? '' : `unsupported: operator ${node.kind} on the GPU`,
  );
  return explainPhysical(
    placeOnDevice(physical, reasons, { strict: false, scan: 'auto', fuse: true, ...options }),
    'text',
    null,
  ).map((line) => line.replace(/ \(?~?\d+ rows\)?/, ''));
}

/** The same where a GPU runs inner joins as well. */
async function joined(sql: string, options: Partial<PlacementOptions> = {}): Promise<PhysicalNode[]> {
  const { physical } = await plansOf(sql);
  const runs = (node: PhysicalNode) => RUNS.has(node.kind) || (node.kind === 'hash_join' && node.type === 'inner');
  const reasons = nodeOrder(physical).map((node) => (runs(node) ? '' : `unsupported: ${node.kind} on the GPU`));
  return nodeOrder(placeOnDevice(physical, reasons, { strict: false, scan: 'auto', fuse: true, ...options }));
}

describe('joins on a GPU', () => {
  const sql = 'SELECT a.i, count(*) FROM t a JOIN t b ON a.bi = b.bi WHERE a.d > 0 AND b.d < 9 GROUP BY a.i';

  test('take their tables where they lie', async () => {
    const inputs = async (text: string) =>
      (await joined(text)).find(({ kind }) => kind === 'hash_join')?.inputs.map(({ kind, device }) => [kind, device]);
    expect(await inputs(sql)).toEqual([
      ['scan_parquet', 'gpu'],
      ['scan_parquet', 'gpu'],
    ]);
    expect(await inputs('SELECT i FROM t JOIN range(9) r(k) ON i = k')).toEqual([
      ['scan_parquet', 'gpu'],
      ['exchange', 'gpu'],
    ]);
  });

  test('are one kernel with the group-by above them, if wished', async () => {
    const fused = (order: readonly PhysicalNode[]) =>
      order.flatMap((node) => (node.kind === 'hash_group_by' ? [node.fused] : []));
    expect(fused(await joined(sql))).toEqual([['scan_parquet', 'hash_join']]);
    expect(fused(await joined(sql, { fuse: false }))).toEqual([undefined]);
    expect(fused(await joined('SELECT i, count(*) FROM t WHERE d > 0 GROUP BY i'))).toEqual([undefined]);
    const tested = 'SELECT a.i, count(*) FROM t a JOIN t b ON a.bi = b.bi AND a.d < b.d GROUP BY a.i';
    expect(fused(await joined(tested))).toEqual([undefined]);
    const [group] = encodePlan((await joined(sql)).at(-1) as PhysicalNode, '').nodes.filter(
      (node) => node.kind === 'hash_group_by',
    );
    expect(group).toMatchObject({ fused: true });
  });

  test('filter scans there; those on the CPU keep theirs on it', async () => {
    const filtered = async (text: string) =>
      (await joined(text)).filter((node) => node.kind === 'scan_parquet' && node.joinFilters.length > 0);
    expect(await filtered(sql)).toMatchObject([{ device: 'gpu' }]);
    expect(await filtered('SELECT bi FROM t WHERE d > 0 AND bi IN (SELECT bi FROM t WHERE d < 9)')).toMatchObject([
      { device: 'cpu', cpuReason: "unsupported: a scan filtered by a cpu join's keys on the GPU" },
    ]);
  });
});

describe('limits and unions', () => {
  const all = async (sql: string, options: Partial<PlacementOptions> = {}) => {
    const { physical } = await plansOf(sql);
    const order = nodeOrder(physical);
    const root = placeOnDevice(
      physical,
      order.map((node) => (node.kind === 'range' ? 'unsupported: operator range on the GPU' : '')),
      { strict: false, scan: 'auto', fuse: true, ...options },
    );
    return nodeOrder(root).map(({ kind, device }) => `${kind} ${device}`);
  };

  test('go where their rows are', async () => {
    expect(await all('SELECT i FROM t ORDER BY d OFFSET 3')).toContain('limit gpu');
    expect(await all('SELECT i FROM t LIMIT 3')).not.toContain('scan_parquet gpu');
    expect(await all('SELECT i FROM t LIMIT 3', { strict: true })).toContain('scan_parquet gpu');
    expect(await all('SELECT k FROM range(9) r(k) OFFSET 3')).toContain('limit cpu');
  });

  test('of which an input is on the GPU take the others there', async () => {
    const nodes = await all('SELECT i FROM t WHERE d > 0 UNION ALL SELECT i FROM t');
    expect(nodes.filter((node) => node === 'scan_parquet gpu')).toHaveLength(2);
    expect(nodes).toContain('union_all gpu');
    expect(await all('SELECT i FROM t UNION ALL SELECT i FROM t')).toContain('union_all cpu');
  });

  test('below a scan of a limit are not fused', async () => {
    const { physical } = await plansOf(
      'SELECT a.i, count(*) FROM (SELECT i, bi FROM t LIMIT 5) a JOIN t b ON a.bi = b.bi GROUP BY a.i',
    );
    const root = placeOnDevice(
      physical,
      nodeOrder(physical).map(() => ''),
      { strict: true, scan: 'auto', fuse: true },
    );
    const fused = nodeOrder(root).flatMap((node) => (node.kind === 'hash_group_by' ? [node.fused ?? []] : []));
    expect(fused.flat()).not.toContain('scan_parquet');
  });
});

describe('nodes on a GPU', () => {
  test('stand between exchanges', async () => {
    const lines = await placed('SELECT i % 2 AS k, sum(bi) AS s FROM t GROUP BY k HAVING sum(bi) > 3');
    expect(lines.filter((line) => line.includes('exchange to_host'))).toHaveLength(1);
    const text = lines.join('\n');
    expect(text.indexOf('to_host')).toBeLessThan(text.indexOf('hash_group_by'));
    expect(text).toMatch(/scan_parquet.* on gpu/);
    expect(text).not.toContain('to_device');
  });

  test('take rows of other sources through an exchange', async () => {
    const text = (await placed('SELECT x % 2 AS k, sum(x) AS s FROM range(9) t(x) GROUP BY k')).join('\n');
    expect(text.indexOf('hash_group_by')).toBeLessThan(text.indexOf('exchange to_device'));
    expect(text.indexOf('exchange to_device')).toBeLessThan(text.indexOf('range'));
  });

  test('that the CPU reads as they are stay there', async () => {
    const sql = 'SELECT i FROM t ORDER BY i';
    expect((await placed(sql)).join('\n')).toMatch(/scan_parquet.* on cpu \(its rows go on on the cpu\)/);
    const all = (await placed(sql, { scan: 'all' })).join('\n');
    expect(all).toMatch(/scan_parquet.* on gpu/);
    expect(all).toContain('exchange to_host');
    const filtered = (await placed('SELECT i FROM t WHERE i > 3 ORDER BY i')).join('\n');
    expect(filtered).toMatch(/scan_parquet.* on gpu/);
  });

  test('that has no such operator stay on the CPU with the reason', async () => {
    const lines = await placed('SELECT i FROM t ORDER BY i');
    expect(lines.join('\n')).toContain('on cpu (unsupported: operator sort on the GPU)');
    expect(lines.join('\n')).not.toContain('exchange');
  });

  test('strict refuses what would stay, but for sources and writers', async () => {
    await expect(placed('SELECT i FROM t ORDER BY i', { strict: true })).rejects.toMatchObject({
      code: 'unsupported',
      message: 'unsupported: operator sort on the GPU',
    });
    const lines = await placed('SELECT x + 1 FROM range(5) t(x)', { strict: true });
    expect(lines.some((line) => line.includes('range'))).toBe(true);
  });

  test('with several readers are stored on the host once', async () => {
    const { physical } = await plansOf(
      'WITH a AS MATERIALIZED (SELECT i + 1 AS j FROM t) SELECT x.j FROM a x, a y WHERE x.j = y.j',
    );
    const order = nodeOrder(physical);
    const reasons = order.map((node) => (RUNS.has(node.kind) ? '' : `unsupported: operator ${node.kind} on the GPU`));
    const result = nodeOrder(placeOnDevice(physical, reasons, { strict: false, scan: 'auto', fuse: true }));
    for (const node of result) {
      for (const input of node.inputs) {
        const crosses = node.kind === 'exchange' && node.mode !== 'gather';
        expect(crosses || node.device === input.device).toBe(true);
      }
    }
  });
});
