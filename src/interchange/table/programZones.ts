/** Reads zones in JSON of programs as rows with well-known text: geofences of Wialon and Traccar, addresses of Samsara, zones of Geotab, Navixy. */

import { isArray } from '../../core/errors.js';
import { isRecord, own, type PlainRecord, without } from '../common/foreignFields.js';

/** Kinds of Wialon's zones, by member `t`. */
const WIALON_LINE = 1;
const WIALON_CIRCLE = 3;

/** The zones of a parsed file as records; null if it is from none of these programs. */
export function programZones(root: unknown): readonly PlainRecord[] | null {
  const lists = isArray(root) ? [root] : isRecord(root) ? [root, ...Object.values(root)] : [];
  for (const list of lists) {
    const items = isArray(list) ? list : isRecord(list) ? Object.values(list) : [];
    const records = items.filter(isRecord);
    if (records.length === 0) continue;
    for (const read of [wialonZone, traccarZone, samsaraZone, geotabZone, navixyZone]) {
      const zones = records.map(read);
      if (zones.every((zone) => zone !== null)) return zones;
    }
  }
  return null;
}

/**
 * The record of a Traccar geofence `{id, name, area, attributes: {color, polylineDistance}}`. A line reaches `polylineDistance` metres to each
 * side (GeofencePolyline of Traccar 6).
 */
function traccarZone(zone: PlainRecord): PlainRecord | null {
  const area = own(zone, 'area');
  const attributes = own(zone, 'attributes');
  if (typeof area !== 'string' || !/^(?:CIRCLE|POLYGON|LINESTRING)\b/i.test(area) || !isRecord(attributes))
    return null;
  const [color, distance] = [own(attributes, 'color'), own(attributes, 'polylineDistance')];
  const rest = without(attributes, ['color', 'polylineDistance']);
  return {
    ...without(zone, ['attributes']),
    color,
    width: typeof distance === 'number' && area.startsWith('L') ? 2 * distance : undefined,
    attributes: rest,
  };
}

/**
 * The record of a Wialon zone `{n, d, id, t, w, c, p: [{x, y, r}]}`. `w`: radius of a circle, or width of a line, metres; `c`: colour, a number
 * of alpha, red, green and blue.
 */
function wialonZone(zone: PlainRecord): PlainRecord | null {
  const kind = own(zone, 't');
  const points = own(zone, 'p');
  if (typeof own(zone, 'n') !== 'string' || typeof kind !== 'number' || !isArray(points)) return null;
  const pairs = points.map((point) => (isRecord(point) ? [own(point, 'x'), own(point, 'y')] : []));
  const [first] = points;
  const size = own(zone, 'w') || (isRecord(first) ? own(first, 'r') : null);
  const argb = own(zone, 'c');
  const color = typeof argb === 'number' ? `#${(argb & 0xffffff).toString(16).padStart(6, '0')}` : undefined;
  const about = { id: own(zone, 'id'), name: own(zone, 'n'), description: own(zone, 'd'), color };
  if (kind === WIALON_CIRCLE) return { ...about, radius: size, wkt: wktOf('POINT', pairs.slice(0, 1)) };
  if (kind === WIALON_LINE) return { ...about, width: size, wkt: wktOf('LINESTRING', pairs) };
  return { ...about, wkt: wktOf('POLYGON', pairs) };
}

/** The record of a Samsara address `{id, name, formattedAddress, geofence: {circle | polygon}}`. */
function samsaraZone(address: PlainRecord): PlainRecord | null {
  const geofence = own(address, 'geofence');
  if (!isRecord(geofence)) return null;
  const circle = own(geofence, 'circle');
  const polygon = own(geofence, 'polygon');
  const about = {
    id: own(address, 'id'),
    name: own(address, 'name'),
    address: own(address, 'formattedAddress'),
  };
  const pairOf = (place: unknown): unknown[] =>
    isRecord(place) ? [own(place, 'longitude'), own(place, 'latitude')] : [];
  if (isRecord(circle)) {
    // A circle without its own centre is around the address.
    const centre = own(circle, 'latitude') === undefined ? address : circle;
    return { ...about, radius: own(circle, 'radiusMeters'), wkt: wktOf('POINT', [pairOf(centre)]) };
  }
  const vertices = isRecord(polygon) ? own(polygon, 'vertices') : null;
  return isArray(vertices) ? { ...about, wkt: wktOf('POLYGON', vertices.map(pairOf)) } : null;
}

/** `{id, name, points: [{x, y}]}`. The rest of a zone says when and where it is shown. */
function geotabZone(zone: PlainRecord): PlainRecord | null {
  const points = own(zone, 'points');
  if (typeof own(zone, 'name') !== 'string' || !isArray(points)) return null;
  const pairs = points.map((point) => (isRecord(point) ? [own(point, 'x'), own(point, 'y')] : []));
  if (!pairs.every(([x, y]) => typeof x === 'number' && typeof y === 'number')) return null;
  const about = { id: own(zone, 'id'), name: own(zone, 'name'), description: own(zone, 'comment') };
  return { ...about, wkt: wktOf('POLYGON', pairs) };
}

/** `{id, label, type, radius, center, points: [{lat, lng}]}`. A `sausage` is a corridor of `radius` metres to each side. */
function navixyZone(zone: PlainRecord): PlainRecord | null {
  const [kind, size, centre, points] = [
    own(zone, 'type'),
    own(zone, 'radius'),
    own(zone, 'center'),
    own(zone, 'points'),
  ];
  if (typeof own(zone, 'label') !== 'string') return null;
  const about = { id: own(zone, 'id'), name: own(zone, 'label'), address: own(zone, 'address') };
  const pairOf = (place: unknown): unknown[] =>
    isRecord(place) ? [own(place, 'lng'), own(place, 'lat')] : [];
  if (kind === 'circle' && isRecord(centre))
    return { ...about, radius: size, wkt: wktOf('POINT', [pairOf(centre)]) };
  if (!isArray(points)) return null;
  const pairs = points.map(pairOf);
  if (kind === 'polygon') return { ...about, wkt: wktOf('POLYGON', pairs) };
  return kind === 'sausage' ? { ...about, width: 2 * Number(size), wkt: wktOf('LINESTRING', pairs) } : null;
}

/** Well-known text with closed rings. */
function wktOf(type: 'POINT' | 'LINESTRING' | 'POLYGON', pairs: readonly (readonly unknown[])[]): string {
  const texts = pairs.map((pair) => pair.map(String).join(' '));
  if (type !== 'POLYGON') return `${type} (${texts.join(', ')})`;
  const isClosed = texts.length > 1 && texts[0] === texts.at(-1);
  return `POLYGON ((${[...texts, ...(isClosed ? [] : texts.slice(0, 1))].join(', ')}))`;
}
