import { didYouMean } from '../common/did_you_mean.ts';
import { unsupported, userError } from '../common/error.ts';
import type { ParquetCompression, ParquetWrite } from '../operators/write_parquet.ts';
import type { Copy, Option } from '../sql/ast.ts';
import { bytesOf } from './settings.ts';
import type { RowsWrite } from './types.ts';

/** Rows and bytes of a row group where nothing else is said. */
export const DEFAULT_PARQUET_WRITE: Omit<ParquetWrite, 'path'> = {
  compression: 'snappy',
  rowGroupRows: 122_880,
  rowGroupBytes: 128 * 2 ** 20,
};

const COMPRESSIONS: Readonly<Record<string, ParquetCompression>> = {
  uncompressed: 'none',
  none: 'none',
  snappy: 'snappy',
  gzip: 'gzip',
  zstd: 'zstd',
  lz4: 'lz4',
  lz4_raw: 'lz4',
};

/** Words for Arrow: as FORMAT, and as endings of files. */
const ARROW_FORMATS = new Set(['arrow', 'arrows', 'feather', 'ipc']);

const MEANT = ['format', 'compression', 'row_group_size', 'row_group_bytes'];

/** Options of DuckDB's COPY that have no meaning here yet. */
const UNSUPPORTED = new Set(
  [
    'append compression_level dictionary_compression_ratio_threshold dictionary_size_limit encryption_config field_ids',
    'file_extension file_row_number file_size_bytes filename_pattern hive_file_pattern kv_metadata overwrite',
    'overwrite_or_ignore parquet_version partition_by per_thread_output preserve_order return_files return_stats',
    'row_groups_per_file string_dictionary_page_size_limit use_tmp_file variant_shredding write_bloom_filter',
    'write_empty_file write_partition_columns bloom_filter_false_positive_ratio geoparquet_version',
  ].flatMap((line) => line.split(' ')),
);

/** How `COPY … TO` writes. The format is that of FORMAT, else that of the file's ending. */
export function copyWrite(copy: Copy): { parquet: ParquetWrite } | { rows: RowsWrite } {
  const format = formatOf(copy);
  if (format === 'parquet') return { parquet: parquetWrite(copy) };
  const option = copy.options.find(({ name }) => name !== 'format');
  if (option !== undefined) throw unsupported(`COPY option ${option.name.toUpperCase()} of Arrow`, option.span);
  return { rows: { path: copy.target, format } };
}

function parquetWrite(copy: Copy): ParquetWrite {
  let write: ParquetWrite = { ...DEFAULT_PARQUET_WRITE, path: copy.target };
  for (const option of copy.options) {
    switch (option.name) {
      case 'format':
        break;
      case 'compression':
      case 'codec':
        write = { ...write, compression: compressionOf(option) };
        break;
      case 'row_group_size':
      case 'chunk_size':
        write = { ...write, rowGroupRows: wholeOf(option, 'a number of rows') };
        break;
      case 'row_group_bytes':
      case 'row_group_size_bytes':
        write = { ...write, rowGroupBytes: sizeOf(option) };
        break;
      default:
        throw refusal(option);
    }
  }
  return write;
}

function formatOf(copy: Copy): 'parquet' | 'arrow' {
  const option = copy.options.find(({ name }) => name === 'format');
  const ending = /\.([a-z0-9]+)$/i.exec(copy.target)?.[1]?.toLowerCase();
  const format = option === undefined ? (ending ?? 'csv') : textOf(option).toLowerCase();
  if (format === 'parquet') return format;
  if (ARROW_FORMATS.has(format)) return 'arrow';
  const hint =
    option === undefined && !['csv', 'json', 'jsonl', 'tsv'].includes(format)
      ? '(FORMAT parquet) writes Parquet under any name'
      : 'quern -o FILE writes other formats';
  throw unsupported(`COPY TO in format ${format}`, option?.span ?? copy.targetSpan, hint);
}

function refusal(option: Option): Error {
  if (UNSUPPORTED.has(option.name)) return unsupported(`COPY option ${option.name.toUpperCase()}`, option.span);
  const hint = didYouMean(option.name, MEANT) ?? `options: ${MEANT.join(', ')}`;
  return userError('binder', `COPY has no option ${option.name}`, option.span, hint);
}

function textOf(option: Option): string {
  const { value } = option;
  switch (value?.kind) {
    case 'string_literal':
      return value.value;
    case 'integer_literal':
      return value.text;
    default:
      throw userError('binder', `${option.name.toUpperCase()} takes a constant`, option.span);
  }
}

function compressionOf(option: Option): ParquetCompression {
  const word = textOf(option).toLowerCase();
  const known = COMPRESSIONS[word];
  if (known !== undefined) return known;
  if (word === 'brotli') throw unsupported('COPY compression brotli', option.span);
  throw userError(
    'binder',
    `unknown compression: ${word}`,
    option.span,
    'one of uncompressed, snappy, gzip, zstd, lz4',
  );
}

function wholeOf(option: Option, what: string): number {
  const text = textOf(option);
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw userError('binder', `${option.name.toUpperCase()} is not ${what}: ${text}`, option.span);
  return value;
}

function sizeOf(option: Option): number {
  const text = textOf(option);
  const bytes = bytesOf(text);
  if (bytes === null || bytes < 1) {
    throw userError('binder', `${option.name.toUpperCase()} is not a size: ${text}`, option.span, "such as '64MB'");
  }
  return bytes;
}
