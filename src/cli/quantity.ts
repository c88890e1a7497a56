/** Sizes, durations and counts as they are written on the command line and in configuration files. */
import { totalmem } from 'node:os';
import { usageError } from './usage_error.ts';

const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  '': 1000,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

function withUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match === null ? undefined : units[(match[2] as string).toLowerCase()];
  return unit === undefined ? undefined : Number((match as RegExpExecArray)[1]) * unit;
}

/** Bytes of `512MB`, `2GiB`, `80%` (of the machine's memory). */
export function parseSize(text: string, option: string): number {
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  const bytes = share === null ? withUnit(text, SIZE_UNITS) : (Number(share[1]) / 100) * totalmem();
  if (bytes === undefined || bytes < 1) {
    throw usageError(`${option}: not a size: ${text}`, 'a number with a unit, such as 512MB, 2GiB or 80%');
  }
  return Math.floor(bytes);
}

/** Milliseconds of `500ms`, `10s`, `5m`, `1h`; a bare number counts seconds. */
export function parseDuration(text: string, option: string): number {
  const ms = withUnit(text, DURATION_UNITS);
  if (ms === undefined || ms <= 0) {
    throw usageError(`${option}: not a duration: ${text}`, 'a number with a unit, such as 500ms, 10s, 5m or 1h');
  }
  // Timers hold 31 bits of milliseconds.
  return Math.min(Math.ceil(ms), 2 ** 31 - 1);
}

/** A whole number of at least `least`. */
export function parseCount(text: string, option: string, least = 0): number {
  const count = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(count) || count < least) {
    throw usageError(`${option}: not a whole number${least > 0 ? ` of at least ${least}` : ''}: ${text}`);
  }
  return count;
}

/** `1.5 GB`, `120 kB`, `17 B` */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${units[unit]}`;
}

/** `1,234,567` */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `0.012 s` */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}
