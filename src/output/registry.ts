import type { Format } from './format.ts';
import type { ByteSink, TextSink } from './text_sink.ts';

export interface FormatEntry {
  readonly name: string;
  /** one line for the help text */
  readonly summary: string;
  /** file name endings that choose this format for `-o` */
  readonly endings: readonly string[];
  /** each format is loaded when it is first asked for */
  load(): Promise<Format<TextSink & ByteSink>>;
}

/** Every output format; the order is that of the help text. */
export const FORMATS: readonly FormatEntry[] = [
  {
    name: 'duckbox',
    summary: 'box with a row of types, fitted to the terminal (default on a terminal)',
    endings: [],
    load: async () => (await import('./duckbox.ts')).duckbox,
  },
  { name: 'box', summary: 'box without types', endings: [], load: async () => (await import('./box.ts')).box },
  { name: 'table', summary: 'ASCII table', endings: ['.txt'], load: async () => (await import('./table.ts')).table },
  { name: 'column', summary: 'aligned columns', endings: [], load: async () => (await import('./column.ts')).column },
  {
    name: 'csv',
    summary: 'RFC 4180, NULL is empty, the empty string is "" (default unless on a terminal)',
    endings: ['.csv'],
    load: async () => (await import('./csv.ts')).csv,
  },
  {
    name: 'tsv',
    summary: 'tab-separated; \\t \\n \\r \\\\ escaped, NULL is \\N',
    endings: ['.tsv'],
    load: async () => (await import('./tsv.ts')).tsv,
  },
  {
    name: 'json',
    summary: 'one array of objects; numbers exact, NaN and infinities null',
    endings: ['.json'],
    load: async () => (await import('./json.ts')).json,
  },
  {
    name: 'jsonl',
    summary: 'one object a line',
    endings: ['.jsonl', '.ndjson'],
    load: async () => (await import('./json.ts')).jsonl,
  },
  {
    name: 'markdown',
    summary: 'Markdown table',
    endings: ['.md'],
    load: async () => (await import('./markdown.ts')).markdown,
  },
  { name: 'line', summary: 'name = value lines', endings: [], load: async () => (await import('./line.ts')).line },
  { name: 'list', summary: 'values separated by |', endings: [], load: async () => (await import('./list.ts')).list },
  { name: 'html', summary: 'HTML table', endings: ['.html'], load: async () => (await import('./html.ts')).html },
  { name: 'latex', summary: 'LaTeX tabular', endings: ['.tex'], load: async () => (await import('./latex.ts')).latex },
  {
    name: 'insert',
    summary: 'INSERT statements',
    endings: ['.sql'],
    load: async () => (await import('./insert.ts')).insert,
  },
  {
    name: 'arrow',
    summary: 'Arrow IPC: a stream to stdout, a file with -o FILE.arrow',
    endings: ['.arrow', '.arrows', '.feather', '.ipc'],
    load: async () => (await import('./arrow/index.ts')).arrow,
  },
  { name: 'none', summary: 'no output', endings: [], load: async () => (await import('./none.ts')).none },
];

/** The entry called `name`. */
export function findFormat(name: string): FormatEntry | undefined {
  return FORMATS.find((entry) => entry.name === name);
}

/** The format that the ending of a file name stands for. */
export function formatForFile(path: string): FormatEntry | undefined {
  const lower = path.toLowerCase();
  return FORMATS.find((entry) => entry.endings.some((ending) => lower.endsWith(ending)));
}
