import type { Chunk, FileDocument } from './document.ts';

/** One leaf column over all row groups of all files seen. */
export interface ColumnTotal {
  readonly path: string;
  readonly type: string;
  leaves: number;
  /** false: `leaves` is an upper bound */
  exact: boolean;
  /** null = unknown for some chunk */
  nulls: number | null;
  compressed: number;
  uncompressed: number;
  readonly codecs: Set<string>;
  readonly encodings: Set<string>;
  /** chunks whose metadata cannot be read */
  broken: number;
}

/** Sums over files. */
export class Totals {
  files = 0;
  rows = 0;
  bytes = 0;
  rowGroups = 0;
  readonly columns = new Map<string, ColumnTotal>();

  add(file: FileDocument): void {
    this.files++;
    this.rows += file.rows;
    this.bytes += file.bytes;
    this.rowGroups += file.row_groups.length;
    const leaves = file.columns.map((path, leaf) => this.#column(path, leafType(file, leaf)));
    for (const group of file.row_groups) {
      for (const chunk of group.columns) addChunk(leaves[chunk.column] as ColumnTotal, chunk);
    }
  }

  #column(path: string, type: string): ColumnTotal {
    const key = `${path}\n${type}`;
    let column = this.columns.get(key);
    if (column === undefined) {
      column = {
        path,
        type,
        leaves: 0,
        exact: true,
        nulls: 0,
        compressed: 0,
        uncompressed: 0,
        codecs: new Set(),
        encodings: new Set(),
        broken: 0,
      };
      this.columns.set(key, column);
    }
    return column;
  }
}

function addChunk(column: ColumnTotal, chunk: Chunk): void {
  if (chunk.error !== undefined) {
    column.broken++;
    return;
  }
  column.leaves += chunk.leaves ?? 0;
  column.exact &&= chunk.leaves_exact === true;
  const nulls = chunk.statistics?.nulls;
  column.nulls = column.nulls === null || nulls === undefined ? null : column.nulls + nulls;
  column.compressed += chunk.compressed_bytes ?? 0;
  column.uncompressed += chunk.uncompressed_bytes ?? 0;
  if (chunk.codec !== undefined) column.codecs.add(chunk.codec);
  for (const encoding of chunk.encodings ?? []) column.encodings.add(encoding);
}

/** Physical type of a leaf with its logical meaning: `INT32 DATE`, `FIXED_LEN_BYTE_ARRAY(16) UUID`. */
export function leafType(file: FileDocument, leaf: number): string {
  const node = file.schema.find((entry) => entry.column === leaf);
  return node === undefined ? 'unknown' : nodeType(node);
}

/** The same of a schema node; a group has only a logical type. */
export function nodeType(node: FileDocument['schema'][number]): string {
  const physical = node.physical ?? '';
  const sized = node.type_length === undefined ? physical : `${physical}(${node.type_length})`;
  return [sized, node.logical ?? ''].filter((part) => part !== '').join(' ');
}
