import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readNpy } from '../../src/cli/npy.ts';
import { readParams } from '../../src/cli/params.ts';
import type { DataType } from '../../src/common/data_type.ts';
import * as types from '../../src/common/data_type.ts';
import type { Session } from '../../src/session/types.ts';
import { batchOf } from '../output/result_column.ts';

const root = mkdtempSync(join(tmpdir(), 'quern-params-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A session whose every query gives one column of these values. */
function sessionWith(type: DataType, values: readonly unknown[]): Session {
  const schema = [{ name: 'v', type }];
  return {
    async *query() {
      yield {
        span: { start: 0, end: 0 },
        result: {
          kind: 'rows',
          schema,
          async *batches() {
            yield batchOf(schema, [values]);
          },
          metrics() {
            throw new Error('not asked for');
          },
        },
      };
    },
    registerTable() {},
    set() {},
    async close() {},
  };
}

const session = sessionWith(types.list(types.FLOAT32), [[0.5, 2]]);

function file(name: string, content: string | Uint8Array): string {
  const path = join(root, name);
  writeFileSync(path, content);
  return path;
}

function npy(descr: string, shape: string, data: Uint8Array, order = 'False'): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;
  const padded = `${header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11)}\n`;
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, padded.length & 255, padded.length >> 8]);
  return Buffer.concat([start, Buffer.from(padded, 'latin1'), data]);
}

const bytes = (array: ArrayBufferView): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

describe('readParams', () => {
  it('keeps text as it is', async () => {
    expect(await readParams(['a=5', 'b=', 'c=x=y', "d=O'Brien"], session)).toEqual({
      a: '5',
      b: '',
      c: 'x=y',
      d: "O'Brien",
    });
  });

  it('reads JSON with exact integers', async () => {
    const path = file('v.json', '[1, -2.5e3, null, 9007199254740993, "12345678901234567890", true, [3]]');
    expect(await readParams([`q=@${path}`], session)).toEqual({
      q: [1, -2500, null, 9007199254740993n, '12345678901234567890', true, [3]],
    });
  });

  it('reads .npy and one row of Parquet', async () => {
    const path = file('v.npy', npy('<f4', '(2,)', bytes(Float32Array.of(1.5, -2))));
    expect(await readParams([`q=@${path}`], session)).toEqual({ q: Float32Array.of(1.5, -2) });
    expect(await readParams(['q=@x.parquet'], session)).toEqual({ q: Float32Array.of(0.5, 2) });
    expect(await readParams(['q=@x.parquet'], sessionWith(types.list(types.INT64), [[1n, null, 2n ** 60n]]))).toEqual({
      q: [1, null, 2n ** 60n],
    });
  });

  it.each([
    ['novalue', '--param: not NAME=VALUE: novalue'],
    ['1x=2', '--param: not a name: 1x'],
    ['q=@none.json', '--param: cannot read: no such file or directory: none.json'],
    [`q=@${file('x.txt', 'x')}`, `--param: unknown kind of file: ${join(root, 'x.txt')}`],
    [`q=@${file('o.json', '{"a": 1}')}`, `--param: an object is no parameter: ${join(root, 'o.json')}`],
  ])('%s is refused', async (text, message) => {
    await expect(readParams([text], session)).rejects.toThrow(message);
  });

  it('refuses a Parquet file of several rows or none', async () => {
    const type = types.list(types.FLOAT32);
    await expect(readParams(['q=@x.parquet'], sessionWith(type, [[1], [2]]))).rejects.toThrow(
      '--param: more than one row: x.parquet',
    );
    await expect(readParams(['q=@x.parquet'], sessionWith(type, []))).rejects.toThrow('--param: no row: x.parquet');
  });
});

describe('readNpy', () => {
  it('reads every simple type', () => {
    expect(readNpy(npy('<f8', '(1, 2)', bytes(Float64Array.of(0.1, NaN))), 'x')).toEqual(Float64Array.of(0.1, NaN));
    expect(readNpy(npy('<f2', '(2,)', bytes(Uint16Array.of(0x3c00, 0xc000))), 'x')).toEqual(Float32Array.of(1, -2));
    expect(readNpy(npy('<i8', '(2,)', bytes(BigInt64Array.of(-1n, 2n ** 60n))), 'x')).toEqual([-1n, 2n ** 60n]);
    expect(readNpy(npy('|u1', '(2,)', Uint8Array.of(1, 255)), 'x')).toEqual([1, 255]);
    expect(readNpy(npy('|b1', '(2,)', Uint8Array.of(1, 0)), 'x')).toEqual([true, false]);
    expect(readNpy(npy('<i4', '(0,)', new Uint8Array()), 'x')).toEqual([]);
  });

  it.each([
    [Buffer.from('hello world'), 'not a .npy file'],
    [npy('<f4', '(3,)', new Uint8Array(8)), 'data is cut off'],
    [npy('<f4', '(2, 3)', new Uint8Array(24)), 'not a vector but of shape (2, 3)'],
    [npy('>f4', '(1,)', new Uint8Array(4)), 'elements of type >f4'],
    [npy('<f4', '(1,)', new Uint8Array(4)).subarray(0, 40), 'header is cut off'],
    [npy('<f4', '(99999999999999999999,)', new Uint8Array(4)), 'data is cut off'],
  ])('refuses %#', (content, message) => {
    expect(() => readNpy(content, 'f.npy')).toThrow(`--param: ${message}: f.npy`);
  });
});
