import type { Random } from '../random.ts';
import type { Kind } from './expression.ts';
import type { Column } from './table.ts';

/** A table of the relational statements; `k` and `k2` are the keys that the tables have in common. */
export interface RelationTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rowCounts: readonly number[];
}

const column = (name: string, kind: Kind, type: string): Column => ({ name, kind, type });

export const RELATION_TABLES: readonly RelationTable[] = [
  {
    name: 'a',
    columns: [
      column('id', 'int', 'INTEGER'),
      column('k', 'int', 'INTEGER'),
      column('k2', 'int', 'SMALLINT'),
      column('s', 'string', 'VARCHAR'),
      column('x', 'int', 'INTEGER'),
      column('m', 'decimal', 'DECIMAL(7,2)'),
      column('d', 'date', 'DATE'),
    ],
    rowCounts: [0, 1, 7, 33, 100, 100],
  },
  {
    name: 'b',
    columns: [
      column('id', 'int', 'INTEGER'),
      column('k', 'bigint', 'BIGINT'),
      column('k2', 'int', 'SMALLINT'),
      column('s', 'string', 'VARCHAR'),
      column('y', 'int', 'INTEGER'),
      column('d', 'date', 'DATE'),
    ],
    rowCounts: [0, 1, 5, 20, 40],
  },
  {
    name: 'c',
    columns: [
      column('k', 'int', 'INTEGER'),
      column('k2', 'int', 'INTEGER'),
      column('s', 'string', 'VARCHAR'),
      column('m', 'decimal', 'DECIMAL(9,2)'),
    ],
    rowCounts: [0, 2, 6, 12],
  },
];

/**
 * Many rows in several row groups, which filters of joins skip: written in the order of `k`, whose values go far beyond
 * those of the other tables. A statement reads it once at most, or the products of its relations would not end.
 */
export const LARGE_TABLE: RelationTable = {
  name: 'e',
  columns: [
    column('id', 'int', 'INTEGER'),
    column('k', 'int', 'INTEGER'),
    column('k2', 'int', 'INTEGER'),
    column('s', 'string', 'VARCHAR'),
    column('m', 'decimal', 'DECIMAL(9,2)'),
    column('d', 'date', 'DATE'),
  ],
  rowCounts: [4500, 6200],
};

const TEXTS = ['a', 'b', 'ab', '', 'ż', 'a longer text than fits a view'];

/** SQL that writes each table to a file of its name. Keys come from few values, so that they repeat, with NULLs. */
export function relationTableSql(random: Random, fileOf: (table: string) => string): string[] {
  return RELATION_TABLES.flatMap((table) => {
    const rows = random.pick(table.rowCounts);
    const distinct = random.pick([2, 5, 5, 40]);
    const nulls = random.pick([0, 0.1, 0.3]);
    const types = table.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    const tuples = Array.from({ length: rows }, (_, row) => {
      const cells = table.columns.map(({ name, kind }) => {
        if (name === 'id') return String(row);
        return random.chance(nulls) ? 'NULL' : cell(random, kind, distinct);
      });
      return `(${cells.join(', ')})`;
    });
    return [
      `CREATE OR REPLACE TABLE ${table.name}(${types})`,
      ...(rows === 0 ? [] : [`INSERT INTO ${table.name} VALUES ${tuples.join(', ')}`]),
      `COPY ${table.name} TO '${fileOf(table.name)}' (FORMAT parquet)`,
    ];
  });
}

/** SQL that writes the large table: `k` without gaps, or with gaps, or few values; NULLs last. */
export function largeTableSql(random: Random, file: string): string {
  const rows = random.pick(LARGE_TABLE.rowCounts);
  const key = random.pick(['i // 100', 'i // 3', 'i * 7', 'i // 2000']);
  const nulls = random.pick(['', 'i % 10 = 3', `i > ${rows - 300}`]);
  const k = nulls === '' ? key : `CASE WHEN ${nulls} THEN NULL ELSE ${key} END`;
  const texts = `[${TEXTS.map((text) => `'${text}'`).join(', ')}, NULL, 'only here']`;
  const select = `SELECT i::INTEGER AS id, (${k})::INTEGER AS k, (CASE WHEN i % 9 = 4 THEN NULL ELSE hash(i) % 40 END)::INTEGER AS k2,
    ${texts}[(hash(i + 1) % 8)::INTEGER + 1] AS s, ((hash(i + 2) % 200) * 0.25)::DECIMAL(9, 2) AS m,
    DATE '2024-01-01' + (i // 50)::INTEGER AS d FROM range(${rows}) t(i) ORDER BY k NULLS LAST, id`;
  return `COPY (${select}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`;
}

function cell(random: Random, kind: Kind, distinct: number): string {
  switch (kind) {
    case 'string':
      return `'${random.pick(TEXTS)}'`;
    case 'decimal':
      return (random.below(distinct) * 0.25).toFixed(2);
    case 'date':
      return `DATE '2024-01-01' + ${random.below(distinct)}`;
    default:
      return String(random.below(distinct));
  }
}
