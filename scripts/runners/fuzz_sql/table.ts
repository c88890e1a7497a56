import type { Random } from '../random.ts';
import type { Kind } from './expression.ts';
import { literal } from './literals.ts';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly type: string;
}

/**
 * The columns of every random table: `id` counts the rows, `tame` holds eighths, whose sums are exact in any order;
 * `v` holds vectors of three eighths, `h` up to four, which FLOAT16 holds exactly.
 */
export const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'int', type: 'INTEGER' },
  { name: 'b', kind: 'bool', type: 'BOOLEAN' },
  { name: 'i8', kind: 'int', type: 'TINYINT' },
  { name: 'i16', kind: 'int', type: 'SMALLINT' },
  { name: 'i32', kind: 'int', type: 'INTEGER' },
  { name: 'small', kind: 'int', type: 'INTEGER' },
  { name: 'i64', kind: 'bigint', type: 'BIGINT' },
  { name: 'u32', kind: 'bigint', type: 'UINTEGER' },
  { name: 'f', kind: 'float', type: 'FLOAT' },
  { name: 'd', kind: 'double', type: 'DOUBLE' },
  { name: 'tame', kind: 'double', type: 'DOUBLE' },
  { name: 'm', kind: 'decimal', type: 'DECIMAL(7,2)' },
  { name: 'm18', kind: 'decimal', type: 'DECIMAL(18,3)' },
  { name: 'm30', kind: 'decimal', type: 'DECIMAL(30,4)' },
  { name: 's', kind: 'string', type: 'VARCHAR' },
  { name: 's2', kind: 'string', type: 'VARCHAR' },
  { name: 'dt', kind: 'date', type: 'DATE' },
  { name: 'ts', kind: 'timestamp', type: 'TIMESTAMP' },
  { name: 'l', kind: 'int_list', type: 'INTEGER[]' },
  { name: 'ls', kind: 'string_list', type: 'VARCHAR[]' },
  { name: 'v', kind: 'float_list', type: 'FLOAT[]' },
  { name: 'h', kind: 'float_list', type: 'FLOAT[]' },
  { name: 'n', kind: 'nested_list', type: 'INTEGER[][]' },
];

const ROW_COUNTS: readonly number[] = [0, 1, 2, 7, 32, 33, 100, 300, 2049];

/** SQL that makes a random table `t` and writes it to a Parquet file. */
export function tableStatements(random: Random, path: string): string[] {
  const rows = random.pick(ROW_COUNTS);
  const columns = COLUMNS.map((column) => `${column.name} ${column.type}`).join(', ');
  const nullShare = new Map(COLUMNS.map((column) => [column.name, random.pick([0, 0.1, 0.1, 0.5, 1])]));
  const statements = ['DROP TABLE IF EXISTS t', `CREATE TABLE t(${columns})`];
  for (let from = 0; from < rows; from += 500) {
    const tuples = Array.from({ length: Math.min(500, rows - from) }, (_, i) => tuple(random, from + i, nullShare));
    statements.push(`INSERT INTO t VALUES ${tuples.join(', ')}`);
  }
  const codec = random.pick(['zstd', 'snappy', 'uncompressed']);
  statements.push(`COPY t TO '${path}' (FORMAT parquet, COMPRESSION ${codec})`);
  return statements;
}

/** Between -100 and 100. */
const eighth = (random: Random): number => (random.below(1601) - 800) / 8;

function tuple(random: Random, id: number, nullShare: ReadonlyMap<string, number>): string {
  const cells = COLUMNS.map((column) => {
    if (column.name === 'id') return String(id);
    if (random.chance(nullShare.get(column.name) ?? 0)) return 'NULL';
    return cell(random, column);
  });
  return `(${cells.join(', ')})`;
}

function cell(random: Random, column: Column): string {
  switch (column.name) {
    case 'i8':
      return String(random.below(256) - 128);
    case 'i16':
      return random.chance(0.1) ? random.pick(['32767', '-32768']) : String(random.below(2000) - 1000);
    case 'i32':
      return random.chance(0.1) ? random.pick(['2147483647', '-2147483648']) : String(random.below(1000000) - 500000);
    case 'small':
      return String(random.below(6));
    case 'i64':
      return random.chance(0.1)
        ? random.pick(['9223372036854775807', '-9223372036854775807'])
        : String((BigInt(random.bits()) << 16n) - (1n << 47n));
    case 'u32':
      return String(random.bits());
    case 'tame':
      return `${(random.below(16001) - 8000) / 8}`;
    case 'd':
      return random.chance(0.2) ? literal(random, 'double') : `${(random.below(2000001) - 1000000) / 997}::DOUBLE`;
    case 'm':
      return ((random.below(20000) - 10000) / 100).toFixed(2);
    case 'm18':
      return `${random.below(2000000000) - 1000000000}.${String(random.below(1000)).padStart(3, '0')}`;
    case 'm30':
      return `${random.bits()}${random.bits()}.${String(random.below(10000)).padStart(4, '0')}`;
    case 'v':
      return `[${eighth(random)}, ${eighth(random)}, ${eighth(random)}]`;
    case 'h':
      return `[${Array.from({ length: random.chance(0.7) ? 3 : random.below(5) }, () => eighth(random)).join(', ')}]`;
    default:
      return literal(random, column.kind);
  }
}
