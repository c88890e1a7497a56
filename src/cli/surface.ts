/** The whole surface of the command line: commands and their options. */
import { FORMATS } from '../output/registry.ts';
import type { CommandSpec, OptionSpec } from './option_spec.ts';

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '-v, --verbose', summary: 'say more; stack of internal errors (repeat for more)', repeat: true },
  { flags: '-q, --quiet', summary: 'no notes on stderr, errors only' },
  { flags: '--color <when>', summary: 'colour: auto, always or never', choices: ['auto', 'always', 'never'] },
  { flags: '--no-color', summary: 'the same as --color never' },
  { flags: '--config <file>', summary: 'configuration file instead of the nearest quern.toml' },
  { flags: '--no-config', summary: 'read no configuration file' },
  { flags: '--threads <n>', summary: 'threads (default: all the process may use)' },
  { flags: '--memory-limit <size>', summary: 'memory budget, e.g. 4GB or 50% (default 80%)' },
  { flags: '--temp-dir <dir>', summary: 'directory of temporary files' },
  { flags: '--set <name=value>', summary: 'engine setting (repeat)', repeat: true },
  { flags: '--device <device>', summary: 'auto, cpu, gpu or the number of a GPU' },
  { flags: '--strict', summary: 'fail when a part of the plan would run on the CPU' },
  { flags: '--error-format <format>', summary: 'text, json or github', choices: ['text', 'json', 'github'] },
  { flags: '--progress <when>', summary: 'progress on stderr: auto, on or off', choices: ['auto', 'on', 'off'] },
];

const INPUT_OPTIONS: readonly OptionSpec[] = [
  { flags: '-c, --command <sql>', summary: 'SQL text (repeat; run in the given order with -f)', repeat: true },
  { flags: '-f, --file <file>', summary: 'file of SQL, - for stdin (repeat)', repeat: true },
  { flags: '-t, --table <name=glob>', summary: 'name a table for files (repeat)', repeat: true },
  { flags: '-d, --data <dir>', summary: 'name each X.parquet or X/ in a directory as table X (repeat)', repeat: true },
  {
    flags: '-p, --param <name=value>',
    summary: 'value of $name; @file reads JSON, .npy or one row of Parquet',
    repeat: true,
  },
  {
    flags: '--on-bad-file <what>',
    summary: 'error (stop) or skip (list on stderr, exit 5)',
    choices: ['error', 'skip'],
  },
  { flags: '--timeout <duration>', summary: 'stop after 500ms, 10s, 5m, …' },
];

const QUERY_OPTIONS: readonly OptionSpec[] = [
  ...INPUT_OPTIONS,
  { flags: '-m, --mode <mode>', summary: 'output format, see below' },
  { flags: '--insert-table <name>', summary: 'table name of --insert', hidden: true },
  { flags: '-o, --output <file>', summary: 'write to a file, complete or not at all; its ending chooses the format' },
  { flags: '--force', summary: 'let -o replace a file' },
  { flags: '--header', summary: 'column names first (default)' },
  { flags: '--no-header', summary: 'no column names' },
  { flags: '--nullvalue <text>', summary: 'text of NULL (not in JSON)' },
  { flags: '--separator <text>', summary: 'field separator of csv and list' },
  { flags: '--max-rows <n>', summary: 'rows a duckbox shows, 0 = all (default 40 on a terminal)' },
  { flags: '--max-width <n>', summary: 'width a duckbox fits into, 0 = unlimited (default: the terminal)' },
  { flags: '--thousands', summary: 'group the digits of whole numbers in a duckbox' },
  { flags: '--types', summary: 'row of types in a duckbox (default)' },
  { flags: '--no-types', summary: 'no row of types' },
  { flags: '--json-bigint <how>', summary: 'number or string', choices: ['number', 'string'] },
  { flags: '--timer', summary: 'rows and time on stderr' },
  { flags: '--stats', summary: 'rows, time, bytes read, pages and memory on stderr' },
  { flags: '--row-limit <n>', summary: 'fail when a result has more rows' },
  { flags: '--bail', summary: 'stop at the first error (default)' },
  { flags: '--no-bail', summary: 'go on with the next statement after an error' },
  { flags: '--echo', summary: 'write each statement to stderr before it runs' },
  { flags: '--dry-run', summary: 'parse and bind only' },
  { flags: '--single-result', summary: 'fail when there is more than one result' },
];

const formatList = FORMATS.map((format) => `  ${format.name.padEnd(9)} ${format.summary}`).join('\n');

const QUERY_NOTES = `
Formats (-m NAME, or --NAME):
${formatList}

A file or glob ending in .parquet in place of SQL stands for SELECT * FROM it.
Without SQL, -c or -f, SQL is read from stdin.

Examples:
  quern "select count(*) from 'data/*.parquet'"
  quern --json -c "from 'x.parquet' limit 5"
  quern -d data -p q=@query.npy -f nearest.sql -o nearest.csv
  echo "select 42" | quern`;

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'query',
    summary: 'run SQL (the default command)',
    args: '[sql...]',
    options: QUERY_OPTIONS,
    notes: QUERY_NOTES,
  },
  {
    name: 'explain',
    summary: 'show the plan of a query',
    args: '[sql...]',
    options: [
      ...INPUT_OPTIONS,
      { flags: '-a, --analyze', summary: 'run the query and show what each operator did' },
      {
        flags: '-m, --mode <mode>',
        summary: 'tree, text, json, mermaid, dot or html',
        choices: ['tree', 'text', 'json', 'mermaid', 'dot', 'html'],
      },
    ],
  },
  {
    name: 'inspect',
    summary: 'schema, row groups, encodings and sizes, from footers only',
    args: '[files...]',
    options: [
      { flags: '--schema', summary: 'columns and types only' },
      { flags: '--row-groups', summary: 'one line a row group' },
      { flags: '--columns', summary: 'one line a column' },
      { flags: '--kv', summary: 'key-value metadata' },
      { flags: '--count', summary: 'number of rows only' },
      { flags: '--scan-levels', summary: 'count list elements exactly by reading levels' },
      { flags: '--json', summary: 'everything as JSON' },
    ],
  },
  {
    name: 'doctor',
    summary: 'check the installation and the machine',
    options: [{ flags: '--json', summary: 'the report as JSON' }],
  },
  {
    name: 'check',
    summary: 'run sqllogictest files',
    args: '[paths...]',
    options: [
      { flags: '-j, --jobs <n>', summary: 'files at once (default 1)' },
      { flags: '-u, --update [which]', summary: 'write results into the files: new or all' },
      { flags: '--engine <name>', summary: 'quern or duckdb', choices: ['quern', 'duckdb'] },
      { flags: '--ref <name>', summary: 'run each record there as well and compare', choices: ['quern', 'duckdb'] },
      { flags: '-k, --filter <regex>', summary: 'only queries whose SQL matches' },
      { flags: '--shard <i/n>', summary: 'one part of the files' },
      { flags: '--rtol <x>', summary: 'relative tolerance of floats' },
      { flags: '--atol <x>', summary: 'absolute tolerance of floats' },
      { flags: '--max-diffs <n>', summary: 'differences shown of one record (default 10)' },
      { flags: '--reporter <name>', summary: 'text, junit, json or github, each with =FILE (repeat)', repeat: true },
      { flags: '--fail-fast', summary: 'stop at the first failure' },
      { flags: '--list', summary: 'print the files and run nothing' },
      { flags: '--pass-with-no-tests', summary: 'no files is no error' },
    ],
  },
  {
    name: 'bench',
    summary: 'time a suite of queries: bench run SUITE',
    args: '[action] [suite]',
    options: [
      { flags: '-d, --data <dir>', summary: 'directory of the tables (default: the one the suite names)' },
      { flags: '-Q, --queries <selection>', summary: 'ids, ranges and globs: 1,3-7,q14*' },
      { flags: '--skip <selection>', summary: 'queries to leave out' },
      { flags: '--tag <tag>', summary: 'only queries with this tag (repeat)', repeat: true },
      { flags: '-w, --warmup <n>', summary: 'runs before the clock counts (default 1)' },
      { flags: '-r, --runs <n>', summary: 'timed runs (default 5)' },
      { flags: '--timeout <duration>', summary: 'for each run (default 300s)' },
      { flags: '--engine <name>', summary: 'quern or duckdb', choices: ['quern', 'duckdb'] },
      { flags: '--vs <name>', summary: 'another engine to measure in turns', choices: ['quern', 'duckdb'] },
      { flags: '--validate <how>', summary: 'off, or ref: compare the rows with --vs', choices: ['off', 'ref'] },
      { flags: '--fail-fast', summary: 'stop at the first failure' },
      { flags: '-o, --output <file>', summary: 'result file (default bench/results/SUITE-TIME.json)' },
    ],
  },
  {
    name: 'gen',
    summary: 'generate data: gen tpcds --scale N --out DIR',
    args: '[suite]',
    options: [
      { flags: '--scale <n>', summary: 'scale factor, fractions allowed (default 1)' },
      { flags: '--out <dir>', summary: 'directory of the files' },
      { flags: '--seed <n>', summary: 'other rows for another number (default 1)' },
      { flags: '--tables <names>', summary: 'only these, separated by commas' },
      {
        flags: '--compression <codec>',
        summary: 'zstd, snappy or none (default zstd)',
        choices: ['zstd', 'snappy', 'none'],
      },
      { flags: '--overwrite', summary: 'replace files that are there' },
    ],
  },
];

export const COMMAND_NAMES: readonly string[] = [...COMMANDS.map((command) => command.name), 'help', 'version'];

/** The spec of a command. */
export function findCommand(name: string): CommandSpec | undefined {
  return COMMANDS.find((command) => command.name === name);
}
