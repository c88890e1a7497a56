import type { FileTable, TableColumn } from '../../src/catalog/file_table.ts';
import type { DataType } from '../../src/common/data_type.ts';
import {
  BFLOAT16,
  BINARY,
  BOOL,
  DATE,
  decimal,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INT8,
  INT16,
  INT32,
  INT64,
  INTERVAL,
  list,
  map,
  STRING,
  struct,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  UINT8,
  UINT16,
  UINT32,
  UINT64,
} from '../../src/common/data_type.ts';
import { userError } from '../../src/common/error.ts';
import { encodePlan } from '../../src/operators/index.ts';
import type { WirePlan } from '../../src/operators/wire.ts';
import { explainLogical, explainPhysical } from '../../src/planner/explain/index.ts';
import type { CatalogAccess, LogicalPlan, ParameterValue, Plans } from '../../src/planner/index.ts';
import { bind, parameterValue, planQuery, resolveSources } from '../../src/planner/index.ts';
import { parseStatements } from '../../src/sql/index.ts';

const column = (name: string, type: DataType, extra: Partial<TableColumn> = {}): TableColumn => ({
  name,
  type,
  source: 'field',
  field: name,
  nth: 0,
  unsupported: null,
  bounds: null,
  distinct: null,
  ...extra,
});

/** A column of every type that DuckDB has as well. */
export const SHARED_COLUMNS: readonly TableColumn[] = [
  column('ti', INT8),
  column('si', INT16),
  column('i', INT32),
  column('bi', INT64),
  column('hi', decimal(38, 0)),
  column('uti', UINT8),
  column('usi', UINT16),
  column('ui', UINT32),
  column('ubi', UINT64),
  column('f', FLOAT32),
  column('d', FLOAT64),
  column('dc', decimal(7, 2)),
  column('dd', decimal(18, 4)),
  column('dt', DATE),
  column('ts', TIMESTAMP),
  column('tz', TIMESTAMPTZ),
  column('tm', TIME),
  column('iv', INTERVAL),
  column('s', STRING),
  column('x', BINARY),
  column('b', BOOL),
  column('li', list(INT32)),
  column('lf', list(FLOAT32)),
  column(
    'st',
    struct([
      { name: 'a', type: INT32 },
      { name: 'B', type: STRING },
    ]),
  ),
  column('m', map(STRING, INT32)),
];

export const SAMPLE_TABLE: FileTable = {
  format: 'parquet',
  files: ['/data/t.parquet'],
  options: {
    binary_as_string: false,
    union_by_name: false,
    hive_partitioning: false,
    bfloat16: [],
    on_bad_file: 'error',
  },
  columns: [
    ...SHARED_COLUMNS,
    column('h', FLOAT16),
    column('bf', BFLOAT16),
    column('bad', { kind: 'null' }, { unsupported: 'GEOMETRY is not read' }),
  ],
  rows: 1000,
  label: 't',
};

const BOUNDED: FileTable = {
  ...SAMPLE_TABLE,
  label: 'bounded',
  columns: [
    column('k', INT32, { bounds: { min: 1n, max: 90n, exact: true, nullCount: 10, mayHoldNan: false }, distinct: 90 }),
    column('loose', INT32, { bounds: { min: 0n, max: 99n, exact: false, nullCount: 0, mayHoldNan: false } }),
    column('x', FLOAT64, { bounds: { min: 0, max: 1, exact: true, nullCount: null, mayHoldNan: true } }),
    column('n', STRING, { bounds: { min: null, max: null, exact: true, nullCount: 1000, mayHoldNan: false } }),
    column('plain', INT32),
  ],
};

const TABLES: Readonly<Record<string, FileTable>> = { t: SAMPLE_TABLE, bounded: BOUNDED };

export const CATALOG: CatalogAccess = {
  lookup: (name) =>
    TABLES[name.toLowerCase()] === undefined
      ? undefined
      : {
          kind: 'files',
          request: {
            patterns: [name.toLowerCase()],
            format: null,
            hivePartitioning: null,
            unionByName: false,
            filename: null,
            fileRowNumber: false,
            binaryAsString: false,
            bfloat16: [],
            label: name,
          },
        },
  open: async (request) => ({ ...(TABLES[request.patterns[0] as string] ?? SAMPLE_TABLE), label: request.label }),
  notFound: (name, span) => userError('catalog', `table "${name}" not found`, span, 'there is t'),
};

const GENERATORS = [
  {
    name: 'tpcds.item',
    columns: [
      { name: 'i_item_sk', type: INT64 },
      { name: 'i_item_id', type: STRING },
    ],
  },
];

/** 2024-02-29 12:00:00 */
const NOW = 1_709_208_000_000_000n;

export const PARAMETERS: ReadonlyMap<string, ParameterValue> = new Map(
  Object.entries({ n: 5n, text: '2024-01-02', v: Float32Array.of(1, 2), list: [1, 2.5] }).map(([name, value]) => [
    name,
    parameterValue(name, value),
  ]),
);

/** The bound plan of the one query in `sql`. */
export async function bindSql(sql: string): Promise<LogicalPlan> {
  const [statement] = parseStatements(sql);
  if (statement === undefined) throw new Error('no statement');
  const query = statement.kind === 'select_statement' ? statement.query : statement;
  if (query.kind !== 'query' && query.kind !== 'describe' && query.kind !== 'summarize') throw new Error('no query');
  const input = { parameters: PARAMETERS, now: NOW, nullsFirst: false, generators: () => GENERATORS };
  return bind(query, { ...input, sources: await resolveSources(query, CATALOG, input) });
}

const OPERATORS =
  'scan_parquet scan_arrow filter project hash_group_by sort top_k limit union_all values range unnest hash_join conditional_join generate';

export async function plansOf(sql: string): Promise<Plans> {
  return planQuery(await bindSql(sql), { capabilities: { devices: ['cpu'], operators: OPERATORS.split(' ') } });
}

export async function wireOf(sql: string): Promise<WirePlan> {
  return encodePlan((await plansOf(sql)).physical, 'hash');
}

/** The physical plan as text. */
export async function planText(sql: string): Promise<string> {
  return explainPhysical((await plansOf(sql)).physical, 'text', null).join('\n');
}

/** A logical plan as text, without the line about the result. */
export function logicalText(plan: LogicalPlan): string {
  return explainLogical(plan, 'text').slice(0, -1).join('\n');
}
