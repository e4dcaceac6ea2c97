/** Reads GeoJSON features (RFC 7946 §3.2) as zones, one by one. */

import { describe, expected, isArray, type WayzoneError } from '../../core/errors.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import { LeftOut } from '../common/issueList.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import {
  copyJsonValue,
  hasInexactNumber,
  keepNumberTexts,
  lazyNumberTexts,
  type ReadTexts,
  textsOf,
} from '../json/numberTexts.js';
import { FeatureFixes } from './featureFixes.js';
import { type FeatureScanner, scannedRing, scannedShape } from './featureScanner.js';
import { FeatureZones } from './featureZones.js';
import type { CrsMember, GeoJsonOptions } from './geoJsonOptions.js';
import { type GeoJsonShapes, readGeometry, warnOfEmpty } from './geoJsonShapes.js';
import { PlainProperties } from './plainProperties.js';
import { isMoving } from './timedLists.js';

const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);

/** Members of a Feature in RFC 7946 and GeoJSON 2008. */
const KNOWN_FEATURE_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'id',
  'geometry',
  'properties',
  'bbox',
  'crs',
]);

/** Members of a geometry in RFC 7946 and GeoJSON 2008. */
const KNOWN_GEOMETRY_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'coordinates',
  'geometries',
  'bbox',
  'crs',
]);

/** Members of a FeatureCollection in RFC 7946 and GeoJSON 2008. */
const COLLECTION_MEMBERS: ReadonlySet<string> = new Set(['type', 'features', 'bbox', 'crs']);

/**
 * Form of scanned zones of one ring or line with `FlatPairs` as geometry: for a writer, which takes all fields, or for an index, whose
 * zones have no `properties`. Null: no `FlatPairs`.
 */
export type FlatZones = 'fields' | 'index' | null;

export class FeatureReader {
  readonly builder: ForeignBuilder;
  readonly #options: GeoJsonOptions;
  readonly #zones: FeatureZones;
  /** Whether the positions of a scanned ring or line are given as `FlatPairs`. */
  readonly isFlat: boolean;
  /** Null unless the zones are for an index only. */
  readonly #plain: PlainProperties | null;
  /** Null if features with times are read as zones. */
  readonly #fixes: FeatureFixes | null;
  #number = 0;
  #altitudes = 0;
  #leftOut = new LeftOut();

  constructor(
    options: GeoJsonOptions,
    builder: ForeignBuilder = new ForeignBuilder(options),
    flat: FlatZones = null,
  ) {
    this.builder = builder;
    this.#options = options;
    this.#zones = new FeatureZones(builder, options, flat !== 'index');
    this.isFlat = flat !== null && builder.axisOrder === 'lonlat';
    this.#plain = this.isFlat && flat === 'index' ? new PlainProperties() : null;
    this.#fixes = options.as === 'zones' ? null : new FeatureFixes(builder, options);
  }

  /** Whether the caller gave the option `crs`, which overrides the member in the file. */
  get hasCrsOption(): boolean {
    return this.#options.crs !== undefined;
  }

  /** Whether the file's coordinates can be read. Returns false, with an issue, for a system other than WGS84 without the option `crs`. */
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
    if (member.kind === 'null') {
      const message = 'expected the name of a system, or no member crs, received null; read as WGS84';
      issues.warning('crs-unsupported', 'crs', message);
      return true;
    }
    const received = member.kind === 'named' ? member.name : member.value;
    issues.error(
      'crs-unsupported',
      'crs',
      `${expected('CRS84, EPSG:4326 or the option crs', received)}; nothing is read`,
    );
    return false;
  }

  /** Reads a parsed file. `text`: its text, or null if the caller parsed it. The caller's value is not changed. */
  readRoot(root: unknown, text: string | null): void {
    const { issues } = this.builder;
    const numbers = text === null ? null : lazyNumberTexts(text);
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
      const list = textsOf(numbers, 'features');
      for (let i = 0; i < features.length; i++) {
        this.#readFeature(features[i], `features[${i}]`, textsOf(list, i));
      }
    } else if (type === 'Feature') this.#readFeature(root, '', numbers);
    else if (isMoving(root)) this.#readFeature({ type: 'Feature', temporalGeometry: root }, '', numbers);
    else if (GEOMETRY_TYPES.has(type)) this.#readFeature({ type: 'Feature', geometry: root }, '', numbers);
    else issues.error('geojson-type', 'type', expected('a GeoJSON type', type));
  }

  /** Reads the next feature of a collection, parsed from `text`. */
  readMember(feature: unknown, text: string): void {
    this.#readFeature(feature, `features[${this.#number}]`, lazyNumberTexts(text));
  }

  /** Reads the next feature of a collection, from a value that was not parsed from text. */
  readParsed(feature: unknown): void {
    this.#readFeature(feature, `features[${this.#number}]`, null);
  }

  /** Skips the next feature of a collection, whose issue the caller has reported. */
  skipMember(): void {
    this.#number++;
  }

  /** Path of the next feature of a collection. */
  get nextFeature(): string {
    return `features[${this.#number}]`;
  }

  /** Path of the geometry of the next feature of a collection. */
  get nextGeometry(): string {
    return `features[${this.#number}].geometry`;
  }

  /** Reads the members of a FeatureCollection that GeoJSON does not define, as properties of the document. */
  readDocument(root: PlainRecord, numbers: ReadTexts | null): void {
    const properties: [string, unknown][] = [];
    let name: string | null = null;
    for (const key of Object.keys(root)) {
      if (COLLECTION_MEMBERS.has(key)) continue;
      const value = this.#keepTexts(root[key], key, textsOf(numbers, key));
      if (key === 'name' && typeof value === 'string') name = value;
      else if (value !== undefined) properties.push([key, value]);
    }
    if (name === null && properties.length === 0) return;
    this.builder.document = {
      ...(name === null ? {} : { name }),
      ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    };
  }

  /** The value with numbers that a double does not represent exactly as texts. Without `numbers`: a copy of the caller's value. */
  #keepTexts(value: unknown, field: string, numbers: ReadTexts | null): unknown {
    const { issues, limits } = this.builder;
    const report = (at: string, text: string, isText: boolean): void => {
      const what = isText ? 'kept as text' : 'its digits may have changed when it was parsed';
      const message = `expected a number that a double represents exactly, received ${text.slice(0, 60)}; ${what}`;
      issues.warning('number-range', at, message);
    };
    if (numbers === null) return copyJsonValue(value, field, limits.maxDepth, report);
    return keepNumberTexts(value, field, numbers, report);
  }

  /** Removes all content read so far. The issues stay. */
  clear(): void {
    this.builder.clear();
    this.#number = 0;
    this.#altitudes = 0;
    this.#leftOut = new LeftOut();
    this.#zones.otherNames.clear();
    this.#fixes?.clear();
  }

  finish(): void {
    this.#fixes?.finish();
    if (this.#altitudes > 0) {
      const message = `${this.#altitudes} positions had a third number; zones have none`;
      this.builder.issues.warning('altitude-dropped', '', message);
    }
    if (this.#zones.otherNames.size > 0) {
      const names = [...this.#zones.otherNames].slice(0, 10).join(', ');
      this.builder.issues.warning('table-assumed', 'name', `assumed: names are of ${names}`);
    }
    const leftOut = this.#leftOut.toText();
    if (leftOut !== null) {
      const message = `expected the members of a Feature and its geometry, received also ${leftOut}; left out`;
      this.builder.issues.warning('fields-left-out', '', message);
    }
  }

  #readFeature(feature: unknown, field: string, numbers: ReadTexts | null): void {
    const { issues } = this.builder;
    const number = ++this.#number;
    const at = (path: string): string => (field === '' ? path : `${field}.${path}`);
    if (!isRecord(feature) || own(feature, 'type') !== 'Feature') {
      const received = isRecord(feature) ? own(feature, 'type') : feature;
      issues.error('geojson-type', at('type'), expected('a Feature', received));
      return;
    }
    const givenProperties = own(feature, 'properties') ?? {};
    const given = this.#keepTexts(givenProperties, at('properties'), textsOf(numbers, 'properties'));
    if (!isRecord(given)) {
      const message = `${expected('an object or null', given)}; left out`;
      issues.warning('geojson-type', at('properties'), message);
    }
    if (this.#fixes?.takes(feature, isRecord(given) ? given : {}, field) === true) return;
    for (const member of Object.keys(feature)) {
      if (!KNOWN_FEATURE_MEMBERS.has(member)) this.#leftOut.add(member);
    }
    const properties = this.#zones.mapped(isRecord(given) ? given : {});
    const problems: WayzoneError[] = [];
    const found: GeoJsonShapes = { shapes: [], altitudes: 0, crs: this.builder.crs, problems };
    try {
      const geometry = own(feature, 'geometry');
      if (geometry !== null && geometry !== undefined) {
        readGeometry(geometry, at('geometry'), found);
        for (const member of Object.keys(geometry)) {
          if (!KNOWN_GEOMETRY_MEMBERS.has(member)) this.#leftOut.add(`geometry.${member}`);
        }
      }
    } catch (error) {
      issues.caught(error);
      return;
    }
    for (const problem of problems) issues.caught(problem);
    warnOfEmpty(found, issues);
    if (problems.length > 0 && found.shapes.length === 0) return;
    this.#altitudes += found.altitudes;
    const givenId = this.#keepTexts(own(feature, 'id'), at('id'), textsOf(numbers, 'id'));
    this.#zones.add(number, givenId, properties, found.shapes, at, at('id'));
  }

  /**
   * Reads the next feature of a collection, already scanned by `scan` from `bytes`, with the same zone and issues as `readMember`. `textOf`
   * returns the text of bytes [from, to). Returns false, without reading, if the properties are not JSON.
   */
  readScanned(
    scan: FeatureScanner,
    bytes: Uint8Array,
    textOf: (from: number, to: number) => string,
  ): boolean {
    if (this.#plain !== null && this.#readPlain(this.#plain, scan, bytes, textOf)) return true;
    const propertiesText = scan.propertiesTo === 0 ? '{}' : textOf(scan.propertiesFrom, scan.propertiesTo);
    let parsed: unknown;
    try {
      parsed = JSON.parse(propertiesText);
    } catch {
      return false;
    }
    if (scan.key !== 'polygon' && this.#fixes?.mayTake(parsed as PlainRecord) === true) return false;
    const index = this.#number++;
    const at = (path: string): string => `features[${index}].${path}`;
    const given = hasInexactNumber(parsed)
      ? this.#keepTexts(parsed, at('properties'), lazyNumberTexts(propertiesText))
      : parsed;
    const properties = this.#zones.mapped(given as PlainRecord);
    let shape: LonLatShape;
    try {
      shape = scannedShape(scan, this.isFlat, at);
    } catch (error) {
      this.builder.issues.caught(error);
      return true;
    }
    this.#altitudes += scan.coordinates.altitudes;
    const id = scan.idTo === 0 ? undefined : plainId(textOf(scan.idFrom, scan.idTo));
    this.#zones.add(index + 1, id, properties, [shape], at, index);
    return true;
  }

  /**
   * `readScanned` for an index: a polygon of one ring with an id and plain properties. Returns false, without reading, for any other
   * feature.
   */
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

/** Length below which V8 copies slices, characters. A longer slice would keep the whole text of the file in memory. */
const COPIED_SLICE = 13;

/** The id in its JSON text: a string without escapes or a whole number, as text. */
function plainId(text: string): string {
  return text.startsWith('"') ? plainText(text) : text;
}

/** The value of a JSON string without escapes. */
function plainText(text: string): string {
  return text.length < COPIED_SLICE + 2 ? text.slice(1, -1) : (JSON.parse(text) as string);
}
