import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flipped, flipsOf } from '../../scripts/runners/fuzz_parquet/flip.ts';
import { DEVIATIONS } from '../../scripts/runners/fuzz_sql/deviations.ts';
import { generateStatement } from '../../scripts/runners/fuzz_sql/generate_statement.ts';
import { shrink } from '../../scripts/runners/fuzz_sql/shrink.ts';
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
    const small = await shrink(statement, async (s) => renderStatement(s, 't').includes('upper('));
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
  for (const { name } of DEVIATIONS) expect(docs).toContain(`\`${name}\``);
});
