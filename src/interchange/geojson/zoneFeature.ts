/** Converts a zone to a GeoJSON feature (RFC 7946 §3.2). */

import { describe, isArray, WayzoneError } from '../../core/errors.js';
import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import type { Bbox, Position } from '../../core/geometry.js';
import { itemsOf } from '../../core/input.js';
import { type NumberRow, type OptionTable, OWN, readOption } from '../../core/options.js';
import {
  type DictionaryEntry,
  type Geozone,
  isDeleted,
  type Route,
  type ZoneOptions,
} from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { readTolerance } from '../../zones/corridor/readCorridor.js';
import { swapPairs } from '../common/foreignFields.js';
import { reported, type ZoneIssueOptions } from '../common/issueList.js';
import { readDocument } from '../common/readDocument.js';
import { jsonText, liftedMembers, wireTextsBeside } from '../common/reservedFields.js';
import { freeName } from '../common/textProperties.js';
import { axisOrderOf, lineCorridor, type ZoneGeometry, zoneGeometry } from '../common/zoneGeometry.js';
import { type Crs, pairIn, projected } from '../crs/crs.js';
import { GeometryBox, roundGeometry } from './roundGeometry.js';
import { type TrackFeature, trackFeature } from './trackFeature.js';

/** The default properties of a feature. */
export interface ZoneProperties {
  /** Address; an empty text if unknown. */
  readonly address: string;
  /** Name of the zone. */
  readonly name: string;
  /** Type of the zone, as in its row. */
  readonly type: DictionaryEntry<ZoneTypeKey>;
  /** Colour of the zone, if its row has one. */
  readonly color?: DictionaryEntry;
  /** Icon of the zone, if its row has one. */
  readonly icon?: DictionaryEntry;
}

const DEFAULT_PROPERTIES: readonly string[] = ['address', 'name', 'type', 'color', 'icon'];

/** A zone as a GeoJSON feature (RFC 7946 §3.2). */
export interface ZoneFeature<Properties = { readonly [key: string]: unknown }> {
  /** Always `Feature`. */
  readonly type: 'Feature';
  /** Id of the zone; with the option `all` a number if the id is a whole number in its shortest form. */
  readonly id: string | number;
  /** With the option `bbox`: box `[west, south, east, north]`. */
  readonly bbox?: Bbox;
  /** Geometry with closed rings, right-hand rule, cut at the antimeridian. */
  readonly geometry: ZoneGeometry;
  /** The fields named by the option `properties`; with the option `all` every wire field. */
  readonly properties: Properties;
}

/** A zone whose shape cannot be written, with the error. */
export interface LeftOutZone {
  /** The id of the zone. */
  readonly id: string;
  /** The code of the error. */
  readonly code: string;
  /** Message with the expected and the received value. */
  readonly message: string;
}

/** The member `crs` of GeoJSON 2008 (§3.1). */
export interface NamedCrs {
  /** Always `name`. */
  readonly type: 'name';
  /** The name of the system: `urn:ogc:def:crs:EPSG::32637`. */
  readonly properties: { readonly name: string };
}

export interface FeatureCollectionOptions extends ZoneOptions, ZoneIssueOptions {
  /** Routes, written after the zones: a feature for each point, with `route {id, name}` among its fields. */
  readonly routes?: Iterable<Route> | undefined;
  /** Tracks, written after the routes: a LineString each, with the times and fields of its fixes in `coordinateProperties`. */
  readonly tracks?: Iterable<RawTrack> | undefined;
  /** Name and properties of the file, written as members of the collection. `fromGeoJson` returns them as `value.document`. */
  readonly document?: ForeignDocument | undefined;
  /**
   * Whether to write every row, also deleted rows, with every field. `fromGeoJson` then reads back the same zones. Default false: only rows that
   * are not deleted.
   */
  readonly all?: boolean | undefined;
  /**
   * Whether to write only rows marked `is_show_on_map` that are not deleted. Default false. The platform's map endpoint returns a
   * collection with this option and `properties: ['address', 'name']`.
   */
  readonly onlyShownOnMap?: boolean | undefined;
  /**
   * The fields of a row that become properties. An unknown `address` is an empty text. Default: `address`, `name`, `type`, `color` and `icon`.
   * Not allowed: `id`, `geometry` and `parts`, and this option together with `all`.
   */
  readonly properties?: readonly string[] | undefined;
  /**
   * Greatest distance in metres, from 0.0001, between the outline of a circle, or the corridor of a line, and its true boundary. Polygons are exact.
   * Default: 0.1 % of the radius (0.1 mm at least) or of the half-width (1 cm at least). A larger value gives fewer vertices.
   */
  readonly toleranceMeters?: number | undefined;
  /** The addresses of zones: a function, or a map or record by id. For other zones: the field `address` of the zone, else an empty text. */
  readonly address?:
    | ((zone: Geozone) => string | null | undefined)
    | ReadonlyMap<string, string>
    | Readonly<Record<string, string>>
    | undefined;
  /** Geometry of a circle: its outline (default) or the Point of its centre. */
  readonly circles?: 'outline' | 'point' | undefined;
  /** Geometry of a line: its corridor (default; the line itself without a width) or the line itself. */
  readonly lines?: 'corridor' | 'line' | undefined;
  /** Whether the collection and each feature have a `bbox`. Default false. */
  readonly bbox?: boolean | undefined;
  /** Decimals of a degree, 0 to 15. Default: all. */
  readonly digits?: number | undefined;
  /**
   * The coordinate system, from `loadCrs`; `writeFeatureCollection` also accepts its name. Default WGS84, as RFC 7946 requires. Another
   * system is named in the member `crs` of GeoJSON 2008, which `readGeoJson` reads. Not allowed together with `bbox` or `digits`.
   */
  readonly crs?: string | Crs | undefined;
}

export const FEATURE_OPTIONS: OptionTable<
  FeatureCollectionOptions,
  'defaultWidthMeters' | 'digits' | 'toleranceMeters'
> = {
  ...ZONE_OPTIONS,
  routes: OWN,
  tracks: OWN,
  document: OWN,
  all: { default: false },
  onlyShownOnMap: { default: false },
  properties: OWN,
  toleranceMeters: OWN,
  address: OWN,
  circles: { words: ['outline', 'point'] },
  lines: { words: ['corridor', 'line'] },
  bbox: { default: false },
  digits: OWN,
  crs: OWN,
  onIssue: OWN,
};

const DIGITS: NumberRow = { default: 0, max: 15, isWhole: true };

/** Member names of RFC 7946 §7.1 and GeoJSON 2008. */
const GEOJSON_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'features',
  'bbox',
  'crs',
  'coordinates',
  'geometries',
  'geometry',
]);

/** Makes the features of zones. The options are checked once, in the constructor. */
export class FeatureMaker {
  /** The zones whose shape could not be written. */
  readonly leftOut: LeftOutZone[] = [];
  readonly #options: FeatureCollectionOptions;
  readonly #circlesAsPoints: boolean;
  readonly #linesAsCorridors: boolean;
  readonly #digits: number | null;
  readonly #box: GeometryBox | null;
  readonly #crs: Crs | null;
  /** Fields that become properties; null for all. */
  readonly #properties: readonly string[] | null;

  constructor(options: FeatureCollectionOptions) {
    const { circles, lines, digits, bbox = false, toleranceMeters } = options;
    this.#options = options;
    this.#properties = propertiesOf(options);
    readTolerance(toleranceMeters, 1);
    this.#circlesAsPoints = readOption(FEATURE_OPTIONS.circles, circles, 'circles') === 'point';
    this.#linesAsCorridors = readOption(FEATURE_OPTIONS.lines, lines, 'lines') === 'corridor';
    this.#digits = digits === undefined ? null : readOption(DIGITS, digits, 'digits');
    this.#box = bbox ? new GeometryBox() : null;
    this.#crs = projected(options.crs);
    if (this.#crs !== null && (bbox || digits !== undefined)) {
      throw new WayzoneError(
        'option-value',
        bbox ? 'bbox' : 'digits',
        `expected no option ${bbox ? 'bbox' : 'digits'} together with crs, because it is in degrees`,
      );
    }
  }

  /** The document's name and properties as members of the collection. A name that GeoJSON defines gets the suffix `~2`. */
  get members(): Readonly<Record<string, unknown>> {
    const { name, properties = {} } = readDocument(this.#options.document);
    const members = new Map<string, unknown>(name === undefined ? [] : [['name', name]]);
    const taken = { has: (key: string): boolean => members.has(key) || GEOJSON_MEMBERS.has(key) };
    for (const [key, value] of Object.entries(properties)) members.set(freeName(key, taken), value);
    return Object.fromEntries(members);
  }

  /** The member `crs` of the collection; null for WGS84. */
  get crsMember(): NamedCrs | null {
    if (this.#crs === null) return null;
    const name = this.#crs.name.replace(/^EPSG:(?=\d+$)/, 'urn:ogc:def:crs:EPSG::');
    return { type: 'name', properties: { name } };
  }

  /** The bounding box of all features so far. Null without the option `bbox` or without features. */
  bbox(): Bbox | null {
    return this.#box?.toBbox() ?? null;
  }

  /** Yields the features of the tracks. */
  *trackFeatures(): Generator<TrackFeature> {
    let index = 0;
    for (const track of itemsOf(this.#options.tracks ?? [], 'tracks')) {
      const feature = trackFeature(track, `tracks[${index++}]`, this.#crs);
      if (feature !== null) yield feature;
    }
  }

  /** The feature of a zone. Null for a zone excluded by the options, and with `onIssue` for one whose shape cannot be written. */
  feature(zone: Geozone): ZoneFeature | null {
    const { all = false, onlyShownOnMap = false, onIssue } = this.#options;
    if ((!all || onlyShownOnMap) && isDeleted(zone)) return null;
    if (onlyShownOnMap && zone.is_show_on_map !== true) return null;
    return reported<ZoneFeature | null>(
      zone,
      onIssue,
      () => this.#feature(zone),
      ({ code, message }) => {
        this.leftOut.push({ id: zone.id, code, message });
        return null;
      },
    );
  }

  #feature(zone: Geozone): ZoneFeature {
    const exact = this.#geometry(zone);
    const geometry = this.#digits === null ? exact : roundGeometry(exact, this.#digits);
    const properties =
      this.#properties === null
        ? this.#allProperties(zone, geometry)
        : this.#someProperties(zone, this.#properties);
    if (this.#box === null) {
      const crs = this.#crs;
      const placed = crs === null ? geometry : inSystem(geometry, crs);
      return { type: 'Feature', id: this.#idOf(zone), geometry: placed, properties };
    }
    this.#box.add(geometry);
    const bbox = new GeometryBox().add(geometry).toBbox();
    return {
      type: 'Feature',
      id: this.#idOf(zone),
      ...(bbox === null ? {} : { bbox }),
      geometry,
      properties,
    };
  }

  /** The id, as a number if a foreign file had a number, so that receivers can join by it. */
  #idOf({ id }: Geozone): string | number {
    if (this.#properties !== null || typeof id !== 'string') return id;
    const number = Number(id);
    return Number.isSafeInteger(number) && String(number) === id ? number : id;
  }

  #geometry(zone: Geozone): ZoneGeometry {
    if (this.#circlesAsPoints && zone.type.key === 'circle') {
      return zoneGeometry({ ...zone, type: { key: 'point' } }, this.#options);
    }
    const corridor = this.#linesAsCorridors ? lineCorridor(zone, this.#options) : null;
    return corridor ?? zoneGeometry(zone, this.#options);
  }

  #someProperties(zone: Geozone, fields: readonly string[]): Record<string, unknown> {
    const properties: [string, unknown][] = [];
    for (const field of fields) {
      const value =
        field === 'address'
          ? (this.#givenAddress(zone) ?? ownAddress(zone) ?? '')
          : plainField(zone, field, this.#options);
      if (value !== undefined) properties.push([field, value]);
    }
    return Object.fromEntries(properties);
  }

  #allProperties(zone: Geozone, geometry: ZoneGeometry): Record<string, unknown> {
    const address = this.#givenAddress(zone);
    const fields = wireTextsBeside(zone, geometry, this.#options).map(([field, json]): [string, unknown] => [
      field,
      JSON.parse(json),
    ]);
    if (address === null) return Object.fromEntries(liftedMembers(fields));
    const named = fields.filter(([field]) => field !== 'address');
    return Object.fromEntries([['address', address], ...liftedMembers([['address', address], ...named])]);
  }

  /** The address from the option `address`. */
  #givenAddress(zone: Geozone): string | null {
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

/** Converts each vertex to the system. Edges are then straight in the system, not in degrees. */
function inSystem(geometry: ZoneGeometry, crs: Crs): ZoneGeometry {
  const place = (value: unknown): unknown => {
    const list = value as readonly unknown[];
    return typeof list[0] === 'number' ? pairIn(crs, list as unknown as Position) : list.map(place);
  };
  return { ...geometry, coordinates: place(geometry.coordinates) } as ZoneGeometry;
}

function propertiesOf({ all, properties }: FeatureCollectionOptions): readonly string[] | null {
  if (properties === undefined) return all === true ? null : DEFAULT_PROPERTIES;
  const isList = isArray(properties) && properties.every((field) => typeof field === 'string');
  if (isList && all !== true && !properties.some((field) => SHAPE_FIELDS.has(field))) return [...properties];
  throw new WayzoneError(
    'option-value',
    'properties',
    `expected names of fields other than ${[...SHAPE_FIELDS].join(', ')}, without the option all, received ${describe(properties)}`,
  );
}

const SHAPE_FIELDS: ReadonlySet<string> = new Set(['id', 'geometry', 'parts']);

/** Value of a field as JSON represents it, with pairs in lon, lat. */
function plainField(zone: Geozone, field: string, options: ZoneOptions): unknown {
  if (!Object.hasOwn(zone, field)) return undefined;
  const value = (zone as unknown as Readonly<Record<string, unknown>>)[field];
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  const placed = field === 'polygon_geometry' ? swapPairs(value, axisOrderOf(options)) : value;
  const text = jsonText(placed, field);
  return text === undefined ? undefined : JSON.parse(text);
}

function ownAddress(zone: Geozone): string | null {
  const { address } = zone as { readonly address?: unknown };
  return typeof address === 'string' ? address : null;
}
