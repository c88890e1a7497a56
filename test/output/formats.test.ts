import { describe, expect, it } from 'vitest';
import type { Schema } from '../../src/common/batch.ts';
import * as types from '../../src/common/data_type.ts';
import type { OutputOptions } from '../../src/output/format.ts';
import { FORMATS, findFormat, formatForFile } from '../../src/output/registry.ts';
import { batchOf, noBytes, written } from './result_column.ts';

const SCHEMA: Schema = [
  { name: 'id', type: types.INT64 },
  { name: 'name', type: types.STRING },
  { name: 'price', type: types.decimal(7, 2) },
  { name: 'vec', type: types.list(types.FLOAT32) },
];

const ROWS = [
  [1n, 2n, -9007199254740993n],
  ['plain', '', null],
  [150n, null, -5n],
  [[1, 0.1, null], [], null],
];

async function rendered(
  name: string,
  schema: Schema,
  columns: readonly (readonly unknown[])[],
  options: OutputOptions = {},
): Promise<string> {
  const format = await findFormat(name)?.load();
  return written((sink) => (format as NonNullable<typeof format>).create(sink, options), schema, [
    batchOf(schema, columns),
  ]);
}

const STRINGS: Schema = [{ name: 's', type: types.STRING }];

describe('csv', () => {
  it('keeps NULL, empty and quoted values apart', async () => {
    expect(await rendered('csv', SCHEMA, ROWS)).toBe(
      'id,name,price,vec\n1,plain,1.50,"[1.0, 0.1, NULL]"\n2,"",,[]\n-9007199254740993,,-0.05,\n',
    );
  });

  it('quotes separators, quotes, line breaks and the text of NULL', async () => {
    const values = ['a,b', 'say "hi"', 'two\nlines', 'cr\r', ' blank ', 'NULL', null];
    expect(await rendered('csv', STRINGS, [values], { nullText: 'NULL' })).toBe(
      's\n"a,b"\n"say ""hi"""\n"two\nlines"\n"cr\r"\n blank \n"NULL"\nNULL\n',
    );
  });

  it('takes another separator and no header', async () => {
    expect(await rendered('csv', SCHEMA.slice(0, 2), ROWS.slice(0, 2), { separator: ';', header: false })).toBe(
      '1;plain\n2;""\n-9007199254740993;\n',
    );
  });

  it('writes only the header for no rows', async () => {
    expect(await rendered('csv', STRINGS, [[]])).toBe('s\n');
  });
});

describe('tsv', () => {
  it('escapes what would break the line', async () => {
    expect(await rendered('tsv', STRINGS, [['a\tb', 'c\nd', 'e\\f', '', null]])).toBe(
      's\na\\tb\nc\\nd\ne\\\\f\n\n\\N\n',
    );
  });
});

describe('json', () => {
  it('writes one array', async () => {
    expect(await rendered('json', SCHEMA, ROWS)).toBe(
      '[{"id":1,"name":"plain","price":1.50,"vec":[1.0,0.1,null]},\n' +
        '{"id":2,"name":"","price":null,"vec":[]},\n' +
        '{"id":-9007199254740993,"name":null,"price":-0.05,"vec":null}]\n',
    );
  });

  it('writes an empty array for no rows', async () => {
    expect(await rendered('json', STRINGS, [[]])).toBe('[]\n');
  });

  it('keeps big numbers exact, or quotes them', async () => {
    const schema: Schema = [
      { name: 'u', type: types.UINT64 },
      { name: 'd', type: types.decimal(38, 38) },
      { name: 'e', type: types.decimal(9, 2) },
      { name: 'l', type: types.list(types.INT64) },
    ];
    const row = [[18446744073709551615n], [-1n], [5n], [[9007199254740993n]]];
    expect(await rendered('jsonl', schema, row)).toBe(
      '{"u":18446744073709551615,"d":-0.00000000000000000000000000000000000001,"e":0.05,"l":[9007199254740993]}\n',
    );
    expect(await rendered('jsonl', schema, row, { bigint: 'string' })).toBe(
      '{"u":"18446744073709551615","d":"-0.00000000000000000000000000000000000001","e":0.05,"l":["9007199254740993"]}\n',
    );
  });

  it('turns every type into JSON', async () => {
    const schema: Schema = [
      { name: 'b', type: types.BOOL },
      { name: 'f', type: types.FLOAT64 },
      { name: 'h', type: types.FLOAT16 },
      { name: 'd', type: types.DATE },
      { name: 't', type: types.TIMESTAMPTZ },
      { name: 'i', type: types.INTERVAL },
      { name: 'x', type: types.BINARY },
      { name: 'm', type: types.map(types.INT32, types.STRING) },
      { name: 's', type: types.struct([{ name: 'a"b', type: types.STRING }]) },
      { name: 'p', type: types.struct([{ name: '', type: types.INT8 }]) },
      { name: 'n', type: types.NULL_TYPE },
    ];
    const columns = [
      [true, false],
      [NaN, 1e16],
      [0x7c00, 0x3c00],
      [18262, -719529],
      [1577934245100000n, null],
      [{ months: 1, days: -1, micros: 0n }, null],
      [Buffer.from([0xaa, 0x22]), null],
      [
        [
          [1, 'x'],
          [2, null],
        ],
        [],
      ],
      [['say "hi"\n'], [null]],
      [[7], null],
      [null, null],
    ];
    expect(await rendered('jsonl', schema, columns)).toBe(
      '{"b":true,"f":null,"h":null,"d":"2020-01-01","t":"2020-01-02 03:04:05.1+00","i":"1 month -1 day",' +
        '"x":"\\\\xAA\\\\x22","m":{"1":"x","2":null},"s":{"a\\"b":"say \\"hi\\"\\n"},"p":[7],"n":null}\n' +
        '{"b":false,"f":1e+16,"h":1.0,"d":"0002-12-31 (BC)","t":null,"i":null,"x":null,"m":{},"s":{"a\\"b":null},"p":null,"n":null}\n',
    );
  });

  it('gives columns of one name different members', async () => {
    const schema: Schema = ['a', 'a', 'a_1', 'a'].map((name) => ({ name, type: types.INT32 }));
    expect(await rendered('jsonl', schema, [[1], [2], [3], [4]])).toBe('{"a":1,"a_2":2,"a_1":3,"a_3":4}\n');
  });

  it('counts rows over batches', async () => {
    const format = await findFormat('json')?.load();
    const batch = batchOf(STRINGS, [['x']]);
    const empty = batchOf(STRINGS, [[]]);
    const text = await written((sink) => (format as NonNullable<typeof format>).create(sink, {}), STRINGS, [
      empty,
      batch,
      empty,
      batch,
    ]);
    expect(text).toBe('[{"s":"x"},\n{"s":"x"}]\n');
  });
});

describe('markdown', () => {
  it('aligns numbers and keeps cells on their line', async () => {
    const schema: Schema = [{ name: 'n|m', type: types.INT32 }, ...STRINGS];
    expect(
      await rendered('markdown', schema, [
        [1, null],
        ['a|b', 'c\nd'],
      ]),
    ).toBe('| n\\|m | s |\n|--:|---|\n| 1 | a\\|b |\n| NULL | c<br>d |\n');
    expect(await rendered('markdown', STRINGS, [[null]], { nullText: '|' })).toBe('| s |\n|---|\n| \\| |\n');
  });
});

describe('latex', () => {
  it('is one tabular; what LaTeX would read is escaped', async () => {
    const schema: Schema = [{ name: 'n_1', type: types.INT32 }, ...STRINGS];
    const columns = [
      [1, null],
      ['50% & {a\\b} ~^$#', 'c\nd'],
    ];
    const head = '\\begin{tabular}{|rl|}\n\\hline\n';
    const rows =
      '1 & 50\\% \\& \\{a\\textbackslash{}b\\} \\textasciitilde{}\\textasciicircum{}\\$\\# \\\\\nNULL & c d \\\\\n';
    const end = '\\hline\n\\end{tabular}\n';
    expect(await rendered('latex', schema, columns)).toBe(`${head}n\\_1 & s \\\\\n\\hline\n${rows}${end}`);
    expect(await rendered('latex', schema, columns, { header: false })).toBe(`${head}${rows}${end}`);
    expect(await rendered('latex', STRINGS, [[]])).toBe(`\\begin{tabular}{|l|}\n\\hline\ns \\\\\n\\hline\n${end}`);
  });
});

describe('line', () => {
  it('aligns names and separates rows', async () => {
    expect(await rendered('line', SCHEMA.slice(1, 3), ROWS.slice(1, 3))).toBe(
      ' name = plain\nprice = 1.50\n\n name = \nprice = NULL\n\n name = NULL\nprice = -0.05\n',
    );
  });
});

describe('list, html, insert, none', () => {
  it('list', async () => {
    expect(await rendered('list', SCHEMA.slice(0, 2), ROWS.slice(0, 2))).toBe(
      'id|name\n1|plain\n2|\n-9007199254740993|NULL\n',
    );
  });

  it('html', async () => {
    expect(await rendered('html', SCHEMA.slice(0, 2), [[1n], ['<a & "b">']])).toBe(
      '<table>\n<thead>\n<tr><th>id</th><th>name</th></tr>\n</thead>\n<tbody>\n' +
        '<tr><td style="text-align:right">1</td><td>&lt;a &amp; &quot;b&quot;&gt;</td></tr>\n</tbody>\n</table>\n',
    );
  });

  it('insert', async () => {
    const schema: Schema = [...SCHEMA, { name: 'f', type: types.FLOAT64 }, { name: 'Select', type: types.BOOL }];
    const columns = [[1n], ["it's"], [null], [[1, 0.5]], [NaN], [true]];
    expect(await rendered('insert', schema, columns, { table: 'my table' })).toBe(
      'INSERT INTO "my table" (id, "name", price, vec, f, "Select") VALUES ' +
        "(1, 'it''s', NULL, '[1.0, 0.5]'::FLOAT[], 'nan'::DOUBLE, true);\n",
    );
  });

  it('none', async () => {
    expect(await rendered('none', SCHEMA, ROWS)).toBe('');
  });
});

describe('a value above the size of a piece', () => {
  const long = Array.from({ length: 30_000 }, (_, i) => i);
  const schema: Schema = [
    { name: 'a', type: types.INT32 },
    { name: 'v', type: types.list(types.INT32) },
  ];

  it.each([
    ['csv', `a,v\n1,"[${long.join(', ')}]"\n2,\n`],
    ['jsonl', `{"a":1,"v":[${long.join(',')}]}\n{"a":2,"v":null}\n`],
    ['line', `a = 1\nv = [${long.join(', ')}]\n\na = 2\nv = NULL\n`],
    [
      'insert',
      `INSERT INTO t (a, v) VALUES (1, '[${long.join(', ')}]'::INTEGER[]);\nINSERT INTO t (a, v) VALUES (2, NULL);\n`,
    ],
  ])('%s', async (name, expected) => {
    expect(
      await rendered(
        name,
        schema,
        [
          [1, 2],
          [long, null],
        ],
        { table: 't' },
      ),
    ).toBe(expected);
  });

  it('lets timers run while it is written', async () => {
    const values = [Array.from({ length: 2_000_000 }, (_, i) => i / 3)];
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const text = await rendered('json', [{ name: 'v', type: types.list(types.FLOAT64) }], [values]);
    clearInterval(timer);
    expect(text.length).toBeGreaterThan(30_000_000);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('back-pressure', () => {
  it('waits for the sink', async () => {
    const format = await findFormat('csv')?.load();
    let waiting = 0;
    let most = 0;
    const sink = {
      async write(): Promise<void> {
        most = Math.max(most, ++waiting);
        await new Promise((resolve) => setTimeout(resolve, 1));
        waiting--;
      },
      writeBytes: noBytes,
    };
    const writer = (format as NonNullable<typeof format>).create(sink, {});
    await writer.begin(STRINGS);
    await writer.batch(batchOf(STRINGS, [Array.from({ length: 50_000 }, (_, i) => `row ${i}`)]));
    await writer.end();
    expect(most).toBe(1);
  });
});

describe('registry', () => {
  it('loads every format under its name', async () => {
    for (const entry of FORMATS) expect((await entry.load()).name).toBe(entry.name);
    expect(new Set(FORMATS.map((entry) => entry.name)).size).toBe(FORMATS.length);
  });

  it('chooses by the ending of a file', () => {
    expect(formatForFile('out/x.CSV')?.name).toBe('csv');
    expect(formatForFile('x.ndjson')?.name).toBe('jsonl');
    expect(formatForFile('x.parquet')).toBe(undefined);
  });
});
