/** Reads and writes well-known binary (OGC 06-103r4 §8; reading also ISO 13249-3 and PostGIS' extension with an SRID). */

import { WayzoneError } from '../../../core/errors.js';
import type { Position } from '../../../core/geometry.js';
import type { ZoneGeometry } from '../../common/zoneGeometry.js';

/** A geometry in the coordinates of its system. `coordinates` contain the third number, but no measure. */
export type PlainGeometry =
  | { readonly type: string; readonly coordinates: readonly unknown[] }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly PlainGeometry[] };

interface WkbGeometry {
  /** The geometry; null if it is empty. */
  readonly geometry: PlainGeometry | null;
  /** Number of the coordinate system; null if the bytes have none. */
  readonly srid: number | null;
  /** Whether positions have a measure (M), which is left out. */
  readonly hasMeasure: boolean;
}

/** Largest number of levels of nested geometries. */
const MAX_DEPTH = 64;
const Z_FLAG = 0x8000_0000;
const M_FLAG = 0x4000_0000;
const SRID_FLAG = 0x2000_0000;
const TYPES = [
  '',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
  'Curve',
  'Surface',
  'PolyhedralSurface',
  'TIN',
  'Triangle',
] as const;
const FIRST_CURVE = 8;
const LAST_CURVE = 14;

/** Reads one geometry. Throws `wkb-invalid`, `geometry-unsupported` (curves), `limit-depth`. */
export function readWkb(bytes: Uint8Array): WkbGeometry {
  const reader = new WkbReader(bytes);
  const geometry = reader.geometry(0);
  if (reader.left > 0) throw invalid(`the end of the geometry, received ${reader.left} more bytes`);
  const { length } = 'coordinates' in geometry ? geometry.coordinates : geometry.geometries;
  return { geometry: length === 0 ? null : geometry, srid: reader.srid, hasMeasure: reader.hasMeasure };
}

class WkbReader {
  srid: number | null = null;
  hasMeasure = false;
  readonly #view: DataView;
  #at = 0;
  #isLittle = true;
  #dimensions = 2;
  #hasZ = false;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** An empty geometry has empty coordinates. */
  geometry(depth: number): PlainGeometry {
    if (depth > MAX_DEPTH) {
      throw new WayzoneError(
        'limit-depth',
        '',
        `expected at most ${MAX_DEPTH} nested geometries, received more`,
      );
    }
    const name = this.#head();
    switch (name) {
      case 'Point': {
        const position = this.#position();
        return { type: name, coordinates: position.every(Number.isNaN) ? [] : position };
      }
      case 'LineString':
        return { type: name, coordinates: this.#positions() };
      case 'Polygon':
      case 'Triangle':
        return { type: 'Polygon', coordinates: this.#rings() };
      case 'GeometryCollection':
        return { type: name, geometries: this.#members(depth) };
      default: {
        // A surface of polygons or triangles is read as a list of polygons.
        const type = name === 'PolyhedralSurface' || name === 'TIN' ? 'MultiPolygon' : name;
        return { type, coordinates: this.#members(depth).map((member) => coordinatesOf(member, type)) };
      }
    }
  }

  #head(): string {
    const order = this.#view.getUint8(this.#skip(1));
    if (order > 1) throw invalid(`a byte order of 0 or 1, received ${order}`);
    this.#isLittle = order === 1;
    const word = this.#uint32();
    const code = (word & 0x1fff_ffff) >>> 0;
    const dimensions = Math.floor(code / 1000);
    const kind = code % 1000;
    const name = TYPES[kind];
    if (name === undefined || name === '' || dimensions > 3)
      throw invalid(`a kind of geometry, received ${code}`);
    if ((word & SRID_FLAG) !== 0) {
      const srid = this.#uint32();
      this.srid ??= srid;
    }
    this.#hasZ = (word & Z_FLAG) !== 0 || dimensions === 1 || dimensions === 3;
    const hasM = (word & M_FLAG) !== 0 || dimensions === 2 || dimensions === 3;
    this.hasMeasure ||= hasM;
    this.#dimensions = 2 + Number(this.#hasZ) + Number(hasM);
    if (kind >= FIRST_CURVE && kind <= LAST_CURVE) {
      throw new WayzoneError(
        'geometry-unsupported',
        '',
        `expected straight edges, received a ${name}; not read`,
      );
    }
    return name;
  }

  #members(depth: number): PlainGeometry[] {
    // A member takes at least 5 bytes.
    const count = this.#count(5);
    const members: PlainGeometry[] = [];
    for (let i = 0; i < count; i++) {
      members.push(this.geometry(depth + 1));
    }
    return members;
  }

  #rings(): number[][][] {
    const count = this.#count(4);
    const rings = Array.from({ length: count }, () => this.#positions());
    return rings.filter((ring) => ring.length > 0);
  }

  #positions(): number[][] {
    const count = this.#count(8 * this.#dimensions);
    return Array.from({ length: count }, () => this.#position());
  }

  #position(): number[] {
    const at = this.#skip(8 * this.#dimensions);
    const position = [
      this.#view.getFloat64(at, this.#isLittle),
      this.#view.getFloat64(at + 8, this.#isLittle),
    ];
    if (!this.#hasZ) return position;
    const z = this.#view.getFloat64(at + 16, this.#isLittle);
    return Number.isNaN(z) && !position.every(Number.isNaN) ? position : [...position, z];
  }

  /** Reads a number of items of at least `least` bytes each, which the remaining bytes bound. */
  #count(least: number): number {
    const count = this.#uint32();
    if (count * least <= this.left) return count;
    throw invalid(`${count} items, received ${this.left} bytes`);
  }

  #uint32(): number {
    return this.#view.getUint32(this.#skip(4), this.#isLittle);
  }

  #skip(length: number): number {
    if (length > this.left) throw invalid(`${length} more bytes, received ${this.left}`);
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

/** Coordinates of a member of a collection of one kind. */
function coordinatesOf(member: PlainGeometry, type: string): readonly unknown[] {
  if ('coordinates' in member && `Multi${member.type}` === type) return member.coordinates;
  throw invalid(`members of a ${type}, received a ${member.type}`);
}

function invalid(wanted: string): WayzoneError {
  return new WayzoneError('wkb-invalid', '', `expected well-known binary: ${wanted}; not read`);
}

const CODES: Readonly<Record<ZoneGeometry['type'], number>> = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiLineString: 5,
  MultiPolygon: 6,
};

export function toWkb({ type, coordinates }: ZoneGeometry): Uint8Array {
  const bytes = new WkbBytes(9 * 4 + 16 * count(coordinates));
  bytes.head(CODES[type]);
  if (type === 'Point') bytes.position(coordinates);
  else if (type === 'LineString') bytes.positions(coordinates);
  else if (type === 'Polygon') bytes.rings(coordinates);
  else {
    bytes.uint32(coordinates.length);
    for (const member of coordinates) {
      bytes.head(type === 'MultiPolygon' ? CODES.Polygon : CODES.LineString);
      if (type === 'MultiPolygon') bytes.rings(member as Position[][]);
      else bytes.positions(member as Position[]);
    }
  }
  return bytes.take();
}

/** Upper bound of the number of positions and of lists around them. */
function count(coordinates: readonly unknown[]): number {
  if (typeof coordinates[0] === 'number') return 1;
  return coordinates.reduce<number>((sum, item) => sum + count(item as readonly unknown[]), 1);
}

class WkbBytes {
  readonly #view: DataView;
  #at = 0;

  constructor(capacity: number) {
    this.#view = new DataView(new ArrayBuffer(capacity));
  }

  head(code: number): void {
    this.#view.setUint8(this.#at++, 1);
    this.uint32(code);
  }

  uint32(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
  }

  position([x, y]: Position): void {
    this.#view.setFloat64(this.#at, x, true);
    this.#view.setFloat64(this.#at + 8, y, true);
    this.#at += 16;
  }

  positions(list: readonly Position[]): void {
    this.uint32(list.length);
    for (const position of list) this.position(position);
  }

  rings(rings: readonly (readonly Position[])[]): void {
    this.uint32(rings.length);
    for (const ring of rings) this.positions(ring);
  }

  take(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, this.#at);
  }
}
