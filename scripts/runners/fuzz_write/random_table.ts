import type { Random } from '../random.ts';

/** Types by the shape of a value: `expression` is SQL of DuckDB over a whole number. */
type Shape =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'list'; readonly element: Shape }
  | { readonly kind: 'struct'; readonly fields: readonly Shape[] }
  | { readonly kind: 'map'; readonly value: Shape };

/** SQL of DuckDB for a value made of the whole number `v` ≥ 0. */
const SCALARS: Readonly<Record<string, (v: string) => string>> = {
  boolean: (v) => `(${v} % 3 = 0)`,
  tinyint: (v) => `(${v} % 256 - 128)::TINYINT`,
  smallint: (v) => `(${v} * 7 % 65536 - 32768)::SMALLINT`,
  integer: (v) => `(${v} * 100003 % 4294967296 - 2147483648)::INTEGER`,
  bigint: (v) => `(${v} * 10000000019 - 5)::BIGINT`,
  few: (v) => `(${v} % 5)::BIGINT`,
  utinyint: (v) => `(${v} % 256)::UTINYINT`,
  usmallint: (v) => `(${v} * 13 % 65536)::USMALLINT`,
  uinteger: (v) => `(${v} * 2000003 % 4294967296)::UINTEGER`,
  ubigint: (v) => `(${v}::HUGEINT * 9007199254740993 % 18446744073709551616)::UBIGINT`,
  float: (v) =>
    `CASE ${v} % 7 WHEN 0 THEN 'nan'::FLOAT WHEN 1 THEN '-inf'::FLOAT WHEN 2 THEN '-0.0'::FLOAT ELSE (${v} / 3)::FLOAT END`,
  double: (v) => `CASE ${v} % 9 WHEN 0 THEN '-0.0'::DOUBLE WHEN 1 THEN 'inf'::DOUBLE ELSE (${v} / 7)::DOUBLE END`,
  decimal4: (v) => `(${v} % 90 - 45)::DECIMAL(4, 2)`,
  decimal18: (v) => `(${v} * 1000003 - 5)::DECIMAL(18, 3)`,
  decimal38: (v) => `(${v} - 7)::DECIMAL(38, 10) * 1000003`,
  date: (v) => `(DATE '1969-12-01' + (${v} % 20000)::INTEGER)`,
  time: (v) => `(TIME '00:00:00' + to_microseconds(${v} * 1000003 % 86400000000))`,
  timestamp: (v) => `(TIMESTAMP '1969-12-31 23:00:00.000001' + to_seconds(${v}))`,
  timestamp_ns: (v) => `make_timestamp_ns(${v} * 1000000007)`,
  timestamp_ms: (v) => `epoch_ms(${v} * 1003)::TIMESTAMP_MS`,
  timestamptz: (v) => `(TIMESTAMPTZ '2024-01-01 00:00:00.5+00' + to_seconds(${v}))`,
  interval: (v) => `(to_days((${v} % 40)::INTEGER) + to_months((${v} % 5)::INTEGER) + to_milliseconds(${v}))`,
  varchar: (v) => `('row ' || ${v})`,
  word: (v) => `['ant', '', 'a word with more than twelve letters', 'ümläut 🐞'][${v} % 4 + 1]`,
  long: (v) => `(repeat('x', (${v} % 200)::INTEGER) || ${v})`,
  blob: (v) => `('bin' || ${v} % 50)::BLOB`,
  uuid: (v) => `md5((${v})::VARCHAR)::UUID`,
};

const NAMES = Object.keys(SCALARS);

function randomShape(random: Random, depth: number): Shape {
  const choice = depth === 0 ? 0 : random.below(10);
  if (choice < 6) return { kind: 'scalar', name: random.pick(NAMES) };
  if (choice < 8) return { kind: 'list', element: randomShape(random, depth - 1) };
  if (choice < 9) {
    return {
      kind: 'struct',
      fields: Array.from({ length: 1 + random.below(3) }, () => randomShape(random, depth - 1)),
    };
  }
  return { kind: 'map', value: randomShape(random, depth - 1) };
}

/** SQL of a value of `shape` that depends on the whole number `v`. */
class ValueWriter {
  readonly #random: Random;
  #variables = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  value(shape: Shape, v: string): string {
    const whole = this.#whole(shape, v);
    const nulls = this.#random.pick([0, 0, 2, 5, 1]);
    return nulls === 0 ? whole : `CASE WHEN (${v}) % ${nulls + 1} = ${nulls} THEN NULL ELSE ${whole} END`;
  }

  #whole(shape: Shape, v: string): string {
    const at = (factor: number, add: string | number): string => `(${v} * ${factor} + ${add})`;
    switch (shape.kind) {
      case 'scalar':
        return (SCALARS[shape.name] as (v: string) => string)(`(${v})`);
      case 'struct':
        return `{${shape.fields.map((field, i) => `'f${i}': ${this.value(field, at(1, i))}`).join(', ')}}`;
      case 'list': {
        const x = this.#variable();
        return `list_transform(range(${this.#length(v)}), lambda ${x}: ${this.value(shape.element, at(3, x))})`;
      }
      case 'map': {
        const x = this.#variable();
        const entry = `{'k': 'k' || ${x}, 'v': ${this.value(shape.value, at(2, x))}}`;
        return `map_from_entries(list_transform(range(${this.#length(v)}), lambda ${x}: ${entry}))`;
      }
    }
  }

  #variable(): string {
    return `x${this.#variables++}`;
  }

  /** How many elements: none, always as many, or varying. */
  #length(v: string): string {
    const most = this.#random.pick([1, 2, 4, 9]);
    return this.#random.chance(0.2) ? String(most) : `(${v}) % ${most + 1}`;
  }
}

export interface RandomTable {
  readonly rows: number;
  /** query of DuckDB that gives the rows */
  readonly select: string;
  readonly columns: readonly string[];
  /** casts of some columns, for types that DuckDB lacks */
  readonly half: readonly string[];
}

/** A table of 1 to 5 columns of random types, nested up to three levels. */
export function randomTable(random: Random): RandomTable {
  const rows = random.pick([0, 1, 2, 31, 32, 33, 64, 100, 100, 250, 250, 1000, 2049]);
  const shapes = Array.from({ length: 1 + random.below(5) }, () => randomShape(random, random.below(4)));
  const writer = new ValueWriter(random);
  const columns = shapes.map((_, i) => `c${i}`);
  const values = shapes.map((shape, i) => `${writer.value(shape, `(i + ${random.below(50)})`)} AS c${i}`);
  const half = shapes.flatMap((shape, i) => {
    if (shape.kind === 'scalar' && shape.name === 'float') return [`c${i}::FLOAT16 AS h${i}`];
    if (shape.kind !== 'list' || shape.element.kind !== 'scalar' || shape.element.name !== 'float') return [];
    return [`c${i}::FLOAT16[] AS h${i}`];
  });
  return { rows, select: `SELECT ${values.join(', ')} FROM range(${rows}) t(i)`, columns, half };
}

/** Options of the COPY that writes the table. */
export interface RandomOptions {
  readonly text: string;
  /** several files in a folder */
  readonly isFolder: boolean;
}

export function randomOptions(random: Random): RandomOptions {
  const options = [
    'FORMAT parquet',
    `COMPRESSION ${random.pick(['uncompressed', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4_raw'])}`,
    `ROW_GROUP_SIZE ${random.pick([1, 7, 32, 100, 1000, 122880])}`,
  ];
  if (random.chance(0.3)) options.push(`ROW_GROUP_BYTES ${random.pick([100, 5000, 100000])}`);
  if (random.chance(0.2)) options.push('WRITE_BLOOM_FILTER false');
  const folder = random.pick(['', '', '', '', 'FILE_SIZE_BYTES 20000', 'PER_THREAD_OUTPUT']);
  if (folder !== '') options.push(folder);
  return { text: options.join(', '), isFolder: folder !== '' };
}
