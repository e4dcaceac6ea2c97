/** Writes zones as Placemarks of KML 2.2. Style and ordinal depend on the other zones, so they are added last. */

import type { Position } from '../../core/geometry.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { checkLimits } from '../common/lonLatShape.js';
import { reported, type ZoneIssueOptions } from '../common/reported.js';
import { wireTextsBeside, wireTextsBesideRing } from '../common/wireTextsBeside.js';
import {
  lineCorridor,
  plainRing,
  withPairs,
  type ZoneGeometry,
  zoneGeometry,
} from '../common/zoneGeometry.js';
import { shownText, xmlName, xmlText } from '../xml/xmlText.js';
import { CoordinateText } from './coordinateText.js';
import { kmlFacts } from './kmlFacts.js';
import {
  DATA_END,
  dataElement,
  dataOpen,
  jsonAsXml,
  ORDINAL_DATA,
  RECORD,
  RECORD_END,
  wireDataName,
  wireJson,
} from './kmlWire.js';

/** A Placemark in three pieces. The style belongs before `id`, the ordinal before `rest`. */
export interface PlacemarkDraft {
  readonly start: string;
  /** Inline Style of a zone whose properties have more than a colour; null for other zones. */
  readonly style: string | null;
  readonly id: string;
  readonly rest: string;
}

/** The `Data` element of an ordinal: the zone's index to write, or null for an empty text. */
export function ordinalData(ordinal: number | null): string {
  return ordinal === null ? '' : dataElement(ORDINAL_DATA, String(ordinal));
}

export interface PlacemarkOptions extends ZoneOptions, ZoneIssueOptions {
  readonly description?: ((zone: Geozone) => string | null) | undefined;
}

export class ZonePlacemarks {
  readonly #options: PlacemarkOptions;
  readonly #coordinates = new CoordinateText();
  readonly #dataOpen = new Map<string, string>();

  constructor(options: PlacemarkOptions) {
    this.#options = options;
  }

  /** Builds the Placemark of a zone. With `onIssue`, a zone whose shape cannot be written is reported and has no geometry. */
  draft(zone: Geozone): PlacemarkDraft {
    return reported(
      zone,
      this.#options.onIssue,
      () => this.#draft(zone),
      ({ field, message }) => ({
        start: `<Placemark><name>${xmlName(zone.name)}</name><description>${xmlText(`Not written: ${field}: ${message}`)}</description>`,
        style: '',
        id: `<ExtendedData>${RECORD}${this.#data('id', wireJson(zone.id))}`,
        rest: `${RECORD_END}</ExtendedData></Placemark>\n`,
      }),
    );
  }

  #draft(zone: Geozone): PlacemarkDraft {
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
      const { flat, corners, isReversed } = plain;
      shape =
        POLYGON_TYPE +
        OUTER +
        this.#coordinates.of(flat, corners, isReversed, true) +
        OUTER_END +
        POLYGON_END;
    }
    const id = this.#data('id', wireJson(zone.id));
    let data = '';
    for (const [field, text] of fields) data += this.#data(field, text);
    const shown = zone.is_show_on_map;
    const visibility = typeof shown === 'boolean' ? `<visibility>${shown ? 1 : 0}</visibility>` : '';
    const facts = kmlFacts(zone);
    const description = this.#description(zone, facts.description);
    return {
      start: `<Placemark><name>${xmlName(zone.name)}</name>${visibility}${facts.address}${description}${facts.time}`,
      style: facts.style,
      id: `<ExtendedData>${facts.data}${RECORD}${id}`,
      rest: `${data}${RECORD_END}</ExtendedData>${shape}</Placemark>\n`,
    };
  }

  /** The `Data` element of a wire field with its JSON text. The opening text of each field is cached. */
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
      checkLimits(corridor);
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

  /** A line. `tessellate`: viewers draw its edges along the ground. */
  #line(line: readonly Position[]): string {
    return `<LineString><tessellate>1</tessellate><coordinates>${this.#text(line)}</coordinates></LineString>`;
  }

  #polygon(rings: readonly (readonly Position[])[]): string {
    let text = POLYGON_TYPE;
    for (let i = 0; i < rings.length; i++) {
      text += (i === 0 ? OUTER : INNER) + this.#text(rings[i]!) + (i === 0 ? OUTER_END : INNER_END);
    }
    return text + POLYGON_END;
  }

  #text(positions: readonly Position[]): string {
    return this.#coordinates.of(positions, positions.length, false, false);
  }

  /** The description of a zone. `foreign`: the description among its properties. */
  #description(zone: Geozone, foreign: string): string {
    const own: unknown = (zone as { readonly description?: unknown }).description;
    const text: unknown = this.#options.description === undefined ? own : this.#options.description(zone);
    if (typeof text !== 'string' || text === '') {
      return foreign === '' || this.#options.description !== undefined
        ? ''
        : `<description>${foreign}</description>`;
    }
    return `<description>${xmlText(shownText(text))}</description>`;
  }
}

/** Largest number of cached field names: a file may contain any number of them. */
const MOST_NAMES = 1000;

const POLYGON_TYPE = '<Polygon><tessellate>1</tessellate>';
const POLYGON_END = '</Polygon>';
const OUTER = '<outerBoundaryIs><LinearRing><coordinates>';
const OUTER_END = '</coordinates></LinearRing></outerBoundaryIs>';
const INNER = '<innerBoundaryIs><LinearRing><coordinates>';
const INNER_END = '</coordinates></LinearRing></innerBoundaryIs>';
