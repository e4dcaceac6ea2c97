/** Converts a zone to the cells of a row: fields that people may edit, the well-known text, and all fields as JSON. */

import type { Position } from '../../core/geometry.js';
import { readPositions } from '../../core/input.js';
import { type Geozone, isDeleted, type ZoneOptions } from '../../core/wire.js';
import { type ColumnForm, ZONE_FIELD_COLUMNS, ZONE_FIELDS } from '../../core/zoneFields.js';
import { isZoneTypeKey, ZONE_TYPES } from '../../core/zoneTypes.js';
import { closedRing, lineShape, polygonShape } from '../common/lonLatShape.js';
import { wireTextsBeside } from '../common/reservedFields.js';
import {
  areValid,
  axisOrderOf,
  isOnePosition,
  onlyPosition,
  type ZoneGeometry,
  zoneGeometry,
} from '../common/zoneGeometry.js';
import { type Crs, pairIn } from '../crs/crs.js';
import type { CsvCell } from './toCsv.js';

/** Name of the column with all fields of a zone as JSON text. */
export const WIRE_COLUMN = 'wayzone';

/** Headers of columns with well-known text, in lower case. */
export const WKT_NAMES: ReadonlySet<string> = new Set([
  'wkt',
  'geom',
  'the_geom',
  'geometry',
  'geometry_wkt',
  'wkt_geom',
  'wkb_geometry',
  'geog',
  'way',
]);

export type ZoneColumn = keyof Geozone | 'wkt' | typeof WIRE_COLUMN;

export const ZONE_COLUMNS: readonly ZoneColumn[] = [...ZONE_FIELD_COLUMNS, 'wkt', WIRE_COLUMN];

/**
 * The cells by column. A circle is its centre with type and width. A line or polygon is written as stored, with closed rings. If it crosses
 * the antimeridian, it is cut there as in GeoJSON, because programs that read well-known text do not wrap longitudes. A polygon whose rings
 * cross is written as its outline, as in GeoJSON.
 *
 * Throws the error of the shape, `crs-range`, `cycle`, `json-value`, `limit-depth`.
 */
export function zoneCells(
  zone: Geozone,
  options: ZoneOptions,
  crs: Crs | null,
): Readonly<Record<ZoneColumn, CsvCell>> {
  const stored = storedGeometry(zone, options);
  const isWritten = stored !== null && !leavesMap(stored) && isSound(stored);
  const outline = isWritten ? stored : zoneGeometry(zone, options);
  // Not the empty outline: readers reject an empty text.
  const geometry = stored !== null && outline.coordinates.length === 0 ? stored : outline;
  const texts = [['id', JSON.stringify(zone.id)], ...wireTextsBeside(zone, geometry, options)];
  const cells: Partial<Record<ZoneColumn, CsvCell>> = {};
  for (const field of ZONE_FIELD_COLUMNS) cells[field] = fieldCell(zone, field);
  cells.wkt = wellKnownText(geometry, crs);
  cells[WIRE_COLUMN] = `{${texts.map(([field, text]) => `${JSON.stringify(field)}:${text}`).join(',')}}`;
  return cells as Record<ZoneColumn, CsvCell>;
}

/** Form of the values in a column; null for a column of several fields. */
export function formOf(column: ZoneColumn): ColumnForm | null {
  return column === 'wkt' || column === WIRE_COLUMN ? null : (ZONE_FIELDS[column]?.column ?? null);
}

/** The cell of a field; null for a value of another form. */
function fieldCell(zone: Geozone, field: keyof Geozone): CsvCell {
  const value: unknown = zone[field];
  switch (ZONE_FIELDS[field]?.column) {
    case 'entry':
      return keyOf(value);
    case 'mark':
      return isDeleted(zone) ? true : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'flag':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'object' ? null : ((value ?? null) as CsvCell);
  }
}

export function keyOf(entry: unknown): string | null {
  const { key } = Object(entry) as { readonly key?: unknown };
  return typeof key === 'string' ? key : null;
}

/**
 * The geometry as stored, with closed rings: neither cut at the antimeridian nor an outline. Null for a band round the Earth whose vertices
 * all lie on one meridian, which no reader knows from a line.
 */
function storedGeometry(zone: Geozone, options: ZoneOptions): ZoneGeometry | null {
  const { key } = zone.type;
  // The type of a caller's zone was not checked before.
  const pairs = isZoneTypeKey(key) ? ZONE_TYPES[key].pairs : 'one';
  if (pairs === null) return zoneGeometry(zone, options);
  const axisOrder = axisOrderOf(options);
  if (pairs === 'ring' && zone.parts !== undefined && zone.parts !== null) {
    const parts = zone.parts.map((rings, i) =>
      rings.map((ring, j) => closedRing(readPositions(ring, `parts[${i}][${j}]`))),
    );
    polygonShape(parts, 'parts');
    return parts.length === 1
      ? { type: 'Polygon', coordinates: parts[0]! }
      : { type: 'MultiPolygon', coordinates: parts };
  }
  const positions: Position[] = readPositions(zone.geometry, 'geometry', axisOrder);
  const [first] = positions;
  if (pairs === 'ring') {
    const rings = [closedRing(positions)];
    if (isBand(zone.geometry, axisOrder)) return null;
    polygonShape([rings], 'geometry');
    return { type: 'Polygon', coordinates: rings };
  }
  if (pairs === 'line') {
    if (first !== undefined && isOnePosition(positions)) return { type: 'Point', coordinates: first };
    lineShape(positions, 'geometry');
    return { type: 'LineString', coordinates: positions };
  }
  return { type: 'Point', coordinates: onlyPosition(zone, options) };
}

/** Whether the longitudes of a ring differ by 360° alone. */
function isBand(ring: Geozone['geometry'], axisOrder: 'lonlat' | 'latlon'): boolean {
  const lons = ring.map((pair) => pair[axisOrder === 'latlon' ? 1 : 0]);
  const first = lons[0]!;
  return lons.some((lon) => lon !== first) && lons.every((lon) => (lon - first) % 360 === 0);
}

/** Whether other programs read the stored rings as `zoneContains` does. Crossing rings are invalid in well-known text. */
function isSound({ type, coordinates }: ZoneGeometry): boolean {
  if (type === 'Polygon') return areValid([coordinates]);
  return type !== 'MultiPolygon' || areValid(coordinates);
}

/** Whether an edge crosses the antimeridian or a longitude is beyond ±180: other programs would misread the stored positions. */
function leavesMap({ type, coordinates }: ZoneGeometry): boolean {
  if (type === 'Point') return false;
  const lists = (
    type === 'LineString' ? [coordinates] : type === 'MultiPolygon' ? coordinates.flat() : coordinates
  ) as Position[][];
  return lists.some((list) =>
    list.some(([lon], i) => lon > 180 || lon < -180 || Math.abs(lon - (list[i - 1]?.[0] ?? lon)) > 180),
  );
}

/** The well-known text, with the EPSG code in front (EWKT) if the system is not WGS84. */
function wellKnownText({ type, coordinates }: ZoneGeometry, crs: Crs | null): string {
  const code = crs === null ? undefined : /^EPSG:(\d+)$/.exec(crs.name)?.[1];
  const prefix = code === undefined ? '' : `SRID=${code};`;
  const list = type === 'Point' ? [coordinates] : coordinates;
  return `${prefix}${type.toUpperCase()} ${bracketed(list, crs)}`;
}

type Nested = Position | readonly Nested[];

function bracketed(list: readonly Nested[], crs: Crs | null): string {
  const items = list.map((item) => {
    if (typeof item[0] !== 'number') return bracketed(item as readonly Nested[], crs);
    const [x, y] = crs === null ? (item as Position) : pairIn(crs, item as Position);
    return `${x} ${y}`;
  });
  return `(${items.join(', ')})`;
}
