/** Parses the geometry of a cell: well-known text, or well-known binary in hexadecimal digits as PostGIS prints it. */

import { describe, WayzoneError } from '../../core/errors.js';
import { plainNumber } from '../common/parseTime.js';
import { MAX_COLLECTION_DEPTH } from '../geojson/geoJsonShapes.js';
import { readWkb } from '../parquet/geo/readWkb.js';

interface WktGeometry {
  /** A GeoJSON geometry whose form is checked, but not its coordinates. */
  readonly geometry: Readonly<Record<string, unknown>>;
  /** Number in the prefix `SRID=…;`; null if there is no prefix. */
  readonly srid: number | null;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['POINT', 'Point'],
  ['LINESTRING', 'LineString'],
  ['LINEARRING', 'LineString'],
  ['POLYGON', 'Polygon'],
  ['MULTIPOINT', 'MultiPoint'],
  ['MULTILINESTRING', 'MultiLineString'],
  ['MULTIPOLYGON', 'MultiPolygon'],
  ['GEOMETRYCOLLECTION', 'GeometryCollection'],
]);

/** Number of levels of nested lists of positions, by type. */
const LIST_DEPTH: ReadonlyMap<string, number> = new Map([
  ['Point', 1],
  ['LineString', 1],
  ['MultiPoint', 1],
  ['Polygon', 2],
  ['MultiLineString', 2],
  ['MultiPolygon', 3],
]);

const TOKEN = /\s*([A-Za-z]+|[^\s(),;A-Za-z][^\s(),;]*|[(),;])/y;

const EMPTY = { type: 'GeometryCollection', geometries: [] } as const;

/** Whether a cell is WKB or EWKB in hexadecimal digits: a byte order, a type and more. */
export function isHexGeometry(text: string): boolean {
  const digits = text.trim();
  return digits.length >= 18 && digits.length % 2 === 0 && /^(?:\\x)?0[01][0-9A-Fa-f]+$/.test(digits);
}

/** Throws `wkt-syntax`, `wkb-invalid`, `geometry-unsupported`, `limit-depth`. */
export function parseGeometryText(text: string): WktGeometry {
  if (!isHexGeometry(text)) return parseWkt(text);
  const digits = text.trim().replace(/^\\x/, '');
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
  const { geometry, srid } = readWkb(bytes);
  return { geometry: { ...(geometry ?? EMPTY) }, srid };
}

/** The position of a point in hexadecimal WKB, WGS84; null for any other text. */
export function hexPoint(text: string): readonly [number, number] | null {
  if (!isHexGeometry(text)) return null;
  try {
    const { geometry, srid } = parseGeometryText(text);
    const [x, y] = (geometry['coordinates'] ?? []) as readonly unknown[];
    const isWgs84 = srid === null || srid === 0 || srid === 4326;
    return geometry['type'] === 'Point' && isWgs84 && typeof x === 'number' && typeof y === 'number'
      ? [x, y]
      : null;
  } catch {
    return null;
  }
}

/** Parses well-known text (OGC 06-103r4 §7, with the SRID prefix of EWKT). Throws `wkt-syntax` with the offset of the error, `limit-depth`. Linear in the length of the text. */
export function parseWkt(text: string): WktGeometry {
  const parser = new WktParser(text);
  return parser.whole();
}

class WktParser {
  readonly #text: string;
  #at = 0;
  #token: string | null = null;
  #tokenStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.#next();
  }

  whole(): WktGeometry {
    let srid: number | null = null;
    if (this.#token?.toUpperCase() === 'SRID') {
      this.#next();
      const value = plainNumber((this.#token ?? '').replace(/^=/, ''));
      if (value === null || !Number.isInteger(value)) throw this.#wrong('a number after SRID=');
      srid = value;
      this.#next();
      this.#take(';');
    }
    const geometry = this.#geometry(0);
    if (this.#token !== null) throw this.#wrong('the end of the text');
    return { geometry, srid };
  }

  #geometry(depth: number): Readonly<Record<string, unknown>> {
    if (depth > MAX_COLLECTION_DEPTH) {
      throw new WayzoneError(
        'limit-depth',
        'wkt',
        `expected at most ${MAX_COLLECTION_DEPTH} nested collections, received more`,
      );
    }
    const word = (this.#token ?? '').toUpperCase();
    const type = TYPES.get(word) ?? TYPES.get(word.replace(/(?:ZM|Z|M)$/, ''));
    if (type === undefined) throw this.#wrong('a geometry type');
    this.#next();
    if (/^(?:Z|M|ZM)$/i.test(this.#token ?? '')) this.#next();
    const isCollection = type === 'GeometryCollection';
    if (this.#token?.toUpperCase() === 'EMPTY') {
      this.#next();
      return isCollection ? { type, geometries: [] } : { type, coordinates: [] };
    }
    if (isCollection) return { type, geometries: this.#list(() => this.#geometry(depth + 1)) };
    const coordinates = this.#lists(LIST_DEPTH.get(type) ?? 1, type === 'MultiPoint');
    if (type !== 'Point') return { type, coordinates };
    if (coordinates.length !== 1) throw this.#wrong('one position in a POINT');
    return { type, coordinates: coordinates[0] };
  }

  #lists(depth: number, bracketed: boolean): unknown[] {
    if (this.#token?.toUpperCase() === 'EMPTY') {
      this.#next();
      return [];
    }
    if (depth > 1) return this.#list(() => this.#lists(depth - 1, bracketed));
    return this.#list(() => {
      if (bracketed && this.#token?.toUpperCase() === 'EMPTY') {
        this.#next();
        return [];
      }
      if (!bracketed || this.#token !== '(') return this.#position();
      this.#next();
      const position = this.#position();
      this.#take(')');
      return position;
    });
  }

  #list<T>(item: () => T): T[] {
    this.#take('(');
    const items = [item()];
    while (this.#token === ',') {
      this.#next();
      items.push(item());
    }
    this.#take(')');
    return items;
  }

  #position(): number[] {
    const numbers: number[] = [];
    let count = 0;
    while (this.#token !== ',' && this.#token !== ')') {
      // GEOS and PostGIS write NaN for an unknown altitude or measure, and for both numbers of an empty point.
      const isUnknown = this.#token?.toUpperCase() === 'NAN';
      const value = this.#token === null ? null : plainNumber(this.#token);
      if (value === null && !isUnknown) throw this.#wrong('a number');
      count++;
      if (value !== null) numbers.push(value);
      this.#next();
    }
    if (count >= 2 && count <= 4 && numbers.length === 0) return numbers;
    if (numbers.length < 2 || count > 4) throw this.#wrong('a position of 2 to 4 numbers');
    return numbers;
  }

  #take(token: string): void {
    if (this.#token !== token) throw this.#wrong(token);
    this.#next();
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) {
      if (this.#text.slice(this.#at).trim() !== '') throw this.#wrong('well-known text');
      this.#token = null;
      this.#tokenStart = this.#text.length;
      return;
    }
    this.#token = match[1]!;
    this.#at = TOKEN.lastIndex;
    this.#tokenStart = this.#at - this.#token.length;
  }

  #wrong(what: string): WayzoneError {
    const received = this.#token === null ? 'the end of the text' : describe(this.#token);
    return new WayzoneError(
      'wkt-syntax',
      `offset ${this.#tokenStart}`,
      `expected ${what}, received ${received} at offset ${this.#tokenStart}`,
    );
  }
}
