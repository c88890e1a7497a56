/** One statement and the rows that it must give, as CSV without a header; COPY shows none. */
export interface Statement {
  readonly name: string;
  readonly sql: string;
  readonly rows: readonly string[];
}

export interface ListTable {
  /** folder of the files */
  readonly folder: string;
  readonly rows: number;
  /** elements of each list */
  readonly width: number;
  /** also write all elements as one list: a row is shredded as a whole, at some 10 bytes a TINYINT */
  readonly oneListToParquet: boolean;
}

/** Elements are (31 · row + 7 · place) mod 251 − 125: a TINYINT that differs from row to row. */
const PERIOD = 251;
const element = (row: number, place: number): number => ((row * 31 + place * 7) % PERIOD) - 125;
const GROUPS = 7;

/** Σ of the elements of a row; rows repeat after 251. */
function rowSums(width: number): bigint[] {
  return Array.from({ length: PERIOD }, (_, row) => {
    let sum = 0;
    for (let place = 0; place < width; place++) sum += element(row, place);
    return BigInt(sum);
  });
}

/** count and Σ over the rows that `keep` lets pass. */
function totals({ rows, width }: ListTable, keep: (row: number) => boolean): { count: number; sum: bigint } {
  const sums = rowSums(width);
  let count = 0;
  let sum = 0n;
  for (let row = 0; row < rows; row++) {
    if (!keep(row)) continue;
    count++;
    sum += sums[row % PERIOD] as bigint;
  }
  return { count, sum };
}

/** What a table with one list column goes through: written, read, filtered, grouped, sorted, unnested, as one list. */
export function tableStatements(table: ListTable): Statement[] {
  const { folder, rows, width } = table;
  const [file, sorted, one, arrow] = ['lists.parquet', 'sorted.parquet', 'one.parquet', 'one.arrow'].map(
    (name) => `'${folder}/${name}'`,
  );
  // Each row's checksum weighs an element by its place; products of whole numbers below 2^53 are exact.
  const checksum = `list_inner_product(v, range(1, ${width + 1}))::BIGINT`;
  const checked = (from: string | undefined): string =>
    `SELECT count(*), count(*) FILTER (WHERE c = ${checksum}), sum(len(v)) FROM ${from}`;
  const all = totals(table, () => true);
  const positive = totals(table, (row) => element(row, 0) > 0);
  const leaves = rows * width;
  const last = element(rows - 1, width - 1);
  const ofAll = `SELECT list_leaves(list(v ORDER BY id)) AS l FROM ${file}`;
  const asOneList = `SELECT len(l), list_sum(l), list_min(l), list_max(l), l[${leaves}], l[${leaves + 1}]`;
  const oneList = [
    `${leaves},${all.sum},${Math.min(...everyElement(table))},${Math.max(...everyElement(table))},${last},`,
  ];
  return [
    {
      name: 'write',
      sql: `COPY (SELECT id, g, v, ${checksum} AS c FROM (SELECT i::INTEGER AS id, (i % ${GROUPS})::INTEGER AS g,
        list_transform(range(${width}), j -> ((i * 31 + j * 7) % ${PERIOD} - 125)::TINYINT) AS v
        FROM range(${rows}) t(i))) TO ${file}`,
      rows: [],
    },
    { name: 'read back', sql: checked(file), rows: [`${rows},${rows},${leaves}`] },
    {
      name: 'filter',
      sql: `SELECT count(*), sum(len(v)), sum(list_sum(v)), count(*) FILTER (WHERE c = ${checksum}) FROM ${file} WHERE v[1] > 0`,
      rows: [`${positive.count},${positive.count * width},${positive.sum},${positive.count}`],
    },
    {
      name: 'group by a key',
      sql: `SELECT g, sum(len(v)), sum(list_sum(v)) FROM ${file} GROUP BY g ORDER BY g`,
      rows: Array.from({ length: Math.min(GROUPS, rows) }, (_, group) => {
        const { count, sum } = totals(table, (row) => row % GROUPS === group);
        return `${group},${count * width},${sum}`;
      }),
    },
    {
      name: 'group by the list',
      sql: `SELECT count(*), sum(n) FROM (SELECT v, count(*) AS n FROM ${file} GROUP BY v)`,
      rows: [`${Math.min(PERIOD, rows)},${rows}`],
    },
    {
      name: 'sort with the list as payload',
      sql: `COPY (SELECT * FROM ${file} ORDER BY g, id DESC) TO ${sorted}`,
      rows: [],
    },
    { name: 'read what was sorted', sql: checked(sorted), rows: [`${rows},${rows},${leaves}`] },
    {
      name: 'order of what was sorted',
      sql: `SELECT id FROM read_parquet(${sorted}) LIMIT 1`,
      rows: [String(Math.floor((rows - 1) / GROUPS) * GROUPS)],
    },
    {
      name: 'unnest and count',
      sql: `SELECT count(*), sum(x) FROM (SELECT unnest(v) AS x FROM ${file})`,
      rows: [`${leaves},${all.sum}`],
    },
    { name: 'sum', sql: `SELECT sum(list_sum(v)) FROM ${file}`, rows: [String(all.sum)] },
    { name: 'one list of all elements', sql: `${asOneList} FROM (${ofAll})`, rows: oneList },
    { name: 'one list to Arrow', sql: `COPY (${ofAll}) TO ${arrow}`, rows: [] },
    { name: 'one list from Arrow', sql: `${asOneList} FROM ${arrow}`, rows: oneList },
    {
      name: 'unnest one list',
      sql: `SELECT count(*), sum(x) FROM (SELECT unnest(l) AS x FROM ${arrow})`,
      rows: [`${leaves},${all.sum}`],
    },
    ...(table.oneListToParquet
      ? [
          { name: 'one list to Parquet', sql: `COPY (SELECT l FROM ${arrow}) TO ${one}`, rows: [] },
          { name: 'one list from Parquet', sql: `${asOneList} FROM ${one}`, rows: oneList },
        ]
      : []),
  ];
}

/** All values that occur. */
function everyElement({ rows, width }: ListTable): Set<number> {
  const values = new Set<number>();
  for (let row = 0; row < Math.min(rows, PERIOD); row++) {
    for (let place = 0; place < Math.min(width, PERIOD); place++) values.add(element(row, place));
  }
  return values;
}

export interface Probe {
  readonly folder: string;
  /** elements that 32-bit offsets can count */
  readonly cap: number;
  readonly width: number;
  readonly type: 'TINYINT' | 'FLOAT' | 'DOUBLE' | 'FLOAT16';
  /** also hold all lists in one column in memory */
  readonly inMemory: boolean;
}

/** A column just below the cap and one row above it: built, concatenated, handed over as Arrow. */
export function probeStatements({ folder, cap, width, type, inMemory }: Probe): Statement[] {
  const under = Math.floor(cap / width);
  return [under, under + 1].flatMap((rows, i): Statement[] => {
    const side = i === 0 ? 'control' : 'over the cap';
    const file = (part: string): string => `'${folder}/${type}-${rows}-${part}.parquet'`;
    const values = (from: number, to: number): string =>
      `SELECT list_resize([]::${type}[], ${width}, (i % 13)::${type}) AS e FROM range(${from}, ${to}) t(i)`;
    const sum = Array.from({ length: 13 }, (_, r) => r * Math.floor((rows - r + 12) / 13)).reduce((a, b) => a + b, 0);
    const half = Math.floor(rows / 2);
    const whole = `${rows},${rows * width},${sum * width}`;
    const measured = 'count(*), sum(len(e)), sum(list_sum(e))::BIGINT';
    const both = `(SELECT e FROM ${file('a')} UNION ALL SELECT e FROM ${file('b')})`;
    const statements: Statement[] = [
      { name: `build, ${side}`, sql: `COPY (${values(0, rows)}) TO ${file('all')}`, rows: [] },
      {
        name: `read, ${side}`,
        sql: `SELECT ${measured}, any_value(typeof(e)) FROM ${file('all')}`,
        rows: [`${whole},${type}[]`],
      },
      { name: `first half, ${side}`, sql: `COPY (${values(0, half)}) TO ${file('a')}`, rows: [] },
      { name: `second half, ${side}`, sql: `COPY (${values(half, rows)}) TO ${file('b')}`, rows: [] },
      { name: `concatenate, ${side}`, sql: `SELECT ${measured} FROM ${both}`, rows: [whole] },
    ];
    if (!inMemory) return statements;
    const arrow = `'${folder}/${type}-${rows}.arrow'`;
    const one = `SELECT list_leaves(list(e)) AS l FROM ${both}`;
    return [
      ...statements,
      {
        name: `concatenate to one column, ${side}`,
        sql: `SELECT len(l), list_sum(l)::BIGINT FROM (${one})`,
        rows: [`${rows * width},${sum * width}`],
      },
      { name: `to Arrow, ${side}`, sql: `COPY (${one}) TO ${arrow}`, rows: [] },
      {
        name: `from Arrow, ${side}`,
        sql: `SELECT len(l), list_sum(l)::BIGINT, typeof(l) FROM ${arrow}`,
        rows: [`${rows * width},${sum * width},${type}[]`],
      },
    ];
  });
}
