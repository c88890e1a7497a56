/**
 * Well-known text of a GEOMETRY. The bytes are well-known binary in the one form that the engine holds geometries in
 * (native/src/columnar/geometry.hpp): little-endian, ISO type codes.
 */
import { float64Text } from './number_text.ts';

const NAMES = [
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
] as const;
const [POINT, LINESTRING, POLYGON, COLLECTION] = [1, 2, 3, 7];

/** By type code / 1000. */
const DIMENSIONS = [
  { suffix: '', size: 2 },
  { suffix: ' Z', size: 3 },
  { suffix: ' M', size: 3 },
  { suffix: ' ZM', size: 4 },
] as const;

/** As DOUBLE, but whole numbers without `.0`. */
function coordinateText(value: number): string {
  return float64Text(value).replace(/\.0$/, '');
}

class WkbReader {
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** `named`: the type stands before the coordinates, which then are in brackets. */
  geometry(named: boolean): string {
    this.at += 1;
    const code = this.count();
    const shape = code % 1000;
    const { suffix, size } = DIMENSIONS[Math.floor(code / 1000)] as (typeof DIMENSIONS)[number];
    const body = this.body(shape, size, named);
    return named ? `${NAMES[shape - 1]}${suffix} ${body}` : body;
  }

  private body(shape: number, size: number, named: boolean): string {
    switch (shape) {
      case POINT:
        return this.point(size, named);
      case LINESTRING:
        return this.vertices(size);
      case POLYGON:
        return this.sequence(() => this.vertices(size));
      default:
        return this.sequence(() => this.geometry(shape === COLLECTION));
    }
  }

  private point(size: number, named: boolean): string {
    const values = this.coordinates(size);
    if (values.every(Number.isNaN)) return 'EMPTY';
    const text = values.map(coordinateText).join(' ');
    return named ? `(${text})` : text;
  }

  private vertices(size: number): string {
    return this.sequence(() => this.coordinates(size).map(coordinateText).join(' '));
  }

  private sequence(item: () => string): string {
    const items: string[] = [];
    for (let left = this.count(); left > 0; left--) items.push(item());
    return items.length === 0 ? 'EMPTY' : `(${items.join(', ')})`;
  }

  private coordinates(size: number): number[] {
    const values: number[] = [];
    for (let i = 0; i < size; i++, this.at += 8) values.push(this.view.getFloat64(this.at, true));
    return values;
  }

  private count(): number {
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }
}

/** `POINT (1 2)`, `LINESTRING Z EMPTY`, `GEOMETRYCOLLECTION (POINT (1 2))` … */
export function geometryText(wkb: Uint8Array): string {
  return new WkbReader(wkb).geometry(true);
}
