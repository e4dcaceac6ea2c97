/**
 * Writes zones as Placemarks of KML 2.2. Style and ordinal depend on the other zones, so they are added last. Positions are written on bytes
 * for speed.
 */

import { COMMA, DOT, MINUS, SPACE, utf8Encoder, ZERO } from '../../core/ascii.js';
import { DecimalDigits, LEAST_DECIMAL, MOST_DECIMAL } from '../../core/decimalDigits.js';
import type { Position } from '../../core/geometry.js';
import { FlatPairs, type Geozone, type Pair, type ZoneOptions } from '../../core/wire.js';
import { reported, type ZoneIssueOptions } from '../common/issueList.js';
import { checkLimits } from '../common/lonLatShape.js';
import { wireTextsBeside, wireTextsBesideRing } from '../common/reservedFields.js';
import {
  lineCorridor,
  plainRing,
  withPairs,
  type ZoneGeometry,
  zoneGeometry,
} from '../common/zoneGeometry.js';
import { shownText, xmlName, xmlText } from '../xml/xmlText.js';
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

const MOST_DECIMALS = 9;
const BILLION = 1e9;
/** Size of a number below which `String` writes an exponent. */
const LEAST_PLAIN = 1e-6;
/** Upper bound of the size of a pair with its two delimiters, bytes. */
const PAIR_BYTES = 64;

/** A Placemark in three pieces. The style belongs before `id`, the ordinal before `rest`. */
interface PlacemarkDraft {
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

interface PlacemarkOptions extends ZoneOptions, ZoneIssueOptions {
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

const decoder = new TextDecoder();

export class CoordinateText {
  #bytes: Uint8Array = new Uint8Array(16_384);
  #end = 0;
  readonly #digits = new DecimalDigits();

  /**
   * Text of the first `count` positions. `isReversed`: from the last to the first. `closes`: the first written position is repeated at the
   * end.
   */
  of(positions: readonly Pair[] | FlatPairs, count: number, isReversed: boolean, closes: boolean): string {
    const room = (count + 1) * PAIR_BYTES;
    if (room > this.#bytes.length) this.#bytes = new Uint8Array(2 * room);
    this.#end = 0;
    const total = closes ? count + 1 : count;
    if (positions instanceof FlatPairs) {
      const { lonLat, from } = positions;
      for (let i = 0; i < total; i++) {
        const k = i === count ? 0 : i;
        const at = from + 2 * (isReversed ? count - 1 - k : k);
        this.#pair(lonLat[at]!, lonLat[at + 1]!);
      }
    } else {
      for (let i = 0; i < total; i++) {
        const k = i === count ? 0 : i;
        const pair = positions[isReversed ? count - 1 - k : k]!;
        this.#pair(pair[0], pair[1]);
      }
    }
    // The last space is left out.
    this.#end--;
    return decoder.decode(this.#bytes.subarray(0, this.#end));
  }

  #pair(lon: number, lat: number): void {
    if (!this.#number(lon, COMMA)) this.#anyNumber(lon, COMMA);
    if (!this.#number(lat, SPACE)) this.#anyNumber(lat, SPACE);
  }

  /** Writes a number of at most 9 decimals and a delimiter. Returns false, without writing, for other numbers. */
  #number(value: number, delimiter: number): boolean {
    const size = Math.abs(value);
    // With at most 9 decimals and 12 digits, the scaled integer gives the shortest text of the double.
    const scaled = Math.round(size * BILLION);
    if (!(size < 1000) || scaled / BILLION !== size || (size < LEAST_PLAIN && size !== 0)) return false;
    const bytes = this.#bytes;
    let at = this.#end;
    if (value < 0) bytes[at++] = MINUS;
    const whole = size | 0;
    if (whole > 9) {
      if (whole > 99) bytes[at++] = ZERO + ((whole / 100) | 0);
      bytes[at++] = ZERO + (((whole / 10) | 0) % 10);
    }
    bytes[at++] = ZERO + (whole % 10);
    // An int32, because division of a double would be several times slower.
    let rest = (scaled - whole * BILLION) | 0;
    if (rest !== 0) {
      let digits = MOST_DECIMALS;
      const shorter = (rest / 1000) | 0;
      if (shorter * 1000 === rest) {
        rest = shorter;
        digits -= 3;
      }
      bytes[at] = DOT;
      let end = at;
      for (let i = at + digits; i > at; i--) {
        const next = (rest / 10) | 0;
        const digit = rest - next * 10;
        // Bytes after the last digit other than 0 will be overwritten.
        bytes[i] = ZERO + digit;
        if (digit !== 0 && end === at) end = i;
        rest = next;
      }
      at = end + 1;
    }
    bytes[at] = delimiter;
    this.#end = at + 1;
    return true;
  }

  /** Writes any number and a delimiter. */
  #anyNumber(value: number, delimiter: number): void {
    const size = Math.abs(value);
    const bytes = this.#bytes;
    if (size >= LEAST_DECIMAL && size < MOST_DECIMAL) {
      const isNegative = value < 0;
      if (isNegative) bytes[this.#end] = MINUS;
      const end = this.#digits.write(size, bytes, isNegative ? this.#end + 1 : this.#end);
      if (end > 0) {
        bytes[end] = delimiter;
        this.#end = end + 1;
        return;
      }
    }
    const { written } = utf8Encoder.encodeInto(String(value), bytes.subarray(this.#end));
    bytes[this.#end + written] = delimiter;
    this.#end += written + 1;
  }
}
