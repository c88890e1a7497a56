import type { DataType } from '../common/data_type.ts';
import type { LiteralValue } from '../common/literal.ts';
import type { WireLiteral } from '../operators/wire.ts';

/** Bounds of a column over all rows of all files. `exact` = both values occur, or there is no value at all. */
export interface DescribedBounds {
  readonly min: LiteralValue;
  readonly max: LiteralValue;
  readonly exact: boolean;
  /** null = unknown */
  readonly nullCount: number | null;
  /** floats: NaN may be present beyond the bounds */
  readonly mayHoldNan: boolean;
}

export interface DescribedColumn {
  readonly name: string;
  /** null = it cannot be read; `reason` says why */
  readonly type: DataType | null;
  readonly reason: string | null;
  /** null = unknown */
  readonly bounds: DescribedBounds | null;
  /** of some row groups */
  readonly dictionaries: readonly DescribedDictionary[];
}

/** Of one row group. */
export interface DescribedDictionary {
  /** null = the chunk has no dictionary */
  readonly entries: number | null;
  readonly rows: number;
  /** null = unknown */
  readonly bounds: DescribedBounds | null;
}

export interface DescribedFile {
  readonly path: string;
  readonly rows: number;
  readonly rowGroups: number;
}

/** What files hold together, from their footers. */
export interface FileSetDescription {
  readonly columns: readonly DescribedColumn[];
  readonly rows: number;
  readonly files: readonly DescribedFile[];
  /** files left out because they are bad */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

interface WireBounds {
  readonly min: WireLiteral;
  readonly max: WireLiteral;
  readonly exact: boolean;
  readonly nullCount: number | null;
  readonly mayHoldNan: boolean;
}

type WithWireBounds<T> = Omit<T, 'bounds'> & { readonly bounds: WireBounds | null };
type WireColumn = WithWireBounds<Omit<DescribedColumn, 'dictionaries'>> & {
  readonly dictionaries: readonly WithWireBounds<DescribedDictionary>[];
};

/** Reads the JSON of the addon's `describe`. */
export function parseDescription(json: string): FileSetDescription {
  const raw = JSON.parse(json) as Omit<FileSetDescription, 'columns'> & {
    readonly columns: readonly WireColumn[];
  };
  return {
    ...raw,
    columns: raw.columns.map(({ type, bounds, dictionaries, ...rest }) => ({
      ...rest,
      type,
      bounds: boundsOf(type, bounds),
      dictionaries: dictionaries.map((one) => ({ ...one, bounds: boundsOf(type, one.bounds) })),
    })),
  };
}

function boundsOf(type: DataType | null, bounds: WireBounds | null): DescribedBounds | null {
  if (type === null || bounds === null) return null;
  return { ...bounds, min: literalOf(bounds.min, type), max: literalOf(bounds.max, type) };
}

/** The planner's form of a literal that crossed as text. */
function literalOf(value: WireLiteral, type: DataType): LiteralValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return value.map((item, index) => literalOf(item, itemType(type, index)));
  switch (type.kind) {
    case 'string':
    case 'binary':
    case 'uuid':
      return value;
    case 'float16':
    case 'bfloat16':
    case 'float32':
    case 'float64':
      return floatOf(value);
    case 'interval': {
      const [months, days, micros] = value.split(',');
      return { months: Number(months), days: Number(days), micros: BigInt(micros ?? '0') };
    }
    default:
      return BigInt(value);
  }
}

function itemType(type: DataType, index: number): DataType {
  if (type.kind === 'list') return type.element;
  if (type.kind === 'struct') return type.fields[index]?.type ?? { kind: 'null' };
  return { kind: 'null' };
}

function floatOf(text: string): number {
  if (text === 'nan') return Number.NaN;
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  if (text === '-inf') return Number.NEGATIVE_INFINITY;
  return Number(text);
}
