/** One zone as a GeoJSON feature (RFC 7946 §3.2). */

import { describe, WayzoneError } from '../../core/errors.js';
import type { ForeignDocument } from '../../core/fix.js';
import type { Bbox, Position } from '../../core/geometry.js';
import { readChoice, readNumber } from '../../core/input.js';
import { type Geozone, isDeleted, type Route, type ZoneOptions } from '../../core/wire.js';
import { readDocument } from '../common/readDocument.js';
import { wireTextsBeside } from '../common/wireTextsBeside.js';
import { lineCorridor, type ZoneGeometry, zoneGeometry } from '../common/zoneGeometry.js';
import { type Crs, pairIn, projected } from '../crs/crs.js';
import { GeometryBox } from './geometryBox.js';
import { roundGeometry } from './roundGeometry.js';

/** What a map page shows of a zone. */
export interface MapProperties {
  /** Empty text where none is known. */
  readonly address: string;
  /** The zone's. */
  readonly name: string;
}

/** A zone as a GeoJSON feature (RFC 7946 §3.2). */
export interface ZoneFeature<Properties = { readonly [key: string]: unknown }> {
  /** As RFC 7946 has it. */
  readonly type: 'Feature';
  /** The zone's. */
  readonly id: string;
  /** On request: `[west, south, east, north]`. */
  readonly bbox?: Bbox;
  /** Closed rings, right-hand rule, cut at the antimeridian. */
  readonly geometry: ZoneGeometry;
  /** What a map shows, or with `all` every wire field. */
  readonly properties: Properties;
}

/** GeoJSON 2008 §3.1. */
export interface NamedCrs {
  /** Always `name`. */
  readonly type: 'name';
  /** The system's name, as OGC spells it. */
  readonly properties: { readonly name: string };
}

export interface FeatureCollectionOptions extends ZoneOptions {
  /** Their points come after the zones, each as a zone of its type with `route {id, name}` among its fields. */
  readonly routes?: Iterable<Route>;
  /** What the collection says of itself, as `fromGeoJson` gives it in `value.document`: members of the collection. */
  readonly document?: ForeignDocument;
  /** Every zone with every field, so that `fromGeoJson` reads back what was written. Default: the map features only. */
  readonly all?: boolean;
  /** The address of a zone: a function, or a map or record by id. Default, and where it gives none: the zone's own field `address`, else empty text. */
  readonly address?:
    | ((zone: Geozone) => string | null | undefined)
    | ReadonlyMap<string, string>
    | Readonly<Record<string, string>>;
  /** A circle as its outline (default) or as the Point of its centre. */
  readonly circles?: 'outline' | 'point';
  /** A line as its corridor (default; as itself where it has no width), or as itself. */
  readonly lines?: 'corridor' | 'line';
  /** Whether the collection and each feature have a `bbox`. Default false. */
  readonly bbox?: boolean;
  /** Decimals of a degree, 0 to 15. Default: all. */
  readonly digits?: number;
  /**
   * The system of the coordinates, from `loadCrs`; `writeFeatureCollection` also takes its name. Default WGS84, as RFC 7946 has it. Any other is
   * named in the old member `crs` (GeoJSON 2008), which `readGeoJson` honours; not together with `bbox` or `digits`.
   */
  readonly crs?: string | Crs;
}

/** Names of RFC 7946 §7.1, and of GeoJSON 2008. */
const GEOJSON_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'features',
  'bbox',
  'crs',
  'coordinates',
  'geometries',
  'geometry',
]);

/** Options once checked; makes the feature of each zone that is wanted. */
export class FeatureMaker {
  readonly #options: FeatureCollectionOptions;
  readonly #circlesAsPoints: boolean;
  readonly #linesAsCorridors: boolean;
  readonly #digits: number | null;
  readonly #box: GeometryBox | null;
  readonly #crs: Crs | null;

  constructor(options: FeatureCollectionOptions) {
    const { circles, lines, digits, bbox = false } = options;
    this.#options = options;
    this.#circlesAsPoints = readChoice(circles, 'circles', ['outline', 'point'], 'outline') === 'point';
    this.#linesAsCorridors = readChoice(lines, 'lines', ['corridor', 'line'], 'corridor') === 'corridor';
    this.#digits = digits === undefined ? null : wholeDigits(digits);
    this.#box = bbox ? new GeometryBox() : null;
    this.#crs = projected(options.crs);
    if (this.#crs !== null && (bbox || digits !== undefined)) {
      throw new WayzoneError(
        'option-value',
        bbox ? 'bbox' : 'digits',
        'expected none with the option crs: they are in degrees',
      );
    }
  }

  /** The members by which the collection says what it is; a name that GeoJSON has itself gets `~2`. */
  get members(): Readonly<Record<string, unknown>> {
    const { name, properties = {} } = readDocument(this.#options.document);
    const members = new Map<string, unknown>(name === undefined ? [] : [['name', name]]);
    for (const [key, value] of Object.entries(properties)) {
      let free = key;
      for (let n = 2; members.has(free) || GEOJSON_MEMBERS.has(free); n++) free = `${key}~${n}`;
      members.set(free, value);
    }
    return Object.fromEntries(members);
  }

  /** The old member `crs` of the collection; null for WGS84. */
  get crsMember(): NamedCrs | null {
    if (this.#crs === null) return null;
    const name = this.#crs.name.replace(/^EPSG:(?=\d+$)/, 'urn:ogc:def:crs:EPSG::');
    return { type: 'name', properties: { name } };
  }

  /** The box around all features so far; null without the option, or when there are none. */
  bbox(): Bbox | null {
    return this.#box?.toBbox() ?? null;
  }

  /** Null for a zone that is not asked for: not on the map, or deleted. */
  feature(zone: Geozone): ZoneFeature | null {
    const { all = false } = this.#options;
    if (!all && (zone.is_show_on_map !== true || isDeleted(zone))) return null;
    const exact = this.#geometry(zone);
    const geometry = this.#digits === null ? exact : roundGeometry(exact, this.#digits);
    const properties = all
      ? this.#allProperties(zone, geometry)
      : { address: this.#given(zone) ?? ownAddress(zone) ?? '', name: zone.name };
    if (this.#box === null) {
      const crs = this.#crs;
      const placed = crs === null ? geometry : inSystem(geometry, crs);
      return { type: 'Feature', id: zone.id, geometry: placed, properties };
    }
    this.#box.add(geometry);
    const bbox = new GeometryBox().add(geometry).toBbox()!;
    return { type: 'Feature', id: zone.id, bbox, geometry, properties };
  }

  #geometry(zone: Geozone): ZoneGeometry {
    if (this.#circlesAsPoints && zone.type.key === 'circle') {
      return zoneGeometry({ ...zone, type: { key: 'point' } }, this.#options);
    }
    const corridor = this.#linesAsCorridors ? lineCorridor(zone, this.#options) : null;
    return corridor ?? zoneGeometry(zone, this.#options);
  }

  #allProperties(zone: Geozone, geometry: ZoneGeometry): Record<string, unknown> {
    const address = this.#given(zone);
    const fields = wireTextsBeside(zone, geometry, this.#options).map(([field, json]): [string, unknown] => [
      field,
      JSON.parse(json),
    ]);
    return Object.fromEntries(address === null ? fields : [['address', address], ...fields]);
  }

  #given(zone: Geozone): string | null {
    const { address } = this.#options;
    let given: unknown = null;
    if (typeof address === 'function') given = address(zone);
    else if (address instanceof Map) given = address.get(zone.id);
    else if (address !== undefined && Object.hasOwn(address, zone.id)) {
      given = (address as Readonly<Record<string, string>>)[zone.id];
    }
    if (given === null || given === undefined) return null;
    if (typeof given === 'string') return given;
    throw new WayzoneError('option-value', 'address', `expected text or null, received ${describe(given)}`);
  }
}

/** Vertex by vertex: an edge that is straight in degrees is drawn straight in the system. */
function inSystem(geometry: ZoneGeometry, crs: Crs): ZoneGeometry {
  const place = (value: unknown): unknown => {
    const list = value as readonly unknown[];
    return typeof list[0] === 'number' ? pairIn(crs, list as unknown as Position) : list.map(place);
  };
  return { ...geometry, coordinates: place(geometry.coordinates) } as ZoneGeometry;
}

function wholeDigits(digits: number): number {
  readNumber(digits, 'digits', 'option-value', 0, 15);
  if (Number.isInteger(digits)) return digits;
  throw new WayzoneError('option-value', 'digits', `expected a whole number, received ${describe(digits)}`);
}

function ownAddress(zone: Geozone): string | null {
  const { address } = zone as { readonly address?: unknown };
  return typeof address === 'string' ? address : null;
}
