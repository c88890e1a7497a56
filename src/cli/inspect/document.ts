/** The engine's description of one Parquet file, as it comes over (native/src/parquet/inspect.cpp). Sizes in bytes. */

export interface SchemaNode {
  readonly name: string;
  readonly depth: number;
  readonly repetition: 'required' | 'optional' | 'repeated';
  readonly physical?: string;
  readonly type_length?: number;
  readonly logical?: string;
  /** leaf number; absent for groups */
  readonly column?: number;
  readonly field_id?: number;
}

export interface Chunk {
  readonly column: number;
  /** why this chunk's metadata cannot be read; all else is absent then */
  readonly error?: string;
  readonly codec?: string;
  readonly encodings?: readonly string[];
  readonly compressed_bytes?: number;
  readonly uncompressed_bytes?: number;
  /** values and nulls of the leaf; an upper bound unless exact */
  readonly leaves?: number;
  readonly leaves_exact?: boolean;
  readonly pages?: number;
  readonly dictionary?: boolean;
  readonly offset_index?: boolean;
  readonly column_index?: boolean;
  readonly bloom_filter?: boolean;
  readonly statistics?: {
    readonly min?: string;
    readonly max?: string;
    readonly min_exact?: boolean;
    readonly max_exact?: boolean;
    readonly nulls?: number;
  };
}

export interface RowGroup {
  readonly rows: number;
  readonly bytes: number;
  readonly columns: readonly Chunk[];
}

export interface FileDocument {
  readonly path: string;
  readonly bytes: number;
  readonly footer_bytes: number;
  readonly version: number;
  readonly created_by: string;
  readonly rows: number;
  readonly key_values: readonly { readonly key: string; readonly value: string }[];
  readonly schema: readonly SchemaNode[];
  /** top-level columns as SQL sees them; `type` null = not readable, `reason` says why */
  readonly fields: readonly {
    readonly name: string;
    readonly type: string | null;
    readonly reason?: string;
    readonly first_column: number;
    readonly column_end: number;
  }[];
  /** dotted paths of the leaves */
  readonly columns: readonly string[];
  readonly row_groups: readonly RowGroup[];
}
