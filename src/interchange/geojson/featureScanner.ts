/** Reads a GeoJSON Feature (RFC 7946 §3.2) from its bytes. Only the usual forms are read; other forms are left to `JSON.parse`. */

import { COLON, COMMA, QUOTE, utf8Encoder } from '../../core/ascii.js';
import type { Position } from '../../core/geometry.js';
import { MAX_VERTICES } from '../../core/input.js';
import { FlatPairs } from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from '../common/lonLatShape.js';
import { ARRAY, isAt, OBJECT, OBJECT_END, plainStringEnd, skipSpace } from '../json/jsonBytes.js';
import { CoordinateScanner } from './coordinateScanner.js';

const TYPE = named('type', 1);
const GEOMETRY = named('geometry', 2);
const PROPERTIES = named('properties', 4);
const ID = named('id', 8);
const BBOX = named('bbox', 16);
const COORDINATES = named('coordinates', 32);
const FEATURE_MEMBERS = [TYPE, PROPERTIES, GEOMETRY, ID, BBOX];
const GEOMETRY_MEMBERS = [TYPE, COORDINATES];
const FEATURE = utf8Encoder.encode('"Feature"');

interface Member {
  /** The name in quotes. */
  readonly bytes: Uint8Array;
  readonly bit: number;
}

interface GeometryType {
  readonly bytes: Uint8Array;
  readonly key: ZoneTypeKey;
  readonly read: (coordinates: CoordinateScanner, bytes: Uint8Array, at: number) => number;
}

const TYPES: readonly GeometryType[] = [
  typed('Polygon', 'polygon', (scan, bytes, at) => scan.readPolygon(bytes, at)),
  typed('MultiPolygon', 'polygon', (scan, bytes, at) => scan.readPolygons(bytes, at)),
  typed('Point', 'point', (scan, bytes, at) => scan.readPoint(bytes, at)),
  typed('LineString', 'line', (scan, bytes, at) => scan.readRing(bytes, at)),
];

/** Largest number of levels in `properties`. Deeper values may exceed a limit, which `JSON.parse` and its reader check. */
const MOST_LEVELS = 30;
/** Largest number of digits of a numeric id: every whole number of so many digits is exact in a double. */
const MOST_ID_DIGITS = 15;

export class FeatureScanner {
  readonly coordinates: CoordinateScanner = new CoordinateScanner();
  key: ZoneTypeKey = 'polygon';
  /** Bytes [idFrom, idTo) of the value of `id`: a string or a whole number. Both 0 if it is absent. */
  idFrom = 0;
  idTo = 0;
  /** Bytes [propertiesFrom, propertiesTo) of the object `properties`. Both 0 if it is absent or null. */
  propertiesFrom = 0;
  propertiesTo = 0;

  /**
   * Reads the object that begins at `at` and returns the index after it. Returns -1 if the object has another form or does not end in the
   * bytes. A 0 must follow the bytes. `keeps`: the coordinates of the previous feature stay in the array.
   */
  read(bytes: Uint8Array, at: number, keeps: boolean): number {
    this.coordinates.begin(keeps);
    this.idFrom = 0;
    this.idTo = 0;
    this.propertiesFrom = 0;
    this.propertiesTo = 0;
    const end = this.#members(bytes, at);
    if (end < 0) this.coordinates.drop();
    return end;
  }

  #members(bytes: Uint8Array, at: number): number {
    let seen = 0;
    for (let i = at; ; ) {
      i = skipSpace(bytes, i + 1);
      const member = memberAt(FEATURE_MEMBERS, bytes, i);
      if (member === null || (seen & member.bit) !== 0) return -1;
      seen |= member.bit;
      i = valueAt(bytes, i + member.bytes.length);
      if (i < 0) return -1;
      i = this.#value(member, bytes, i);
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) continue;
      const isWhole = bytes[i] === OBJECT_END && (seen & TYPE.bit) !== 0 && (seen & GEOMETRY.bit) !== 0;
      return isWhole ? i + 1 : -1;
    }
  }

  #value(member: Member, bytes: Uint8Array, at: number): number {
    switch (member) {
      case TYPE:
        return isAt(FEATURE, bytes, at) ? at + FEATURE.length : -1;
      case ID: {
        const end = bytes[at] === QUOTE ? plainStringEnd(bytes, at + 1) : wholeEnd(bytes, at);
        this.idFrom = at;
        this.idTo = end;
        return end;
      }
      case PROPERTIES: {
        if (isAt(NULL, bytes, at)) return at + NULL.length;
        if (bytes[at] !== OBJECT) return -1;
        const end = objectEnd(bytes, at);
        this.propertiesFrom = at;
        this.propertiesTo = end;
        return end;
      }
      case GEOMETRY:
        return bytes[at] === OBJECT ? this.#geometry(bytes, at) : -1;
      default:
        return bboxEnd(bytes, at);
    }
  }

  #geometry(bytes: Uint8Array, at: number): number {
    let type: GeometryType | null = null;
    // Coordinates before the member `type` are skipped first and read at the end.
    let skippedFrom = -1;
    let skippedTo = -1;
    let seen = 0;
    for (let i = at; ; ) {
      i = skipSpace(bytes, i + 1);
      const member = memberAt(GEOMETRY_MEMBERS, bytes, i);
      if (member === null || (seen & member.bit) !== 0) return -1;
      seen |= member.bit;
      i = valueAt(bytes, i + member.bytes.length);
      if (i < 0) return -1;
      if (member === TYPE) {
        type = typeAt(bytes, i);
        if (type === null) return -1;
        i += type.bytes.length;
      } else if (type !== null) {
        i = type.read(this.coordinates, bytes, i);
      } else {
        skippedFrom = i;
        if (bytes[i] !== ARRAY) return -1;
        i = objectEnd(bytes, i);
        skippedTo = i;
      }
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) continue;
      if (bytes[i] !== OBJECT_END || type === null || (seen & COORDINATES.bit) === 0) return -1;
      if (skippedFrom >= 0 && type.read(this.coordinates, bytes, skippedFrom) !== skippedTo) return -1;
      this.key = type.key;
      return i + 1;
    }
  }
}

const NULL = utf8Encoder.encode('null');

function named(name: string, bit: number): Member {
  return { bytes: utf8Encoder.encode(`"${name}"`), bit };
}

function typed(name: string, key: ZoneTypeKey, read: GeometryType['read']): GeometryType {
  return { bytes: utf8Encoder.encode(`"${name}"`), key, read };
}

function memberAt(members: readonly Member[], bytes: Uint8Array, at: number): Member | null {
  for (const member of members) if (isAt(member.bytes, bytes, at)) return member;
  return null;
}

function typeAt(bytes: Uint8Array, at: number): GeometryType | null {
  for (const type of TYPES) if (isAt(type.bytes, bytes, at)) return type;
  return null;
}

/** Index of the value after the member name that ends at `at`; -1 if there is no colon. */
function valueAt(bytes: Uint8Array, at: number): number {
  const colon = skipSpace(bytes, at);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : -1;
}

/** Index after the whole number of at least 1 at `at`; -1 for any other value. */
function wholeEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  if (!(bytes[i]! > 0x30)) return -1;
  while (bytes[i]! >= 0x30 && bytes[i]! <= 0x39) i++;
  const next = bytes[i]!;
  // `1.5` and `1e9` are left to `JSON.parse`.
  const isWhole = next === COMMA || next === OBJECT_END || next <= 0x20;
  return isWhole && i > at && i - at <= MOST_ID_DIGITS ? i : -1;
}

/** Index after the array or object at `at`, found by brackets and quotes. -1 if it does not end before the 0. */
function objectEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  for (let i = at; ; i++) {
    const c = bytes[i]!;
    if (c === QUOTE) {
      for (i++; bytes[i] !== QUOTE; i++) {
        if (bytes[i] === 0x5c) i++;
        if (bytes[i] === 0) return -1;
      }
    } else if (c === OBJECT || c === ARRAY) {
      if (++depth > MOST_LEVELS) return -1;
    } else if (c === OBJECT_END || c === 0x5d) {
      if (--depth === 0) return i + 1;
    } else if (c === 0) return -1;
  }
}

/** Index after the `bbox` at `at`, a list of 4 to 6 numbers that are not used. -1 for any other value. */
function bboxEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== ARRAY) return -1;
  const end = objectEnd(bytes, at);
  return end > 0 && BOX.test(String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 400)))) ? end : -1;
}

const BOX =
  /^\[[ \t\n\r]*-?(?:0|[1-9]\d*)(?:\.\d+)?[ \t\n\r]*(?:,[ \t\n\r]*-?(?:0|[1-9]\d*)(?:\.\d+)?[ \t\n\r]*){3,5}\]$/;

/**
 * The shape of the feature scanned last. With `isFlat` a ring or line has `FlatPairs`. `at` returns the path of a member. Throws as
 * `readGeometry`.
 */
export function scannedShape(
  scan: FeatureScanner,
  isFlat: boolean,
  at: (path: string) => string,
): LonLatShape {
  const { key, coordinates } = scan;
  const { lonLat, from, to, ringEnds, polygonEnds } = coordinates;
  if (isFlat && ringEnds.length === 1 && key !== 'point') {
    const flat = key === 'line' ? new FlatPairs(lonLat, from, (to - from) / 2) : scannedRing(scan);
    if (flat !== null && flat.length >= 2 && flat.length <= MAX_VERTICES)
      return { key, geometry: flat, parts: null };
  }
  let start = from;
  const rings = ringEnds.map((end) => {
    const ring: Position[] = [];
    for (; start < end; start += 2) ring.push([lonLat[start]!, lonLat[start + 1]!]);
    return ring;
  });
  coordinates.drop();
  if (key === 'point') return pointShape(rings[0]![0]!);
  const path = at('geometry.coordinates');
  if (key === 'line') return lineShape(rings[0]!, path);
  let first = 0;
  const polygons = polygonEnds.map((end) => {
    const polygon = rings.slice(first, end);
    first = end;
    return polygon;
  });
  return polygonShape(polygons, path);
}

/** Positions of a polygon of one ring as `FlatPairs`. Null for any other shape, and for a ring that `polygonShape` must check. */
export function scannedRing({ key, coordinates }: FeatureScanner): FlatPairs | null {
  const { lonLat, from, to, ringEnds } = coordinates;
  if (key !== 'polygon' || ringEnds.length !== 1) return null;
  const flat = new FlatPairs(lonLat, from, (to - from) / 2);
  return flat.length <= MAX_VERTICES && hasThreeCorners(flat) ? flat : null;
}

/** Whether three positions differ from the position before: the first check of `polygonShape`, which checks other rings further. */
function hasThreeCorners({ lonLat, from, length }: FlatPairs): boolean {
  let count = 0;
  for (let i = from + 2; i < from + 2 * length; i += 2) {
    if ((lonLat[i] !== lonLat[i - 2] || lonLat[i + 1] !== lonLat[i - 1]) && ++count === 3) return true;
  }
  return false;
}
