/** Reads rows of the platform's own form: a list, or an answer `{max, list}`, of geozones, groups, routes or GeoJSON features. */

import { expected, isArray } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { positionProblem } from '../../core/input.js';
import type { GeozoneGroup, Pair, Route } from '../../core/wire.js';
import { isZoneTypeKey } from '../../core/zoneTypes.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, own, type PlainRecord } from '../common/foreignFields.js';
import type { ForeignRoute, ForeignZone } from '../common/readOptions.js';
import { FeatureReader } from '../geojson/featureReader.js';
import type { GeoJsonOptions } from '../geojson/geoJsonOptions.js';

/** The rows of a list or of an answer `{max, list}`, or the features of another member; null for any other value. */
export function wireRowsOf(root: unknown): readonly unknown[] | null {
  if (isArray(root)) return root;
  if (!isRecord(root)) return null;
  const list = own(root, 'list');
  if (isArray(list)) return list;
  const lists = Object.keys(root).map((key) => own(root, key));
  return lists.find((value): value is readonly unknown[] => isArray(value) && value.some(isFeature)) ?? null;
}

function isFeature(value: unknown): boolean {
  return isRecord(value) && own(value, 'type') === 'Feature';
}

/**
 * Reads rows. Pairs are in the order of the option `axisOrder`, and fields stay as they are. Issues: `zone-type` for a row of another kind, the
 * problem of the first invalid pair, and those of `fromGeoJson` for features.
 */
export function fromWireRows(rows: readonly unknown[], options: GeoJsonOptions): ForeignData {
  const builder = new ForeignBuilder(options);
  const features = new FeatureReader(options, builder);
  const { issues } = builder;
  for (const [i, row] of rows.entries()) {
    const field = `[${i}]`;
    if (!isRecord(row)) issues.error('zone-type', field, expected('a row of the platform', row));
    else if (isFeature(row)) features.readParsed(row);
    else if (hasStops(row)) builder.addRoute(...(routeOf(row, i) as [string, ForeignRoute]), field);
    else if (isArray(own(row, 'geozones'))) builder.addGroup(...groupOf(row, i), field);
    else addZone(row, i, builder, options);
  }
  features.finish();
  return builder.toForeignData();
}

/** Whether the row is a route or trip: each of its points is a zone, or names one. Points of other programs are positions. */
function hasStops(row: PlainRecord): boolean {
  const points = own(row, 'points');
  const fields = ['type', 'geometry', 'zone', 'arrival', 'name'];
  return (
    isArray(points) &&
    points.every((point) => isRecord(point) && fields.some((field) => own(point, field) !== undefined))
  );
}

function addZone(row: PlainRecord, i: number, builder: ForeignBuilder, options: GeoJsonOptions): void {
  const { issues, axisOrder } = builder;
  const type = own(row, 'type');
  const key = isRecord(type) ? own(type, 'key') : undefined;
  const geometry = own(row, 'geometry');
  if (!isZoneTypeKey(key) || !isArray(geometry)) {
    const wanted = 'a geozone with type.key and geometry, a route with points, or a group with geozones';
    issues.error('zone-type', `[${i}]`, expected(wanted, key ?? 'another row'));
    return;
  }
  if (geometry.length === 0) {
    issues.warning(
      'geometry-missing',
      `[${i}].geometry`,
      'expected a geometry with pairs, received none; not read',
    );
    return;
  }
  for (const [k, pair] of geometry.entries()) {
    const [a, b] = isArray(pair) ? pair : [];
    const [lon, lat] = axisOrder === 'latlon' ? [b, a] : [a, b];
    const problem = positionProblem(lon as number, lat as number);
    if (problem === null) continue;
    issues.error(problem.code, `[${i}].geometry[${k}]`, problem.message);
    return;
  }
  const { idProperty, nameProperty } = options;
  const name = own(row, nameProperty ?? 'name');
  const id = idOf(row, idProperty ?? 'id', `${options.idPrefix ?? 'zone-'}${i + 1}`);
  const zone = { ...row, name: typeof name === 'string' ? name : '', geometry: geometry as readonly Pair[] };
  builder.addZone(id, zone as unknown as Omit<ForeignZone, 'id'>, `[${i}].id`);
}

function routeOf(row: PlainRecord, i: number): [string, Omit<Route, 'id'>] {
  const name = own(row, 'name');
  return [
    idOf(row, 'id', `route-${i + 1}`),
    { ...row, name: typeof name === 'string' ? name : '' } as unknown as Omit<Route, 'id'>,
  ];
}

function groupOf(row: PlainRecord, i: number): [string, Omit<GeozoneGroup, 'id'>] {
  return [idOf(row, 'id', `group-${i + 1}`), row as unknown as Omit<GeozoneGroup, 'id'>];
}

function idOf(row: PlainRecord, field: string, other: string): string {
  const id = own(row, field);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : other;
}
