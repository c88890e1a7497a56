import { describe, expect, test } from 'vitest';
import { encodePlan } from '../../src/operators/index.ts';
import type { WirePlan } from '../../src/operators/wire.ts';
import { PLAN_FORMAT } from '../../src/operators/wire.ts';
import type { ParquetWrite } from '../../src/operators/write_parquet.ts';
import { planWrite } from '../../src/planner/index.ts';
import { plansOf, wireOf } from '../planner/sample_table.ts';

/** Values of all literals of a plan, in order of first use. */
const literals = (plan: WirePlan): unknown[] =>
  plan.exprs.flatMap((expr) => (expr.kind === 'literal' ? [expr.value] : []));

describe('plan document', () => {
  test('rows refer to earlier rows only, equal rows are one', async () => {
    const plan = await wireOf('SELECT i + 1, i + 1 AS again, upper(s) FROM t WHERE i + 1 > 2 ORDER BY i LIMIT 3');
    expect(plan.format).toBe(PLAN_FORMAT);
    expect(plan.functions).toBe('hash');
    for (const [row, expr] of plan.exprs.entries()) {
      if ('args' in expr) for (const arg of expr.args) expect(arg).toBeLessThan(row);
      expect(expr.type).toBeLessThan(plan.types.length);
    }
    for (const [row, node] of plan.nodes.entries()) {
      for (const input of node.inputs) expect(input).toBeLessThan(row);
      for (const field of node.output) expect(field.type).toBeLessThan(plan.types.length);
    }
    expect(new Set(plan.types.map((type) => JSON.stringify(type))).size).toBe(plan.types.length);
    expect(plan.nodes.at(-1)?.output.map((field) => field.name)).toEqual(['(i + 1)', 'again', 'upper(s)']);
  });

  test('literals travel as text', async () => {
    const sql = `SELECT 1, 9223372036854775807, -1.50, 1e0, 'nan'::DOUBLE, '-0.0'::DOUBLE, true, NULL, 'é', x'00ff',
      DATE '1969-12-31', TIMESTAMP '1970-01-01 00:00:00.000001', INTERVAL '1 month 2 days 3 seconds',
      [1, NULL], {'a': 1, 'b': 'x'}, MAP {'k': 1}`;
    expect(literals(await wireOf(sql))).toEqual([
      '1',
      '9223372036854775807',
      '-150',
      '1',
      'nan',
      '-0.0',
      true,
      null,
      'é',
      '00FF',
      '-1',
      '1',
      '1,2,3000000',
      ['1', null],
      ['1', 'x'],
      [['k', '1']],
    ]);
  });

  test('scans name files, columns and what fills them', async () => {
    const plan = await wireOf('SELECT s, i FROM t WHERE i > 1 LIMIT 5');
    expect(plan.nodes[0]).toMatchObject({
      kind: 'scan_parquet',
      inputs: [],
      files: ['/data/t.parquet'],
      columns: [
        { name: 'i', source: 'field', field: 'i' },
        { name: 's', source: 'field', field: 's' },
      ],
      limit: 5,
      device: 'cpu',
      instances: 1,
    });
  });

  test('run-time errors point at the text: spans of calls and casts', async () => {
    const sql = 'SELECT i + 1, CAST(s AS INTEGER) FROM t';
    const spans = (await wireOf(sql)).exprs.flatMap((expr) =>
      'span' in expr && expr.span ? [sql.slice(...expr.span)] : [],
    );
    expect(spans).toEqual(['i + 1', 'CAST(s AS INTEGER)']);
  });

  test('aggregates carry DISTINCT, FILTER and ORDER BY', async () => {
    const plan = await wireOf("SELECT string_agg(s, ';' ORDER BY i DESC) FILTER (WHERE b), count(DISTINCT i) FROM t");
    expect(plan.nodes[1]).toMatchObject({
      kind: 'hash_group_by',
      keys: [],
      aggregates: [
        { fn: 'string_agg', distinct: false, order: [{ descending: true, nullsFirst: false }] },
        { fn: 'count', distinct: true, filter: null, order: [] },
      ],
    });
  });

  test('a lambda is a body over its parameters and captures', async () => {
    const plan = await wireOf('SELECT list_transform(li, x -> x + i) FROM t');
    const lambda = plan.exprs.find((expr) => expr.kind === 'lambda');
    expect(lambda).toMatchObject({ parameters: 2 });
    if (lambda?.kind !== 'lambda') throw new Error('no lambda');
    const body = plan.exprs[lambda.args[0] as number];
    if (body?.kind !== 'call') throw new Error('no call');
    expect(body.args.map((arg) => plan.exprs[arg])).toMatchObject([
      { kind: 'column', index: 0 },
      { kind: 'column', index: 2 },
    ]);
    expect(lambda.args.slice(1).map((arg) => plan.exprs[arg])).toMatchObject([{ kind: 'column', index: 0 }]);
  });

  test('a write stands on top, over columns with names of their own', async () => {
    const { physical } = await plansOf('SELECT i, s AS i FROM t');
    const capabilities = { devices: ['cpu'], operators: ['write_parquet'] };
    const how: ParquetWrite = {
      path: '/out/x.parquet',
      compression: 'zstd',
      level: 3,
      rowGroupRows: 10,
      rowGroupBytes: 1000,
      fileBytes: 5,
      perThread: true,
      partitionBy: [],
      existing: 'merge',
      fileName: 'data_{i}.parquet',
      bloomRatio: 0.5,
    };
    const plan = encodePlan(planWrite(physical, how, { capabilities }), 'hash');
    expect(plan.nodes.at(-1)).toMatchObject({
      kind: 'write_parquet',
      path: '/out/x.parquet',
      compression: 'zstd',
      group_rows: 10,
      level: 3,
      group_bytes: 1000,
      file_bytes: 5,
      per_thread: true,
      partition_by: [],
      existing: 'merge',
      file_name: 'data_{i}.parquet',
      bloom_ratio: 0.5,
      output: [{ name: 'Count' }],
    });
    expect(plan.nodes.at(-2)?.output.map(({ name }) => name)).toEqual(['i', 'i_1']);
    expect(() => planWrite(physical, how, { capabilities: { devices: [], operators: [] } })).toThrow('unsupported');
  });
});
