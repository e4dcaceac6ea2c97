/** One Placemark while it is read: its geometries, texts and data. */

import { describe, WayzoneError } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import type { IssueList } from '../common/issueList.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/parseTime.js';
import { addFact, TextProperties } from '../common/textProperties.js';
import { attribute, type XmlElement } from '../xml/xmlFeed.js';
import { KmlTrack, parseKmlCoordinates } from './kmlCoordinates.js';
import { emptyStyle, type KmlStyle } from './kmlStyle.js';
import { ORDINAL_DATA, readRecordData, readWireData, TRACK_DATA } from './kmlWire.js';

/** Counts over the whole file. Each becomes one warning. */
export interface KmlCounts {
  altitudes: number;
  zonelessTimes: number;
}

type Found =
  | { readonly kind: 'polygon'; readonly rings: Position[][] }
  | { readonly kind: 'shape'; readonly shape: LonLatShape };

/** Names of children of a gx:Track, of which there is one per fix. */
const TRACK_ITEMS: ReadonlySet<string> = new Set(['when', 'coord', 'angles']);

interface PolygonDraft {
  outer: Position[] | null;
  readonly inner: Position[][];
  isValid: boolean;
}

export class KmlPlacemark {
  readonly element: XmlElement;
  readonly field: string;
  name = '';
  shown: boolean | null = null;
  styleUrl: string | null = null;
  /** Its inline Styles, merged. */
  readonly style: KmlStyle = emptyStyle();
  /** Foreign fields, in order. */
  readonly data: TextProperties = new TextProperties();
  /** The zone's fields, if wayzone wrote them. */
  readonly wire: Map<string, unknown> = new Map();
  /** Index of the zone in the list that was passed to `toKml`; null if the file has none. */
  ordinal: number | null = null;
  /** The track's fields other than fixes, if wayzone wrote them. */
  trackWire: Readonly<Record<string, unknown>> | null = null;
  /** Fixes of all its gx:Track elements in order. Null if it has no such element. */
  fixes: Fix[] | null = null;
  readonly #issues: IssueList;
  readonly #builder: ForeignBuilder;
  readonly #counts: KmlCounts;
  readonly #found: Found[] = [];
  /** Whether it has a geometry, valid or not. */
  hasGeometry = false;
  #polygon: PolygonDraft | null = null;
  #track: KmlTrack | null = null;

  constructor(element: XmlElement, field: string, builder: ForeignBuilder, counts: KmlCounts) {
    this.element = element;
    this.field = field;
    this.#issues = builder.issues;
    this.#builder = builder;
    this.#counts = counts;
  }

  open(element: XmlElement): void {
    if (element.name === 'Polygon') this.#polygon = { outer: null, inner: [], isValid: true };
    else if (element.name === 'Track') {
      this.#track = new KmlTrack(this.#builder, this.field, element.line);
    } else if (element.name === 'Model') {
      this.#issues.warning(
        'kml-unsupported',
        this.field,
        'expected a point, line, polygon or track, received a Model; not read',
        element.line,
      );
    }
  }

  close(element: XmlElement): void {
    const { name, parent } = element;
    if (name === 'coordinates') this.#coordinates(element);
    else if (name === 'Polygon') this.#endPolygon(element);
    else if (name === 'Track') this.#endTrack();
    else if (parent?.name === 'Track' && TRACK_ITEMS.has(name)) this.#track?.add(element);
    else if (name === 'SimpleArrayData') this.#leaveOut(element);
    else if (name === 'value' && parent?.name === 'Data') this.#addData(parent, element);
    else if (name === 'SimpleData') this.#addData(element, element);
    else if (parent === this.element && name === 'name') this.name = element.text.trim();
    else if (parent === this.element && name === 'styleUrl') this.styleUrl = element.text.trim();
    else if (parent === this.element && name === 'visibility') {
      const text = element.text.trim();
      this.shown = text !== '0' && text !== 'false';
    } else addFact(this.data, this.element, element);
  }

  /** Merges an inline Style. */
  addStyle({ colors, texts }: KmlStyle): void {
    for (const [part, color] of colors) this.style.colors.set(part, color);
    for (const [path, text] of texts) this.style.texts.set(path, text);
  }

  /** Whether the Placemark becomes at least one zone. */
  get hasShapes(): boolean {
    return this.#found.length > 0;
  }

  /** The shapes. If all geometries are polygons, they form one shape; otherwise each geometry is a shape. */
  shapes(): LonLatShape[] {
    const polygons = this.#found.flatMap((found) => (found.kind === 'polygon' ? [found.rings] : []));
    if (polygons.length > 0 && polygons.length === this.#found.length) {
      const shape = this.#tryRead(this.element, () => polygonShape(polygons, `${this.field}.Polygon`));
      return shape === null ? [] : [shape];
    }
    return this.#found.flatMap((found) => {
      if (found.kind === 'shape') return [found.shape];
      const shape = this.#tryRead(this.element, () => polygonShape([found.rings], `${this.field}.Polygon`));
      return shape === null ? [] : [shape];
    });
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
    else if (name === TRACK_DATA) this.trackWire = readRecordData(element.text);
    else if (own === null) this.data.add(name, element.text);
    else this.wire.set(own.field, own.value);
  }

  #coordinates(element: XmlElement): void {
    const holder = element.parent;
    // Some programs omit the LinearRing of a boundary.
    const boundary = holder?.name === 'LinearRing' ? holder.parent?.name : holder?.name;
    const inPolygon = boundary === 'outerBoundaryIs' || boundary === 'innerBoundaryIs';
    const kind = holder?.name;
    if (!inPolygon && kind !== 'Point' && kind !== 'LineString' && kind !== 'LinearRing') {
      const message = `expected coordinates in a Point, LineString or LinearRing, received them in ${kind ?? 'nothing'}; not read`;
      this.#issues.error('element-misplaced', this.field, message, element.line);
      return;
    }
    if (inPolygon && kind === boundary) {
      const message = `expected coordinates in a LinearRing, received them in ${boundary}; read`;
      this.#issues.warning('element-misplaced', this.field, message, element.line);
    }
    this.hasGeometry = true;
    const field = `${this.field}.coordinates`;
    const shape = this.#tryRead(element, () => {
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
      if (!Array.isArray(shape)) polygon.isValid = false;
      else if (boundary === 'innerBoundaryIs') polygon.inner.push(shape);
      else if (polygon.outer === null) polygon.outer = shape;
      else {
        polygon.isValid = false;
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
    if (polygon === null || !polygon.isValid) return;
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

  /** The result of `read`. Null, with an error issue, if it throws a `WayzoneError`. */
  #tryRead<T>(element: XmlElement, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      this.#issues.caught(error, element.line);
      return null;
    }
  }

  #endTrack(): void {
    const track = this.#track;
    this.#track = null;
    if (track === null) return;
    this.hasGeometry = true;
    const line = track.line();
    const [only] = line ?? [];
    if (line !== null) {
      if (line.length > 1) this.#found.push({ kind: 'shape', shape: lineShape(line, this.field) });
      else if (only !== undefined) this.#found.push({ kind: 'shape', shape: pointShape(only) });
      return;
    }
    const fixes = track.fixes();
    this.fixes ??= [];
    for (const fix of fixes ?? []) this.fixes.push(fix);
    this.#counts.zonelessTimes += track.zonelessTimes;
  }

  /** Reports values of fixes declared by a track's schema, which are left out. */
  #leaveOut(element: XmlElement): void {
    const name = attribute(element, 'name') ?? '';
    const message = `expected fields of a fix, received the values ${describe(name)}; left out`;
    this.#issues.warning('kml-data', this.field, message, element.line);
  }
}
