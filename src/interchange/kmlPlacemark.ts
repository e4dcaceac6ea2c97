/** One Placemark while it is read: its geometries, texts and data. */

import { describe, WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { isProblem } from './crs.js';
import type { ForeignBuilder } from './foreignBuilder.js';
import type { IssueList } from './issueList.js';
import { parseKmlCoordinates } from './kmlCoordinates.js';
import type { StyleColors, StylePart } from './kmlStyles.js';
import { ORDINAL_DATA, readWireData } from './kmlWire.js';
import { parseTime } from './parseTime.js';
import { plainNumber } from './plainNumber.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from './readShape.js';
import { attribute, type XmlElement } from './readXml.js';

/** What is counted over the whole file and becomes one warning each. */
export interface KmlCounts {
  altitudes: number;
  zonelessTimes: number;
}

type Found =
  | { readonly kind: 'polygon'; readonly rings: Position[][] }
  | { readonly kind: 'shape'; readonly shape: LonLatShape };

interface PolygonDraft {
  outer: Position[] | null;
  readonly inner: Position[][];
  sound: boolean;
}

interface TrackDraft {
  readonly line: number;
  readonly whens: { text: string; line: number }[];
  readonly coords: { text: string; line: number }[];
}

/** Texts of a Placemark that are kept under `properties`. */
const KEPT: ReadonlySet<string> = new Set([
  'description',
  'address',
  'phoneNumber',
  'Snippet',
  'snippet',
  'link',
]);

export class KmlPlacemark {
  readonly element: XmlElement;
  readonly field: string;
  name = '';
  shown: boolean | null = null;
  styleUrl: string | null = null;
  readonly colors: StyleColors = new Map<StylePart, string>();
  /** Foreign data, in order. */
  readonly data: Map<string, string> = new Map();
  /** The fields that our own writer wrote. */
  readonly wire: Map<string, unknown> = new Map();
  /** The zone's place in the list that `toKml` was given. */
  ordinal: number | null = null;
  /** Fixes of all its gx:Track elements in order; null when it has none. */
  fixes: Fix[] | null = null;
  readonly #issues: IssueList;
  readonly #builder: ForeignBuilder;
  readonly #counts: KmlCounts;
  readonly #found: Found[] = [];
  /** Whether a geometry was there, sound or not. */
  hasGeometry = false;
  #polygon: PolygonDraft | null = null;
  #track: TrackDraft | null = null;

  constructor(element: XmlElement, field: string, builder: ForeignBuilder, counts: KmlCounts) {
    this.element = element;
    this.field = field;
    this.#issues = builder.issues;
    this.#builder = builder;
    this.#counts = counts;
  }

  open(element: XmlElement): void {
    if (element.name === 'Polygon') this.#polygon = { outer: null, inner: [], sound: true };
    else if (element.name === 'Track') this.#track = { line: element.line, whens: [], coords: [] };
    else if (element.name === 'Model') {
      this.#issues.warning(
        'kml-unsupported',
        this.field,
        'expected a geometry on the map, received a Model; not read',
        element.line,
      );
    }
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    if (parent === this.element) this.#closeChild(element);
    if (name === 'coordinates') this.#coordinates(element);
    else if (name === 'Polygon') this.#endPolygon(element);
    else if (name === 'Track') this.#endTrack();
    else if (name === 'when' && parent?.name === 'Track') this.#track?.whens.push(element);
    else if (name === 'coord' && parent?.name === 'Track') this.#track?.coords.push(element);
    else if (name === 'value' && parent?.name === 'Data') this.#addData(parent, element);
    else if (name === 'SimpleData') this.#addData(element, element);
    else if (parent?.name === 'TimeStamp' || parent?.name === 'TimeSpan')
      this.#keep(name, element.text.trim());
  }

  /** The shapes: all polygons together are one, each other geometry is its own. */
  shapes(): LonLatShape[] {
    const polygons = this.#found.flatMap((found) => (found.kind === 'polygon' ? [found.rings] : []));
    if (polygons.length > 0 && polygons.length === this.#found.length) {
      const shape = this.#sound(this.element, () => polygonShape(polygons, `${this.field}.Polygon`));
      return shape === null ? [] : [shape];
    }
    return this.#found.flatMap((found) => {
      if (found.kind === 'shape') return [found.shape];
      const shape = this.#sound(this.element, () => polygonShape([found.rings], `${this.field}.Polygon`));
      return shape === null ? [] : [shape];
    });
  }

  #closeChild(element: XmlElement): void {
    const { name } = element;
    const text = element.text.trim();
    if (name === 'name') this.name = text;
    else if (name === 'styleUrl') this.styleUrl = text;
    else if (name === 'visibility') this.shown = text !== '0' && text !== 'false';
    else if (KEPT.has(name)) {
      const value = name === 'link' ? (attribute(element, 'href') ?? text) : text;
      if (value !== '') this.#keep(name, value);
    }
  }

  /** A second text of the same name is kept too, under a name of its own. */
  #keep(name: string, text: string): void {
    let key = name;
    for (let n = 2; this.data.has(key); n++) key = `${name}~${n}`;
    this.data.set(key, text);
  }

  #addData(named: XmlElement, element: XmlElement): void {
    const name = attribute(named, 'name');
    if (name === undefined) {
      this.#issues.warning(
        'kml-data',
        this.field,
        'expected a name on Data, received none; left out',
        element.line,
      );
      return;
    }
    const own = readWireData(name, element.text);
    if (name === ORDINAL_DATA) this.ordinal = plainNumber(element.text);
    else if (own === null) this.#keep(name, element.text);
    else this.wire.set(own.field, own.value);
  }

  #coordinates(element: XmlElement): void {
    const holder = element.parent;
    const boundary = holder?.name === 'LinearRing' ? holder.parent?.name : undefined;
    const inPolygon = boundary === 'outerBoundaryIs' || boundary === 'innerBoundaryIs';
    const kind = holder?.name;
    if (!inPolygon && kind !== 'Point' && kind !== 'LineString' && kind !== 'LinearRing') return;
    this.hasGeometry = true;
    const field = `${this.field}.coordinates`;
    const shape = this.#sound(element, () => {
      const { positions, altitudes } = parseKmlCoordinates(element.text, field, this.#builder.crs);
      this.#counts.altitudes += altitudes;
      if (inPolygon) return positions;
      if (kind !== 'Point') return lineShape(positions, field);
      const [only] = positions;
      if (positions.length !== 1 || only === undefined) {
        throw new WayzoneError(
          'kml-coordinates',
          field,
          `expected one tuple in a Point, received ${positions.length}`,
        );
      }
      return pointShape(only);
    });
    const polygon = this.#polygon;
    if (inPolygon && polygon !== null) {
      if (!Array.isArray(shape)) polygon.sound = false;
      else if (boundary === 'innerBoundaryIs') polygon.inner.push(shape);
      else if (polygon.outer === null) polygon.outer = shape;
      else {
        polygon.sound = false;
        this.#issues.error(
          'kml-polygon',
          this.field,
          'expected one outer boundary, received two',
          element.line,
        );
      }
    } else if (shape !== null && !Array.isArray(shape)) this.#found.push({ kind: 'shape', shape });
  }

  #endPolygon(element: XmlElement): void {
    const polygon = this.#polygon;
    this.#polygon = null;
    this.hasGeometry = true;
    if (polygon === null || !polygon.sound) return;
    if (polygon.outer === null) {
      this.#issues.error(
        'kml-polygon',
        this.field,
        'expected an outer boundary with coordinates, received none',
        element.line,
      );
      return;
    }
    this.#found.push({ kind: 'polygon', rings: [polygon.outer, ...polygon.inner] });
  }

  /** What `read` gives; null with an error issue when it throws a `WayzoneError`. */
  #sound<T>(element: XmlElement, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      this.#issues.error(error.code, error.field, error.message, element.line);
      return null;
    }
  }

  #endTrack(): void {
    const track = this.#track;
    this.#track = null;
    if (track === null) return;
    this.hasGeometry = true;
    this.fixes ??= [];
    if (track.whens.length !== track.coords.length) {
      const message = `expected as many gx:coord as when, received ${track.coords.length} and ${track.whens.length}; not read`;
      this.#issues.error('kml-track-mismatch', this.field, message, track.line);
      return;
    }
    for (const [i, when] of track.whens.entries()) {
      const coord = track.coords[i];
      const fix = coord === undefined ? null : this.#fix(when, coord, `${this.field}.Track[${i}]`);
      if (fix !== null) this.fixes.push(fix);
    }
  }

  #fix(
    when: { text: string; line: number },
    coord: { text: string; line: number },
    field: string,
  ): Fix | null {
    const [lonText = '', latText = '', altitudeText] = coord.text.trim().split(/[ \t\r\n]+/, 4);
    const lon = plainNumber(lonText);
    const lat = plainNumber(latText);
    if (lon === null || lat === null) {
      const message = `expected lon lat altitude, received ${describe(coord.text)}; left out`;
      this.#issues.error('kml-coordinates', `${field}.coord`, message, coord.line);
      return null;
    }
    const place = this.#builder.place(lon, lat);
    if (isProblem(place)) {
      this.#issues.error(place.code, `${field}.coord`, place.message, coord.line);
      return null;
    }
    const parsed = parseTime(when.text, 0);
    if (parsed === null) {
      const message = `expected an ISO 8601 time, received ${describe(when.text)}; left out`;
      this.#issues.error('time-invalid', `${field}.when`, message, when.line);
      return null;
    }
    if (parsed.note === 'time-zone-missing') this.#counts.zonelessTimes++;
    else if (parsed.note === 'leap-second') {
      this.#issues.warning(
        'leap-second',
        `${field}.when`,
        `${when.text} is read as the millisecond before it`,
        when.line,
      );
    }
    const altitude = altitudeText === undefined ? null : plainNumber(altitudeText);
    return {
      time: parsed.time,
      lon: place[0],
      lat: place[1],
      ...(altitude === null ? {} : { altitudeMeters: altitude }),
    };
  }
}
