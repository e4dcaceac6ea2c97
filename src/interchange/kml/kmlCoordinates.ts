/**
 * Reads the positions of a Placemark: KML's `coordinates` (OGC 07-147r2 §10.11), and Google's gx:Track, parallel lists of times and positions,
 * as fixes.
 */

import { COMMA, utf8Encoder } from '../../core/ascii.js';
import { describe, WayzoneError } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { MAX_LON_DEGREES } from '../../core/input.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { NumberScanner } from '../common/numberScanner.js';
import { parseTime, plainNumber } from '../common/parseTime.js';
import { type Crs, isProblem, wgs84PlaceOf } from '../crs/crs.js';
import type { XmlElement } from '../xml/xmlFeed.js';

export interface KmlCoordinates {
  readonly positions: Position[];
  /** Number of tuples with an altitude other than 0. */
  readonly altitudes: number;
}

/**
 * The positions of a `coordinates` text, in linear time.
 *
 * Throws `kml-coordinates` with the tuple's index for a tuple other than `lon,lat` or `lon,lat,altitude` in plain decimal numbers, and for an empty
 * text; `lat-range`, `lon-range`. An altitude that is not a number counts as an altitude.
 */
export function parseKmlCoordinates(text: string, field: string, crs: Crs | null): KmlCoordinates {
  const plain = crs === null ? scanned(text) : null;
  if (plain !== null) return plain;
  try {
    return parsed(text, field, crs);
  } catch (error) {
    // Google Earth and GDAL accept spaces after the commas of a tuple. A comma between tuples makes a tuple with too many numbers.
    if (!/,\s/.test(text)) throw error;
    try {
      return parsed(text.replace(/,\s+/g, ','), field, crs);
    } catch {
      throw error;
    }
  }
}

/** Fast reader of plain numbers in the range of degrees. Null for any other text. */
function scanned(text: string): KmlCoordinates | null {
  const bytes = new Uint8Array(text.length + 1);
  const { read, written } = utf8Encoder.encodeInto(text, bytes.subarray(0, text.length));
  // A non-ASCII character takes several bytes.
  if (read !== written || read !== text.length) return null;
  const numbers = new NumberScanner();
  const positions: Position[] = [];
  let altitudes = 0;
  for (let i = afterSpace(bytes, 0); i < written; ) {
    const lon = numbers.read(bytes, i);
    // `!(… <= …)` is true for NaN too.
    if (!(Math.abs(lon) <= MAX_LON_DEGREES) || bytes[numbers.end] !== COMMA) return null;
    const lat = numbers.read(bytes, numbers.end + 1);
    if (!(Math.abs(lat) <= 90)) return null;
    if (bytes[numbers.end] === COMMA) {
      const altitude = numbers.read(bytes, numbers.end + 1);
      if (Number.isNaN(altitude)) return null;
      if (altitude !== 0) altitudes++;
    }
    i = afterSpace(bytes, numbers.end);
    if (i === numbers.end && i < written) return null;
    positions.push([lon, lat]);
  }
  return positions.length === 0 ? null : { positions, altitudes };
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c === 0x20 || c === 0x0a || c === 0x09 || c === 0x0d; c = bytes[++i]!);
  return i;
}

function parsed(text: string, field: string, crs: Crs | null): KmlCoordinates {
  const positions: Position[] = [];
  let altitudes = 0;
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const unit = i === text.length ? 0x20 : text.charCodeAt(i);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x09 && unit !== 0x0d) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      if (addTuple(text.slice(start, i), field, positions, crs)) altitudes++;
      start = -1;
    }
  }
  if (positions.length === 0) {
    throw new WayzoneError('kml-coordinates', field, 'expected at least one lon,lat tuple, received none');
  }
  return { positions, altitudes };
}

/** Adds the tuple's position. Returns whether it had an altitude other than 0. */
function addTuple(tuple: string, list: string, positions: Position[], crs: Crs | null): boolean {
  const [lonText = '', latText = '', altitudeText, ...more] = tuple.split(',', 5);
  const lon = plainNumber(lonText);
  const lat = plainNumber(latText);
  const field = (): string => `${list}[${positions.length}]`;
  if (lon === null || lat === null || more.length > 0) {
    throw new WayzoneError(
      'kml-coordinates',
      field(),
      `expected lon,lat or lon,lat,altitude, received ${describe(tuple)}`,
    );
  }
  const place = wgs84PlaceOf(lon, lat, crs);
  if (isProblem(place)) throw new WayzoneError(place.code, field(), place.message);
  positions.push(place);
  return altitudeText !== undefined && altitudeText !== '' && plainNumber(altitudeText) !== 0;
}

/** A text and its line in the file. */
interface Item {
  readonly text: string;
  readonly line: number;
}

export class KmlTrack {
  /** Number of times without a time zone. */
  zonelessTimes = 0;
  readonly #builder: ForeignBuilder;
  readonly #field: string;
  readonly #line: number;
  readonly #whens: Item[] = [];
  readonly #coords: Item[] = [];
  readonly #angles: Item[] = [];
  /** The time before the next position; then each position with the time before it. */
  #last: Item | null = null;
  readonly #pairs: (readonly [when: Item, coord: Item])[] = [];

  constructor(builder: ForeignBuilder, field: string, line: number) {
    this.#builder = builder;
    this.#field = field;
    this.#line = line;
  }

  /** Adds a child of the gx:Track element. */
  add({ name, text, line }: XmlElement): void {
    const item = { text, line };
    if (name === 'when') {
      this.#whens.push(item);
      this.#last = item;
    } else if (name === 'coord') {
      this.#coords.push(item);
      if (this.#last !== null) this.#pairs.push([this.#last, item]);
      this.#last = null;
    } else if (name === 'angles') this.#angles.push(item);
  }

  /**
   * The fixes. If the numbers of times and positions differ, those where a time and a position are adjacent; null if there are none, as in
   * a list of times before a list of positions. Both cases with an issue. Call it after `line` has returned null.
   */
  fixes(): Fix[] | null {
    const { issues } = this.#builder;
    const pairs = this.#whens.length === this.#coords.length ? null : this.#pairs;
    if (pairs !== null && pairs.length > 1) {
      const message = `expected as many gx:coord as when, received ${this.#coords.length} and ${this.#whens.length}; ${pairs.length} that follow each other are read`;
      issues.warning('kml-track-mismatch', this.#field, message, this.#line);
      this.#angles.length = 0;
      return pairs.flatMap(([when, coord], i) => this.#fix(i, when, coord) ?? []);
    }
    if (pairs !== null) {
      const message = `expected as many gx:coord as when, received ${this.#coords.length} and ${this.#whens.length}; not read`;
      issues.error('kml-track-mismatch', this.#field, message, this.#line);
      return null;
    }
    if (this.#angles.length > 0 && this.#angles.length !== this.#coords.length) {
      const message = `expected as many gx:angles as gx:coord, received ${this.#angles.length} and ${this.#coords.length}; left out`;
      issues.warning('kml-track-mismatch', this.#field, message, this.#line);
      this.#angles.length = 0;
    }
    return this.#whens.flatMap((when, i) => this.#fix(i, when, this.#coords[i]!) ?? []);
  }

  /** The positions of a track without times, with a warning. Null for a track with times. */
  line(): Position[] | null {
    if (this.#whens.length > 0 || this.#coords.length === 0) return null;
    const message = `expected as many gx:coord as when, received ${this.#coords.length} and none; read as a line`;
    this.#builder.issues.warning('kml-track-mismatch', this.#field, message, this.#line);
    return this.#coords.flatMap((coord, i) => {
      const place = this.#place(coord, `${this.#field}.Track[${i}]`);
      return place === null ? [] : [place];
    });
  }

  #place(coord: Item, field: string): Position | null {
    const { issues } = this.#builder;
    const [lonText = '', latText = ''] = partsOf(coord.text);
    const lon = plainNumber(lonText);
    const lat = plainNumber(latText);
    if (lon === null || lat === null) {
      const message = `expected lon lat altitude, received ${describe(coord.text)}; left out`;
      issues.error('kml-coordinates', `${field}.coord`, message, coord.line);
      return null;
    }
    const place = this.#builder.place(lon, lat);
    if (!isProblem(place)) return place;
    issues.error(place.code, `${field}.coord`, place.message, coord.line);
    return null;
  }

  /** One number of a text. Null if the text is too short, or, with a warning, if it is not a number there. */
  #number(item: Item | null, place: number, field: string): number | null {
    const text = item === null ? undefined : partsOf(item.text)[place];
    if (item === null || text === undefined || text === '') return null;
    const value = plainNumber(text);
    if (value === null) {
      const message = `expected a number, received ${describe(text)}; left out`;
      this.#builder.issues.warning('number-invalid', field, message, item.line);
    }
    return value;
  }

  #fix(i: number, when: Item, coord: Item): Fix | null {
    const { issues } = this.#builder;
    const field = `${this.#field}.Track[${i}]`;
    const place = this.#place(coord, field);
    if (place === null) return null;
    const parsed = parseTime(when.text, 0);
    if (parsed === null) {
      const message = `expected an ISO 8601 time, received ${describe(when.text)}; left out`;
      issues.error('time-invalid', `${field}.when`, message, when.line);
      return null;
    }
    if (parsed.note === 'time-zone-missing') this.zonelessTimes++;
    else if (parsed.note === 'leap-second') {
      const message = `expected a second of 0 to 59, received ${when.text}; read as the millisecond before it`;
      issues.warning('leap-second', `${field}.when`, message, when.line);
    }
    const altitude = this.#number(coord, 2, `${field}.coord`);
    const course = this.#number(this.#angles[i] ?? null, 0, `${field}.angles`);
    return {
      time: parsed.time,
      lon: place[0],
      lat: place[1],
      ...(altitude === null ? {} : { altitudeMeters: altitude }),
      ...(course === null ? {} : { courseDegrees: course }),
    };
  }
}

function partsOf(text: string): string[] {
  return text.trim().split(/[ \t\r\n]+/, 4);
}
