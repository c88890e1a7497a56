import { didYouMean } from '../common/did_you_mean.ts';
import { unsupported, userError } from '../common/error.ts';
import type { ParquetCompression, ParquetWrite } from '../operators/write_parquet.ts';
import type { PartitionBy } from '../planner/index.ts';
import type { Copy, Option } from '../sql/ast.ts';
import { bytesOf } from './settings.ts';
import type { RowsWrite } from './types.ts';

/** Rows and bytes of a row group where nothing else is said. */
export const DEFAULT_PARQUET_WRITE: Omit<ParquetWrite, 'path'> = {
  compression: 'snappy',
  level: null,
  rowGroupRows: 122_880,
  rowGroupBytes: 128 * 2 ** 20,
  fileBytes: 0,
  perThread: false,
  partitionBy: [],
  existing: 'refuse',
  fileName: 'data_{i}.parquet',
  bloomRatio: 0.01,
};

const COMPRESSIONS: Readonly<Record<string, ParquetCompression>> = {
  uncompressed: 'none',
  none: 'none',
  snappy: 'snappy',
  gzip: 'gzip',
  brotli: 'brotli',
  zstd: 'zstd',
  lz4: 'lz4',
  lz4_raw: 'lz4',
};

/** Words for Arrow: as FORMAT, and as endings of files. */
const ARROW_FORMATS = new Set(['arrow', 'arrows', 'feather', 'ipc']);

/** Levels of the codecs that have any. */
const LEVELS: Readonly<Record<string, readonly [number, number]>> = {
  gzip: [1, 9],
  brotli: [0, 11],
  zstd: [-131_072, 22],
};

const MEANT = [
  'format',
  'compression',
  'compression_level',
  'row_group_size',
  'row_group_bytes',
  'file_size_bytes',
  'per_thread_output',
  'partition_by',
  'write_partition_columns',
  'overwrite',
  'overwrite_or_ignore',
  'filename_pattern',
  'file_extension',
  'write_bloom_filter',
  'bloom_filter_false_positive_ratio',
];

/** Options of DuckDB's COPY that have no meaning here yet. */
const UNSUPPORTED = new Set(
  [
    'append dictionary_compression_ratio_threshold dictionary_size_limit encryption_config field_ids',
    'file_row_number hive_file_pattern kv_metadata parquet_version preserve_order return_files return_stats',
    'row_groups_per_file string_dictionary_page_size_limit use_tmp_file variant_shredding',
    'write_empty_file geoparquet_version',
  ].flatMap((line) => line.split(' ')),
);

/** How `COPY … TO` writes. The format is that of FORMAT, else that of the file's ending. */
export function copyWrite(copy: Copy): { parquet: ParquetWrite; partitionBy?: PartitionBy } | { rows: RowsWrite } {
  const format = formatOf(copy);
  if (format === 'parquet') return parquetCopy(copy);
  const option = copy.options.find(({ name }) => name !== 'format');
  if (option !== undefined) throw unsupported(`COPY option ${option.name.toUpperCase()} of Arrow`, option.span);
  return { rows: { path: copy.target, format } };
}

function parquetCopy(copy: Copy): { parquet: ParquetWrite; partitionBy?: PartitionBy } {
  const parquet = { ...parquetWrite(copy), ...folderWrite(copy) };
  const option = copy.options.find(({ name }) => name === 'partition_by');
  const keep = copy.options.find(({ name }) => name === 'write_partition_columns');
  const keepColumns = keep !== undefined && switchOf(keep);
  if (option === undefined) return { parquet };
  if (parquet.perThread) throw unsupported('COPY with PER_THREAD_OUTPUT and PARTITION_BY', option.span);
  return { parquet, partitionBy: { names: parquet.partitionBy, keepColumns, span: option.span } };
}

/** The options that only folders of files have. */
function folderWrite({ options }: Copy): Pick<ParquetWrite, 'partitionBy' | 'existing' | 'fileName'> {
  const find = (name: string) => options.find((option) => option.name === name);
  const isOn = (option: Option | undefined): option is Option => option !== undefined && switchOf(option);
  const [replace, merge, partitionBy, pattern, extension] = [
    find('overwrite'),
    find('overwrite_or_ignore'),
    find('partition_by'),
    find('filename_pattern'),
    find('file_extension'),
  ];
  if (isOn(replace) && isOn(merge)) {
    throw userError('binder', 'OVERWRITE and OVERWRITE_OR_IGNORE exclude each other', merge.span);
  }
  const name = pattern === undefined ? 'data_{i}' : fileNameOf(pattern);
  return {
    partitionBy: partitionBy === undefined ? [] : namesOf(partitionBy),
    existing: isOn(replace) ? 'replace' : isOn(merge) ? 'merge' : 'refuse',
    fileName: `${name}.${extension === undefined ? 'parquet' : fileNameOf(extension).replace(/^\./, '')}`,
  };
}

/** A pattern without a place for the number gets it at its end. */
function fileNameOf(option: Option): string {
  const text = textOf(option);
  if (text === '' || (text.startsWith('.') && option.name === 'filename_pattern') || /[/\0]/.test(text)) {
    throw userError('binder', `${option.name.toUpperCase()} is not a name of a file: ${text}`, option.span);
  }
  const isWhole = option.name === 'file_extension' || /\{(i|uuid|uuidv4|uuidv7)\}/.test(text);
  return isWhole ? text : `${text}{i}`;
}

/** `a` or `(a, b)` */
function namesOf(option: Option): readonly string[] {
  const { value } = option;
  const elements = value?.kind === 'row' ? value.elements : [value];
  return elements.map((element) => {
    if (element?.kind === 'string_literal') return element.value;
    throw userError('binder', 'PARTITION_BY takes columns', element?.span ?? option.span, 'PARTITION_BY (a, b)');
  });
}

function parquetWrite(copy: Copy): ParquetWrite {
  let write: ParquetWrite = { ...DEFAULT_PARQUET_WRITE, path: copy.target };
  for (const option of copy.options) {
    switch (option.name) {
      case 'format':
      case 'partition_by':
      case 'write_partition_columns':
      case 'overwrite':
      case 'overwrite_or_ignore':
      case 'filename_pattern':
      case 'file_extension':
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
      case 'compression_level':
        write = { ...write, level: integerOf(option) };
        break;
      case 'file_size_bytes':
        write = { ...write, fileBytes: sizeOf(option) };
        break;
      case 'per_thread_output':
        write = { ...write, perThread: switchOf(option) };
        break;
      case 'write_bloom_filter':
        write = { ...write, bloomRatio: switchOf(option) ? write.bloomRatio : 0 };
        break;
      case 'bloom_filter_false_positive_ratio':
        write = { ...write, bloomRatio: write.bloomRatio === 0 ? 0 : ratioOf(option) };
        break;
      default:
        throw refusal(option);
    }
  }
  checkLevel(copy, write);
  return write;
}

function checkLevel(copy: Copy, { compression, level }: ParquetWrite): void {
  if (level === null) return;
  const range = LEVELS[compression];
  if (range !== undefined && level >= range[0] && level <= range[1]) return;
  const option = copy.options.find(({ name }) => name === 'compression_level');
  const message =
    range === undefined
      ? `COMPRESSION_LEVEL is for zstd, gzip and brotli, not ${compression}`
      : `COMPRESSION_LEVEL of ${compression} is from ${range[0]} to ${range[1]}: ${level}`;
  throw userError('binder', message, option?.span);
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
  throw userError(
    'binder',
    `unknown compression: ${word}`,
    option.span,
    'one of uncompressed, snappy, gzip, brotli, zstd, lz4',
  );
}

function wholeOf(option: Option, what: string): number {
  const text = textOf(option);
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw userError('binder', `${option.name.toUpperCase()} is not ${what}: ${text}`, option.span);
  return value;
}

function integerOf(option: Option): number {
  const { value } = option;
  const negative = value?.kind === 'unary' && value.operator === '-' ? value.operand : undefined;
  const text = negative?.kind === 'integer_literal' ? `-${negative.text}` : textOf(option);
  if (!/^-?\d{1,9}$/.test(text)) {
    throw userError('binder', `${option.name.toUpperCase()} is not a whole number: ${text}`, option.span);
  }
  return Number(text);
}

/** Without a value the option is on. */
function switchOf(option: Option): boolean {
  const { value } = option;
  if (value === null || value === undefined) return true;
  if (value.kind === 'boolean_literal') return value.value;
  const text = textOf(option).toLowerCase();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw userError('binder', `${option.name.toUpperCase()} is not true or false: ${text}`, option.span);
}

function ratioOf(option: Option): number {
  const ratio = Number(option.value?.kind === 'decimal_literal' ? option.value.text : textOf(option));
  if (ratio > 0 && ratio < 1) return ratio;
  throw userError('binder', `${option.name.toUpperCase()} is not between 0 and 1: ${ratio}`, option.span);
}

function sizeOf(option: Option): number {
  const text = textOf(option);
  const bytes = bytesOf(text);
  if (bytes === null || bytes < 1) {
    throw userError('binder', `${option.name.toUpperCase()} is not a size: ${text}`, option.span, "such as '64MB'");
  }
  return bytes;
}
