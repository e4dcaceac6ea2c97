/** GeoJSON (RFC 7946) as zones. */

import { describe, expected, isArray, WayzoneError } from '../core/errors.js';
import type { ForeignData } from '../core/fix.js';
import { readChoice } from '../core/gate.js';
import { decodeText } from './decodeText.js';
import { ForeignBuilder, type ReadOptions } from './foreignBuilder.js';
import { type GeoJsonShapes, readGeometry } from './geoJsonShapes.js';
import { IssueList } from './issueList.js';
import { parseJson } from './parseJson.js';
import { foreignFields, isRecord, isWireZone, own, type PlainRecord, wireZone } from './wireFields.js';

export interface GeoJsonOptions extends ReadOptions {
  /** The property that holds a zone's id. Default: the feature's `id`, else its property `id`. */
  readonly idProperty?: string;
  /** The property that holds a zone's name. Default: the first of `name`, `zone`, `title` that is text. */
  readonly nameProperty?: string;
}

const SUPPORTED_CRS: ReadonlySet<unknown> = new Set([
  'urn:ogc:def:crs:OGC:1.3:CRS84',
  'urn:ogc:def:crs:OGC::CRS84',
  'OGC:CRS84',
  'CRS84',
  'urn:ogc:def:crs:EPSG::4326',
  'EPSG:4326',
]);
const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);

/**
 * The zones of a FeatureCollection, a Feature or a bare geometry.
 *
 * - Polygon and MultiPolygon give one polygon zone (`parts` where there are holes or several parts; `geometry` is then the
 *   largest outer ring), LineString a line, Point a point, or a circle when its properties say so (`type` circle, or
 *   `radius` in metres). MultiPoint, MultiLineString and GeometryCollection give several zones and a group of their name.
 * - The id is `idProperty`, the feature's `id`, its property `id`, or `zone-` and the feature's running number from 1. A repeated id gets
 *   `~2`, `~3`… and a `duplicate-id` warning. Properties that are fields of the wire (`width`, `color`, `icon`, `is_show_on_map`)
 *   become those fields; all others stay under the zone's `properties`. What `toFeatureCollection(zones, {all: true})`
 *   wrote comes back as it was.
 * - Positions are kept as the file has them (not wrapped, not rounded); a third number is left out with one
 *   `altitude-dropped` warning for the file.
 *
 * Issues: `json-syntax` (with the offset), `limit-depth`, `encoding`, `geojson-type`, `crs-unsupported` (nothing is read), `geojson-nesting`,
 * `coord-type`, `coord-not-finite`, `lat-range`, `lon-range`, `ring-too-short`, `line-too-short`, `limit-vertices`,
 * `limit-rings` (that feature is left out), and as warnings `geometry-missing`, `duplicate-id`, `id-type`,
 * `type-mismatch`, `altitude-dropped`. Throws `input-type` when the input is neither text nor bytes.
 *
 * @example
 * ```ts
 * import { fromGeoJson } from 'wayzone/interchange';
 * const file = '{"type":"Feature","id":"a","properties":{"name":"Depot"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}';
 * fromGeoJson(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGeoJson(input: string | Uint8Array, options: GeoJsonOptions = {}): ForeignData {
  const issues = new IssueList();
  const axisOrder = readChoice(options.axisOrder, 'axisOrder', ['lonlat', 'latlon'], 'lonlat');
  const builder = new ForeignBuilder(issues, axisOrder);
  let root: unknown;
  try {
    root = parseJson(decodeText(input, issues));
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.code === 'input-type') throw error;
    issues.error(error.code, error.field, error.message);
    return builder.toForeignData();
  }
  const reader = new FeatureReader(builder, options);
  if (reader.acceptsCrs(root)) reader.readRoot(root);
  reader.finish();
  return builder.toForeignData();
}

class FeatureReader {
  readonly #builder: ForeignBuilder;
  readonly #options: GeoJsonOptions;
  #number = 0;
  #altitudes = 0;

  constructor(builder: ForeignBuilder, options: GeoJsonOptions) {
    this.#builder = builder;
    this.#options = options;
  }

  acceptsCrs(root: unknown): boolean {
    if (!isRecord(root)) return true;
    const crs = own(root, 'crs');
    if (crs === undefined) return true;
    const properties = isRecord(crs) ? own(crs, 'properties') : undefined;
    const name = isRecord(properties) ? own(properties, 'name') : undefined;
    if (SUPPORTED_CRS.has(name)) return true;
    this.#builder.issues.error('crs-unsupported', 'crs', expected('CRS84 or EPSG:4326', name ?? crs));
    return false;
  }

  readRoot(root: unknown): void {
    const type = isRecord(root) ? own(root, 'type') : undefined;
    if (!isRecord(root)) {
      this.#builder.issues.error('geojson-type', '', expected('a GeoJSON object', root));
    } else if (type === 'FeatureCollection') {
      const features = own(root, 'features');
      if (!isArray(features)) {
        this.#builder.issues.error('geojson-type', 'features', expected('an array', features));
        return;
      }
      features.forEach((feature, i) => {
        this.#readFeature(feature, `features[${i}]`);
      });
    } else if (type === 'Feature') this.#readFeature(root, '');
    else if (GEOMETRY_TYPES.has(type)) this.#readFeature({ type: 'Feature', geometry: root }, '');
    else this.#builder.issues.error('geojson-type', 'type', expected('a GeoJSON type', type));
  }

  finish(): void {
    if (this.#altitudes > 0) {
      const message = `${this.#altitudes} positions had a third number; zones have none`;
      this.#builder.issues.warning('altitude-dropped', '', message);
    }
  }

  #readFeature(feature: unknown, field: string): void {
    const { issues } = this.#builder;
    const number = ++this.#number;
    const at = (path: string): string => (field === '' ? path : `${field}.${path}`);
    if (!isRecord(feature) || own(feature, 'type') !== 'Feature') {
      const received = isRecord(feature) ? own(feature, 'type') : feature;
      issues.error('geojson-type', at('type'), expected('a Feature', received));
      return;
    }
    const given = own(feature, 'properties');
    const properties: PlainRecord = isRecord(given) ? given : {};
    const found: GeoJsonShapes = { shapes: [], altitudes: 0 };
    try {
      const geometry = own(feature, 'geometry');
      if (geometry !== null && geometry !== undefined) readGeometry(geometry, at('geometry'), found);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      issues.error(error.code, error.field, error.message);
      return;
    }
    this.#altitudes += found.altitudes;
    const used = new Set<string>();
    const id = this.#idOf(feature, properties, number, used, at);
    if (isWireZone(properties)) {
      const [only] = found.shapes;
      const shape = found.shapes.length === 1 && only !== undefined ? only : null;
      const zone = wireZone(properties, shape, this.#builder.axisOrder);
      if (zone !== null) {
        this.#builder.addZone(id, zone, at('id'));
        return;
      }
      const message = `expected a geometry that fits the type, received ${describe(only?.key ?? null)}; read by its geometry`;
      issues.warning('type-mismatch', at('properties.type'), message);
    }
    if (found.shapes.length === 0) {
      issues.warning(
        'geometry-missing',
        at('geometry'),
        'expected a geometry with coordinates, received none; not read',
      );
      return;
    }
    const name = this.#nameOf(properties, used);
    this.#builder.addShapes(
      id,
      name,
      found.shapes,
      (shape) => foreignFields(properties, shape, used),
      at('id'),
    );
  }

  #idOf(
    feature: PlainRecord,
    properties: PlainRecord,
    number: number,
    used: Set<string>,
    at: (path: string) => string,
  ): string {
    const { idProperty, idPrefix = 'zone-' } = this.#options;
    const candidates: [string, unknown][] = [['id', own(feature, 'id')]];
    if (idProperty !== undefined)
      candidates.unshift([`properties.${idProperty}`, own(properties, idProperty)]);
    candidates.push(['properties.id', own(properties, 'id')]);
    for (const [path, id] of candidates) {
      if (id === undefined || id === null) continue;
      if (typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))) {
        if (path === 'properties.id') used.add('id');
        return String(id);
      }
      this.#builder.issues.warning('id-type', at(path), expected('text or a number', id));
    }
    return `${idPrefix}${number}`;
  }

  #nameOf(properties: PlainRecord, used: Set<string>): string {
    const { nameProperty } = this.#options;
    for (const key of nameProperty === undefined ? ['name', 'zone', 'title'] : [nameProperty]) {
      const name = own(properties, key);
      if (typeof name === 'string') {
        used.add(key);
        return name;
      }
      if (typeof name === 'number' && nameProperty !== undefined) return String(name);
    }
    return '';
  }
}
