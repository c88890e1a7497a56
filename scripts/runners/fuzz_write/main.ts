import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../arguments.ts';
import { RoundTrips } from './round_trip.ts';

const DEFAULT_ROUNDS = 10_000;
const MAX_SHOWN = 20;

async function main(argv: readonly string[]): Promise<number> {
  const { rest, flags } = parseArguments(argv, ['rounds', 'seed', 'only-round'], []);
  if (rest.length > 0) {
    console.error('usage: fuzz-write [--rounds N] [--seed N] [--only-round N]');
    return 2;
  }
  const seed = Number(flags.get('seed') ?? 1);
  const only = flags.get('only-round');
  const first = only === undefined ? 0 : Number(only);
  const end = only === undefined ? Number(flags.get('rounds') ?? DEFAULT_ROUNDS) : first + 1;
  const folder = mkdtempSync(join(tmpdir(), 'quern-fuzz-write-'));
  const trips = await RoundTrips.open(folder);
  let failed = 0;
  for (let round = first; round < end; round++) {
    const fault = await trips.fault(seed, round);
    if (fault !== undefined && ++failed <= MAX_SHOWN) console.log(fault);
    if ((round + 1) % 1000 === 0) console.error(`${round + 1} of ${end}`);
  }
  await trips.close();
  rmSync(folder, { recursive: true });
  console.log(`${end - first - failed} passed, ${failed} failed, 0 skipped`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
