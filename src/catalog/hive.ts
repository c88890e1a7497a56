import type { DataType } from '../common/data_type.ts';
import { DATE, INT64, STRING } from '../common/data_type.ts';

/** A `key=value` folder of every path, with the type that fits all its values. */
export interface HiveKey {
  readonly name: string;
  readonly type: DataType;
}

/** `key=value` folders of one path, in order; values are decoded from percent signs. */
export function hiveParts(file: string): { name: string; value: string }[] {
  return file
    .split('/')
    .slice(0, -1)
    .flatMap((part) => {
      const at = part.indexOf('=');
      if (at <= 0) return [];
      return [{ name: decode(part.slice(0, at)), value: decode(part.slice(at + 1)) }];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Stands for NULL in folder names. */
const NULL_NAMES = new Set(['__HIVE_DEFAULT_PARTITION__', 'NULL', '']);

/** Keys that all paths have in the same order, sorted by name; null when they differ or there is none. */
export function hiveKeys(files: readonly string[]): HiveKey[] | null {
  const [first, ...rest] = files.map(hiveParts);
  if (first === undefined || first.length === 0) return null;
  const names = first.map((part) => part.name);
  if (rest.some((parts) => parts.length !== names.length || parts.some((part, i) => part.name !== names[i])))
    return null;
  const all = [first, ...rest];
  const keys = names.map((name, i) => ({
    name,
    type: typeOf(all.map((parts) => parts[i]?.value ?? '').filter((value) => !NULL_NAMES.has(value))),
  }));
  return keys.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** BIGINT or DATE when every value reads as one, else VARCHAR. */
function typeOf(values: readonly string[]): DataType {
  if (values.length === 0) return STRING;
  if (values.every(isWhole)) return INT64;
  return values.every((value) => DAY.test(value) && !Number.isNaN(Date.parse(value))) ? DATE : STRING;
}

function isWhole(text: string): boolean {
  return /^[+-]?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
