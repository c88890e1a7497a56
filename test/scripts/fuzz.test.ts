import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flipped, flipsOf } from '../../scripts/runners/fuzz_parquet/flip.ts';
import { DEVIATIONS, explainedBy } from '../../scripts/runners/fuzz_sql/deviations.ts';
import { build, leaf, renderExpression } from '../../scripts/runners/fuzz_sql/expression.ts';
import { generateStatement } from '../../scripts/runners/fuzz_sql/generate_statement.ts';
import { REWRITINGS, rewrite } from '../../scripts/runners/fuzz_sql/rewrite.ts';
import { shrink, smaller } from '../../scripts/runners/fuzz_sql/shrink.ts';
import { renderStatement, statementSize } from '../../scripts/runners/fuzz_sql/statement.ts';
import { randomTable } from '../../scripts/runners/fuzz_write/random_table.ts';
import { RoundTrips } from '../../scripts/runners/fuzz_write/round_trip.ts';
import { Random } from '../../scripts/runners/random.ts';

describe('random statements', () => {
  it('are the same for the same seed', () => {
    const texts = [1, 1, 2].map((seed) => renderStatement(generateStatement(new Random(seed)), 't'));
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).not.toBe(texts[2]);
  });

  it('shrink to what matters', async () => {
    const random = new Random(7);
    let statement = generateStatement(random);
    while (!renderStatement(statement, 't').includes('upper(')) statement = generateStatement(random);
    const small = await shrink(statement, smaller, async (s) => renderStatement(s, 't').includes('upper('));
    expect(renderStatement(small, 't')).toContain('upper(');
    expect(statementSize(small)).toBeLessThan(statementSize(statement));
    expect(statementSize(small)).toBeLessThanOrEqual(8);
  });
});

describe('flips', () => {
  it('follow from seed and round and change a copy', () => {
    const bytes = new Uint8Array(100).fill(7);
    expect(flipsOf(bytes, 1, 5)).toEqual(flipsOf(bytes, 1, 5));
    const copies = [0, 1, 2, 3].map((round) => flipped(bytes, flipsOf(bytes, 1, round)).join());
    expect(new Set(copies).size).toBe(4);
    expect(bytes.every((byte) => byte === 7)).toBe(true);
  });
});

describe('random tables', () => {
  it('come back from Parquet and Arrow as they were, in quern and DuckDB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quern-fuzz-write-'));
    const trips = await RoundTrips.open(folder);
    const faults: (string | undefined)[] = [];
    for (let round = 0; round < 60; round++) faults.push(await trips.fault(3, round));
    await trips.close();
    rmSync(folder, { recursive: true });
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }, 60_000);

  it('are the same for the same seed, and of many types', () => {
    const selects = Array.from({ length: 100 }, (_, seed) => randomTable(new Random(seed)).select);
    expect(selects[5]).toBe(randomTable(new Random(5)).select);
    for (const part of ['list_transform', 'map_from_entries', "{'f0'", 'UUID', 'TIMESTAMPTZ', 'DECIMAL(38, 10)']) {
      expect(selects.some((select) => select.includes(part))).toBe(true);
    }
  });
});

it('every deviation that the fuzzer accepts is explained in the docs', () => {
  const docs = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8');
  const names = [...DEVIATIONS.map((deviation) => deviation.name), ...REWRITINGS];
  for (const name of names) expect(docs).toContain(`\`${name}\``);
});

describe('known differences', () => {
  const cell = { kind: 'value' as const, sql: 'select 1.0 / 3', reference: '0.25', actual: '0.5', type: 'DOUBLE' };

  it('explain each value on its own', () => {
    const near = { ...cell, reference: '0.3333333333333333', actual: '0.33333333333333326' };
    expect([...(explainedBy([near]) ?? [])]).toEqual(['decimal-division']);
    expect(explainedBy([near, cell])).toBeUndefined();
  });

  it('do not explain a sum of another type', () => {
    const sum = { kind: 'type' as const, sql: 'select sum(x)', reference: 'HUGEINT', actual: 'BIGINT' };
    expect(explainedBy([sum])?.has('sum-of-integers')).toBe(true);
    expect(explainedBy([{ ...sum, actual: 'DOUBLE' }])).toBeUndefined();
    expect(explainedBy([{ ...sum, sql: 'select max(x)' }])).toBeUndefined();
  });

  it('of constants are known by what they compute, not by their text', async () => {
    const division = build('int', '(@ % @)', leaf('int', 'x'), leaf('int', '-1'));
    const isNull = async (sql: string): Promise<boolean> => sql === 'nothing()';
    expect([...(await rewrite(division, isNull)).rules]).toEqual(['remainder-of-least']);
    const sum = build('int', '(@ + @)', leaf('int', 'x'), leaf('int', 'nothing()'));
    const { expression, rules } = await rewrite(sum, isNull);
    expect(renderExpression(expression)).toBe('(x + (CASE WHEN random() < 2 THEN nothing() END))');
    expect([...rules]).toEqual(['constant-null']);
  });
});
