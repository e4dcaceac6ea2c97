/** The features of GeoJSON (RFC 7946 §3.2) as zones, one by one. */

import { describe, expected, isArray, WayzoneError } from '../../core/errors.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { LeftOut } from '../common/leftOut.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { isWgs84Name, plainCrsName } from '../crs/crs.js';
import {
  copyJsonValue,
  hasInexactNumber,
  keepNumberTexts,
  type NumberTree,
  numberTexts,
} from '../json/numberTexts.js';
import type { FeatureScanner } from './featureScanner.js';
import { FeatureZones } from './featureZones.js';
import type { GeoJsonOptions } from './geoJsonOptions.js';
import { type GeoJsonShapes, readGeometry } from './geoJsonShapes.js';
import type { PlainProperties } from './plainProperties.js';
import { scannedRing, scannedShape } from './scannedShape.js';

const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);

/** What a Feature has by RFC 7946, and by GeoJSON 2008. */
const FEATURE_MEMBERS: ReadonlySet<string> = new Set(['type', 'id', 'geometry', 'properties', 'bbox', 'crs']);

/** What a geometry has by RFC 7946, and by GeoJSON 2008. */
const GEOMETRY_MEMBERS: ReadonlySet<string> = new Set(['type', 'coordinates', 'geometries', 'bbox', 'crs']);

/** What a FeatureCollection has by RFC 7946, and by GeoJSON 2008. */
const COLLECTION_MEMBERS: ReadonlySet<string> = new Set(['type', 'features', 'bbox', 'crs']);

/** What the old member `crs` of a file names (GeoJSON 2008 §3): nothing, WGS84, another system, or no system at all. */
export type CrsMember =
  | { readonly kind: 'wgs84' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly value: unknown };

export function crsMember(root: unknown): CrsMember {
  const crs = isRecord(root) ? own(root, 'crs') : undefined;
  if (crs === undefined) return { kind: 'wgs84' };
  const properties = isRecord(crs) ? own(crs, 'properties') : undefined;
  const name = isRecord(properties) ? own(properties, 'name') : undefined;
  if (typeof name !== 'string') return { kind: 'unreadable', value: crs };
  return isWgs84Name(name) ? { kind: 'wgs84' } : { kind: 'named', name: plainCrsName(name) };
}

export class FeatureReader {
  readonly builder: ForeignBuilder;
  readonly #options: GeoJsonOptions;
  readonly #zones: FeatureZones;
  /** Null: positions are given as arrays. */
  readonly #flat: PlainProperties | null;
  #number = 0;
  #altitudes = 0;
  readonly #leftOut = new LeftOut();

  /** `flat`, for an index alone: scanned zones of one ring or line have `FlatPairs` as their geometry, and none has `properties`. */
  constructor(
    options: GeoJsonOptions,
    builder: ForeignBuilder = new ForeignBuilder(options),
    flat: PlainProperties | null = null,
  ) {
    this.builder = builder;
    this.#options = options;
    this.#zones = new FeatureZones(builder, options, flat === null);
    this.#flat = builder.axisOrder === 'lonlat' ? flat : null;
  }

  /** Whether the caller says what the coordinates are, whatever the file says. */
  get hasCrsOption(): boolean {
    return this.#options.crs !== undefined;
  }

  /** Whether the file's coordinates can be read as they are: an issue if not. The caller's own option goes before the file's word. */
  acceptsCrs(member: CrsMember): boolean {
    const { issues, crs } = this.builder;
    if (this.hasCrsOption) {
      if (member.kind === 'named' && member.name !== crs?.name) {
        issues.warning(
          'crs-overridden',
          'crs',
          `expected ${crs?.name ?? 'WGS84'} by the option, received ${describe(member.name)}`,
        );
      }
      return true;
    }
    if (member.kind === 'wgs84') return true;
    const received = member.kind === 'named' ? member.name : member.value;
    issues.error(
      'crs-unsupported',
      'crs',
      `${expected('CRS84, EPSG:4326 or the option crs', received)}; nothing is read`,
    );
    return false;
  }

  /** `text`: what the value was parsed from; null for a value that the caller parsed, which is never changed. */
  readRoot(root: unknown, text: string | null): void {
    const { issues } = this.builder;
    const numbers = text === null ? null : once(() => numberTexts(text));
    const type = isRecord(root) ? own(root, 'type') : undefined;
    if (!isRecord(root)) {
      issues.error('geojson-type', '', expected('a GeoJSON object', root));
    } else if (type === 'FeatureCollection') {
      const features = own(root, 'features');
      if (!isArray(features)) {
        issues.error('geojson-type', 'features', expected('an array', features));
        return;
      }
      this.readDocument(root, numbers);
      const list = numbers === null ? null : once(() => below(numbers(), 'features'));
      for (let i = 0; i < features.length; i++) {
        this.#readFeature(features[i], `features[${i}]`, list === null ? null : () => below(list(), i));
      }
    } else if (type === 'Feature') this.#readFeature(root, '', numbers);
    else if (GEOMETRY_TYPES.has(type)) this.#readFeature({ type: 'Feature', geometry: root }, '', numbers);
    else issues.error('geojson-type', 'type', expected('a GeoJSON type', type));
  }

  /** The next of a collection's features, parsed from this text. */
  readMember(feature: unknown, text: string): void {
    this.#readFeature(feature, `features[${this.#number}]`, () => numberTexts(text));
  }

  /** The next of a collection's features, which no text was parsed for. */
  readParsed(feature: unknown): void {
    this.#readFeature(feature, `features[${this.#number}]`, null);
  }

  /** What a FeatureCollection says of itself: its members that GeoJSON does not know. */
  readDocument(root: PlainRecord, numbers: NumbersOf | null): void {
    const properties: [string, unknown][] = [];
    let name: string | null = null;
    for (const key of Object.keys(root)) {
      if (COLLECTION_MEMBERS.has(key)) continue;
      const value = this.#exact(root[key], key, numbers === null ? null : () => below(numbers(), key));
      if (key === 'name' && typeof value === 'string') name = value;
      else if (value !== undefined) properties.push([key, value]);
    }
    if (name === null && properties.length === 0) return;
    this.builder.document = {
      ...(name === null ? {} : { name }),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    };
  }

  /** The value with the numbers that no double holds as texts; a copy of what the caller parsed. */
  #exact(value: unknown, field: string, numbers: NumbersOf | null): unknown {
    const { limits } = this.builder;
    const say = (at: string, text: string, isText: boolean): void => this.#sayNumber(at, text, isText);
    if (numbers === null) return copyJsonValue(value, field, limits.maxDepth, say);
    return keepNumberTexts(value, field, numbers, say);
  }

  #sayNumber(field: string, text: string, isText: boolean): void {
    const what = isText ? 'kept as text' : 'it may have been another before it was parsed';
    const message = `expected a number that a double holds, received ${text.slice(0, 60)}; ${what}`;
    this.builder.issues.warning('number-range', field, message);
  }

  finish(): void {
    if (this.#altitudes > 0) {
      const message = `${this.#altitudes} positions had a third number; zones have none`;
      this.builder.issues.warning('altitude-dropped', '', message);
    }
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      const message = `expected the members of a Feature and its geometry, received also ${leftOut}; left out`;
      this.builder.issues.warning('fields-left-out', '', message);
    }
  }

  #readFeature(feature: unknown, field: string, numbers: NumbersOf | null): void {
    const { issues } = this.builder;
    const number = ++this.#number;
    const at = (path: string): string => (field === '' ? path : `${field}.${path}`);
    if (!isRecord(feature) || own(feature, 'type') !== 'Feature') {
      const received = isRecord(feature) ? own(feature, 'type') : feature;
      issues.error('geojson-type', at('type'), expected('a Feature', received));
      return;
    }
    for (const member of Object.keys(feature)) {
      if (!FEATURE_MEMBERS.has(member)) this.#leftOut.add(member);
    }
    const numbersOf = (key: string): NumbersOf | null =>
      numbers === null ? null : () => below(numbers(), key);
    const given = this.#exact(own(feature, 'properties') ?? {}, at('properties'), numbersOf('properties'));
    if (!isRecord(given)) {
      const message = `${expected('an object or null', given)}; left out`;
      issues.warning('geojson-type', at('properties'), message);
    }
    const properties = this.#zones.mapped(isRecord(given) ? given : {});
    const found: GeoJsonShapes = { shapes: [], altitudes: 0, crs: this.builder.crs };
    try {
      const geometry = own(feature, 'geometry');
      if (geometry !== null && geometry !== undefined) {
        readGeometry(geometry, at('geometry'), found);
        for (const member of Object.keys(geometry)) {
          if (!GEOMETRY_MEMBERS.has(member)) this.#leftOut.add(`geometry.${member}`);
        }
      }
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      issues.error(error.code, error.field, error.message);
      return;
    }
    this.#altitudes += found.altitudes;
    const givenId = this.#exact(own(feature, 'id'), at('id'), numbersOf('id'));
    this.#zones.add(number, givenId, properties, found.shapes, at, at('id'));
  }

  /**
   * The next of a collection's features, as its bytes were scanned: the same zone and issues as `readMember`. `textOf` gives the text of a value
   * in them. False, and nothing is done, where the properties are no JSON.
   */
  readScanned(
    scan: FeatureScanner,
    bytes: Uint8Array,
    textOf: (from: number, to: number) => string,
  ): boolean {
    if (this.#flat !== null && this.#readPlain(this.#flat, scan, bytes, textOf)) return true;
    const propertiesText = scan.propertiesTo === 0 ? '{}' : textOf(scan.propertiesFrom, scan.propertiesTo);
    let parsed: unknown;
    try {
      parsed = JSON.parse(propertiesText);
    } catch {
      return false;
    }
    const index = this.#number++;
    const at = (path: string): string => `features[${index}].${path}`;
    const given = hasInexactNumber(parsed)
      ? keepNumberTexts(
          parsed,
          'properties',
          () => numberTexts(propertiesText),
          (field, text, isText) => this.#sayNumber(at(field), text, isText),
        )
      : parsed;
    const properties = this.#zones.mapped(given as PlainRecord);
    let shape: LonLatShape;
    try {
      shape = scannedShape(scan, this.#flat !== null, at);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      this.builder.issues.error(error.code, error.field, error.message);
      return true;
    }
    this.#altitudes += scan.coordinates.altitudes;
    const id = scan.idTo === 0 ? undefined : idValue(textOf(scan.idFrom, scan.idTo));
    this.#zones.add(index + 1, id, properties, [shape], at, index);
    return true;
  }

  /** `readScanned` for an index: a ring with an id of its own, whose properties are few and plain. False, and nothing is done, for any other. */
  #readPlain(
    properties: PlainProperties,
    scan: FeatureScanner,
    bytes: Uint8Array,
    textOf: (from: number, to: number) => string,
  ): boolean {
    if (!this.#zones.isPlain || scan.idTo === 0) return false;
    const flat = scannedRing(scan);
    if (flat === null) return false;
    const { propertiesFrom, propertiesTo } = scan;
    const hasName = propertiesTo > 0;
    if (hasName && !properties.read(bytes, propertiesFrom, propertiesTo)) return false;
    const { nameFrom, nameTo } = properties;
    const name = hasName && nameFrom > 0 ? plainText(textOf(nameFrom - 1, nameTo + 1)) : '';
    this.#altitudes += scan.coordinates.altitudes;
    this.#zones.addRing(plainId(textOf(scan.idFrom, scan.idTo)), name, flat, this.#number++);
    return true;
  }
}

/** A slice of fewer characters does not keep the text that it was cut from. */
const COPIED_SLICE = 13;

/** The text of an id: in quotes without escapes, or a whole number. */
function plainId(text: string): string {
  return text.startsWith('"') ? plainText(text) : text;
}

/** The value of an id: a text, or a whole number. */
function idValue(text: string): unknown {
  return text.startsWith('"') ? plainText(text) : Number(text);
}

/** What stands in quotes without escapes. */
function plainText(text: string): string {
  return text.length < COPIED_SLICE + 2 ? text.slice(1, -1) : (JSON.parse(text) as string);
}

/** Gives the texts of the numbers in a value. */
type NumbersOf = () => NumberTree | string | undefined;

function below(tree: NumberTree | string | undefined, key: string | number): NumberTree | string | undefined {
  return tree instanceof Map ? tree.get(key) : undefined;
}

/** `make`, called when it is first asked. */
function once(make: NumbersOf): NumbersOf {
  let made: { readonly tree: ReturnType<NumbersOf> } | null = null;
  return () => {
    made ??= { tree: make() };
    return made.tree;
  };
}
