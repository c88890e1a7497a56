import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, release, tmpdir, totalmem } from 'node:os';
import { capabilities, deviceStatus } from '../../engine/index.ts';
import { renderValue } from '../../output/render_value.ts';
import type { Session, SessionOptions } from '../../session/types.ts';
import type { Context } from '../context.ts';
import { sizeText } from '../quantity.ts';
import { sessionOptions } from '../settings.ts';
import { StdoutTarget } from '../stdout_target.ts';
import { VERSION } from '../version.ts';

type Status = 'ok' | 'warn' | 'fail';

interface Finding {
  readonly name: string;
  readonly status: Status;
  readonly detail: string;
}

/** Free space below which a spilling query is likely to fail. */
const LEAST_TEMP_BYTES = 1e9;

const finding = (name: string, status: Status, detail: string): Finding => ({ name, status, detail });

/** A limit of the control group this process lives in; undefined = none. */
function cgroupLimit(file: string): string | undefined {
  try {
    const text = readFileSync(`/sys/fs/cgroup/${file}`, 'utf8').trim();
    return text.startsWith('max') ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

function machine(): Finding[] {
  const quota = cgroupLimit('cpu.max');
  const memory = cgroupLimit('memory.max');
  const [share, period] = (quota ?? '').split(' ').map(Number);
  const cores = share && period ? `, ${(share / period).toFixed(1)} by cgroup` : '';
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  return [
    finding('quern', 'ok', VERSION),
    finding('node', 'ok', `${process.version} ${process.platform} ${process.arch}, kernel ${release()}`),
    finding('cpu', 'ok', `${model}, ${availableParallelism()} usable${cores}`),
    finding(
      'memory',
      'ok',
      sizeText(totalmem()) + (memory === undefined ? '' : `, ${sizeText(Number(memory))} by cgroup`),
    ),
  ];
}

function tempDirectory(options: SessionOptions): Finding {
  const directory = options.tempDir ?? tmpdir();
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    const stats = statfsSync(directory);
    const free = stats.bavail * stats.bsize;
    return finding('temp dir', free < LEAST_TEMP_BYTES ? 'warn' : 'ok', `${directory}, ${sizeText(free)} free`);
  } catch (error) {
    return finding('temp dir', 'fail', `${directory}: ${(error as Error).message}`);
  }
}

/** One query through every layer: its answer as text. */
async function answer(session: Session, sql: string): Promise<string | null> {
  let text: string | null = null;
  for await (const { result } of session.query(sql)) {
    for await (const batch of result.batches()) {
      const column = batch.columns[0];
      if (batch.rows > 0 && column !== undefined) text = renderValue(column, 0);
    }
  }
  return text;
}

const SELF_TESTS: readonly { readonly sql: string; readonly expected: string }[] = [
  { sql: 'SELECT 40 + 2', expected: '42' },
  { sql: 'SELECT sum(i) FROM range(100000) t(i)', expected: '4999950000' },
];

/** The GPU, or why there is none; quern works without. */
function gpu(): Finding {
  const { device, reason } = deviceStatus();
  if (device === null) return finding('gpu', 'ok', `none: ${reason ?? ''}`);
  const { name, capability, memory, driver } = device;
  return finding(
    'gpu',
    'ok',
    `${name}, sm_${capability.replace('.', '')}, ${sizeText(memory)}, driver for CUDA ${driver / 1000}`,
  );
}

async function engine(options: SessionOptions): Promise<Finding[]> {
  let session: Session;
  try {
    const { openSession } = await import('../../session/index.ts');
    session = await openSession(options);
  } catch (error) {
    return [finding('engine', 'fail', (error as Error).message)];
  }
  const findings = [finding('engine', 'ok', 'the native addon is loaded')];
  try {
    findings.push(finding('devices', 'ok', capabilities().devices.join(', ')), gpu());
    for (const { sql, expected } of SELF_TESTS) {
      const found = await answer(session, sql);
      findings.push(
        found === expected
          ? finding('self-test', 'ok', `${sql} = ${found}`)
          : finding('self-test', 'fail', `${sql} = ${found}, expected ${expected}`),
      );
    }
  } catch (error) {
    findings.push(finding('self-test', 'fail', (error as Error).message));
  } finally {
    await session.close();
  }
  return findings;
}

/** `quern doctor`: what quern finds on this machine; exit code 1 when it cannot work. */
export async function runDoctor(context: Context): Promise<number> {
  const options = sessionOptions(context.sources);
  const findings = [...machine(), tempDirectory(options), ...(await engine(options))];
  const usable = findings.every((f) => f.status !== 'fail');
  const target = new StdoutTarget(context.interruption.signal);
  if (context.options.json === true) {
    await target.write(`${JSON.stringify({ usable, findings }, null, 2)}\n`);
  } else {
    for (const { name, status, detail } of findings) {
      await target.write(`${status.padEnd(4)}  ${name.padEnd(9)}  ${detail}\n`);
    }
    await target.write(usable ? 'quern can work here\n' : 'quern cannot work here\n');
  }
  await target.commit();
  return usable ? 0 : 1;
}
