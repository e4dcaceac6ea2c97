/** Writes the elements of a KML 2.2 document as pieces of text. */

import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { Geozone, GeozoneGroup, Route, ZoneOptions } from '../../core/wire.js';
import { checkLimits } from '../common/lonLatShape.js';
import { readDocument } from '../common/readDocument.js';
import { wireTextsBeside, wireTextsBesideRing } from '../common/wireTextsBeside.js';
import {
  atZone,
  lineCorridor,
  plainRing,
  withPairs,
  type ZoneGeometry,
  zoneGeometry,
} from '../common/zoneGeometry.js';
import { type Crs, onlyWgs84 } from '../crs/crs.js';
import { shownText, xmlName, xmlText } from '../xml/xmlText.js';
import { CoordinateText } from './coordinateText.js';
import { type IconHref, type KmlLook, KmlStyleBook, publicIconHref } from './kmlStyleBook.js';
import {
  DATA_END,
  dataOf,
  dataOpen,
  GROUP_DATA,
  jsonAsXml,
  ORDINAL_DATA,
  ROUTE_DATA,
  wireDataName,
  wireJson,
} from './kmlWire.js';
import { trackPlacemark } from './trackPlacemark.js';

/** Options of all writers of KML. */
export interface KmlDocumentOptions extends ZoneOptions {
  /** The document's name. Default: the name in `document`, else `Geozones`. */
  readonly name?: string;
  /** Name and properties of the document, as `fromKml` returns them in `value.document`. */
  readonly document?: ForeignDocument;
  /** The description of a zone, as plain text. Default: its field `description`, if it is text. */
  readonly description?: (zone: Geozone) => string | null;
  /** The address of an icon's picture. Null: the viewer's pin. Default: Google's public pictures for `hospital` and `school`, null for others. */
  readonly iconHref?: IconHref;
  /** Only WGS84, as KML defines. Others throw `crs-unsupported`. */
  readonly crs?: string | Crs;
}

export class KmlWriter {
  readonly head: string;
  readonly tail: string;
  readonly #options: KmlDocumentOptions;
  readonly #styles: KmlStyleBook;
  readonly #coordinates = new CoordinateText();
  readonly #dataOpen = new Map<string, string>();

  /** `looks`: pairs of colour and icon that get a shared Style. Others get an inline Style in each Placemark. */
  constructor(looks: Iterable<KmlLook>, options: KmlDocumentOptions) {
    onlyWgs84(options.crs, 'KML');
    this.#options = options;
    this.#styles = new KmlStyleBook(looks, options.iconHref ?? publicIconHref);
    const { name, properties } = readDocument(options.document);
    const { head, tail } = this.#styles.frame(options.name ?? name ?? 'Geozones', properties);
    this.head = head;
    this.tail = tail;
  }

  openFolder(group: GeozoneGroup): string {
    return folderOf(group.name, dataOf(GROUP_DATA, wireJson(group)));
  }

  openRoute(route: Omit<Route, 'points'>): string {
    return folderOf(route.name, dataOf(ROUTE_DATA, wireJson(route)));
  }

  closeFolder(): string {
    return '</Folder>\n';
  }

  /** `index`: the zone's index for the path of an error. `ordinal`: the zone's index to write, or null. */
  placemark(zone: Geozone, index: number, ordinal: number | null): string {
    return atZone(index, () => this.#placemark(zone, ordinal));
  }

  /** A gx:Track with the times, positions, heights and courses of the fixes. */
  track(track: RawTrack, index: number): string {
    return trackPlacemark(track, `tracks[${index}]`);
  }

  #placemark(zone: Geozone, ordinal: number | null): string {
    const options = this.#options;
    const plain = zone.type.key === 'polygon' ? plainRing(zone, options) : null;
    let fields: [field: string, json: string][];
    let shape: string;
    if (plain === null) {
      const whole = withPairs(zone);
      const geometry = zoneGeometry(whole, options);
      fields = wireTextsBeside(whole, geometry, options);
      shape = this.#geometries(whole, geometry);
    } else {
      fields = wireTextsBesideRing(zone, plain, options);
      const { ring, corners, isReversed } = plain;
      shape =
        POLYGON + OUTER + this.#coordinates.of(ring, corners, isReversed, true) + OUTER_END + POLYGON_END;
    }
    let data = this.#data('id', wireJson(zone.id));
    if (ordinal !== null) data += dataOf(ORDINAL_DATA, String(ordinal));
    for (const [field, text] of fields) data += this.#data(field, text);
    const shown = zone.is_show_on_map;
    const visibility = typeof shown === 'boolean' ? `<visibility>${shown ? 1 : 0}</visibility>` : '';
    const style = this.#styles.reference(zone);
    const name = xmlName(zone.name);
    return `<Placemark><name>${name}</name>${visibility}${this.#description(zone)}${style}<ExtendedData>${data}</ExtendedData>${shape}</Placemark>\n`;
  }

  /** The `Data` element of a wire field and its JSON text. The opening text of each field is cached. */
  #data(field: string, json: string): string {
    let open = this.#dataOpen.get(field);
    if (open === undefined) {
      if (this.#dataOpen.size >= MOST_NAMES) this.#dataOpen.clear();
      open = dataOpen(wireDataName(field));
      this.#dataOpen.set(field, open);
    }
    return open + jsonAsXml(json) + DATA_END;
  }

  /** The geometry of a zone. A line with a width is followed by its corridor. */
  #geometries(zone: Geozone, geometry: ZoneGeometry): string {
    const corridor = lineCorridor(zone, this.#options);
    const pieces = this.#pieces(geometry);
    if (corridor !== null) {
      checkLimits(corridor, 'geometry');
      pieces.push(...this.#pieces(corridor));
    }
    return pieces.length === 1 ? (pieces[0] ?? '') : `<MultiGeometry>${pieces.join('')}</MultiGeometry>`;
  }

  #pieces(geometry: ZoneGeometry): string[] {
    switch (geometry.type) {
      case 'Point':
        return [`<Point><coordinates>${this.#text([geometry.coordinates])}</coordinates></Point>`];
      case 'LineString':
        return [this.#line(geometry.coordinates)];
      case 'MultiLineString':
        return geometry.coordinates.map((line) => this.#line(line));
      case 'Polygon':
        return [this.#polygon(geometry.coordinates)];
      case 'MultiPolygon':
        return geometry.coordinates.map((polygon) => this.#polygon(polygon));
    }
  }

  /** `tessellate`: viewers draw the edge along the ground. */
  #line(line: readonly Position[]): string {
    return `<LineString><tessellate>1</tessellate><coordinates>${this.#text(line)}</coordinates></LineString>`;
  }

  #polygon(rings: readonly (readonly Position[])[]): string {
    let text = POLYGON;
    for (let i = 0; i < rings.length; i++) {
      text += (i === 0 ? OUTER : INNER) + this.#text(rings[i]!) + (i === 0 ? OUTER_END : INNER_END);
    }
    return text + POLYGON_END;
  }

  #text(positions: readonly Position[]): string {
    return this.#coordinates.of(positions, positions.length, false, false);
  }

  #description(zone: Geozone): string {
    const own: unknown = (zone as { readonly description?: unknown }).description;
    const text: unknown = this.#options.description === undefined ? own : this.#options.description(zone);
    if (typeof text !== 'string' || text === '') return '';
    return `<description>${xmlText(shownText(text))}</description>`;
  }
}

/** Limit of cached field names: a file may contain any number of them. */
const MOST_NAMES = 1000;

const POLYGON = '<Polygon><tessellate>1</tessellate>';
const POLYGON_END = '</Polygon>';
const OUTER = '<outerBoundaryIs><LinearRing><coordinates>';
const OUTER_END = '</coordinates></LinearRing></outerBoundaryIs>';
const INNER = '<innerBoundaryIs><LinearRing><coordinates>';
const INNER_END = '</coordinates></LinearRing></innerBoundaryIs>';

function folderOf(name: string, data: string): string {
  return `<Folder><name>${xmlName(name)}</name><ExtendedData>${data}</ExtendedData>\n`;
}
