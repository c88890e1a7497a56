/** Text of the sections of `quern inspect`. */
import { paint } from '../../output/colors.ts';
import { visibleControls } from '../../output/control_text.ts';
import { COLUMN_FRAME } from '../../output/table_frame.ts';
import { type Cells, layoutColumns, type TableShape, tableHead, tableRow } from '../../output/table_text.ts';
import { countText, sizeText } from '../quantity.ts';
import type { Chunk, FileDocument } from './document.ts';
import { type ColumnTotal, nodeType, type Totals } from './totals.ts';

/** A heading whose column stands on the right starts with `>`. */
function table(headings: readonly string[], rows: readonly Cells[]): string {
  const shape: TableShape = {
    frame: COLUMN_FRAME,
    names: headings.map((heading) => heading.replace(/^>/, '')),
    types: undefined,
    right: headings.map((heading) => heading.startsWith('>')),
    nullText: '',
    header: true,
    maxWidth: 0,
    paint: paint(false),
  };
  const layout = layoutColumns(shape, rows);
  return tableHead(shape, layout) + rows.map((row) => tableRow(shape, layout, row)).join('');
}

function plural(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** Path, rows, row groups, size, writer. */
export function fileSummary(file: FileDocument): string {
  const facts = [
    plural(file.rows, 'row'),
    plural(file.row_groups.length, 'row group'),
    `${sizeText(file.bytes)} (footer ${sizeText(file.footer_bytes)})`,
    `format ${file.version}`,
  ];
  const writer = file.created_by === '' ? '' : `written by ${visibleControls(file.created_by)}\n`;
  return `${visibleControls(file.path)}\n${facts.join(', ')}\n${writer}`;
}

/** One line a file, and their sum. */
export function fileList(files: readonly FileDocument[], totals: Totals): string {
  const rows = files.map((file) => [
    visibleControls(file.path),
    countText(file.rows),
    countText(file.row_groups.length),
    sizeText(file.bytes),
  ]);
  rows.push([
    plural(totals.files, 'file'),
    countText(totals.rows),
    countText(totals.rowGroups),
    sizeText(totals.bytes),
  ]);
  return table(['file', '>rows', '>row groups', '>size'], rows);
}

/** `1,234`, or `≤ 1,234` where only a bound is known. */
function leavesText(leaves: number, exact: boolean): string {
  return exact ? countText(leaves) : `≤ ${countText(leaves)}`;
}

function ratioText(uncompressed: number, compressed: number): string | null {
  return compressed === 0 ? null : `${(uncompressed / compressed).toFixed(2)}×`;
}

function totalRow(column: ColumnTotal): Cells {
  const broken = column.broken === 0 ? '' : ` (${plural(column.broken, 'chunk')} unreadable)`;
  return [
    visibleControls(column.path),
    column.type + broken,
    leavesText(column.leaves, column.exact),
    column.nulls === null ? null : countText(column.nulls),
    sizeText(column.compressed),
    ratioText(column.uncompressed, column.compressed),
    [...column.codecs].join(' '),
    [...column.encodings].join(' '),
  ];
}

/** One line a leaf column over everything. */
export function columnTotals(totals: Totals): string {
  return table(
    ['column', 'type', '>values', '>nulls', '>size', '>ratio', 'codec', 'encodings'],
    [...totals.columns.values()].map(totalRow),
  );
}

/** Columns as SQL sees them, and the tree they come from. */
export function schemaSection(file: FileDocument): string {
  const fields = table(
    ['name', 'type'],
    file.fields.map((field) => [
      visibleControls(field.name),
      field.type ?? `not readable: ${field.reason ?? 'unknown'}`,
    ]),
  );
  const tree = file.schema.map((node) => {
    const indent = '  '.repeat(node.depth - 1);
    const id = node.field_id === undefined ? '' : ` id ${node.field_id}`;
    return `${`${indent}${node.repetition} ${visibleControls(node.name)} ${nodeType(node)}${id}`.trimEnd()}\n`;
  });
  return `${fields}\n${tree.join('')}`;
}

/** One line a row group. */
export function rowGroupSection(file: FileDocument): string {
  const sum = (chunks: readonly Chunk[], size: (chunk: Chunk) => number | undefined): number =>
    chunks.reduce((total, chunk) => total + (size(chunk) ?? 0), 0);
  const rows = file.row_groups.map((group, i) => {
    const compressed = sum(group.columns, (chunk) => chunk.compressed_bytes);
    const uncompressed = sum(group.columns, (chunk) => chunk.uncompressed_bytes);
    return [String(i), countText(group.rows), sizeText(compressed), ratioText(uncompressed, compressed)];
  });
  return table(['>row group', '>rows', '>size', '>ratio'], rows);
}

/** Longest text of a bound in a table. */
const BOUND_LENGTH = 24;

function boundText(text: string | undefined, exact: boolean | undefined): string | null {
  if (text === undefined) return null;
  const shown = visibleControls(text.length > BOUND_LENGTH ? `${text.slice(0, BOUND_LENGTH - 1)}…` : text);
  return exact === false ? `~${shown}` : shown;
}

function chunkRow(file: FileDocument, group: number, chunk: Chunk): Cells {
  const path = visibleControls(file.columns[chunk.column] ?? '');
  if (chunk.error !== undefined) return [String(group), path, null, null, null, null, null, chunk.error];
  const { statistics = {} } = chunk;
  const indexes = [
    chunk.dictionary === true ? 'dictionary' : '',
    chunk.offset_index === true ? 'offsets' : '',
    chunk.column_index === true ? 'bounds' : '',
    chunk.bloom_filter === true ? 'bloom' : '',
    chunk.pages === undefined ? '' : plural(chunk.pages, 'page'),
  ];
  return [
    String(group),
    path,
    leavesText(chunk.leaves ?? 0, chunk.leaves_exact === true),
    statistics.nulls === undefined ? null : countText(statistics.nulls),
    sizeText(chunk.compressed_bytes ?? 0),
    boundText(statistics.min, statistics.min_exact),
    boundText(statistics.max, statistics.max_exact),
    [...(chunk.encodings ?? []), ...indexes].filter((text) => text !== '').join(' '),
  ];
}

/** One line a column chunk, with its statistics. `~` marks a bound that is not a value of the chunk. */
export function chunkSection(file: FileDocument): string {
  return table(
    ['>row group', 'column', '>values', '>nulls', '>size', 'min', 'max', 'encodings'],
    file.row_groups.flatMap((group, i) => group.columns.map((chunk) => chunkRow(file, i, chunk))),
  );
}

/** Key-value metadata of the file. */
export function keyValueSection(file: FileDocument): string {
  return file.key_values.map(({ key, value }) => `${visibleControls(key)} = ${visibleControls(value)}\n`).join('');
}
