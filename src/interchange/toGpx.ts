/** Zones, routes and tracks as GPX 1.1 (topografix.com/GPX/1/1). */

import { expected, WayzoneError } from '../core/errors.js';
import type { Fix, RawTrack } from '../core/fix.js';
import { readPositions } from '../core/gate.js';
import type { Position } from '../core/geometry.js';
import type { Geozone, Route, ZoneOptions } from '../core/wire.js';
import { xmlText } from './xmlText.js';
import { atZone, axisOrderOf } from './zoneGeometry.js';

/** What GPX can hold. */
export interface GpxContent {
  /** Points and circles become waypoints. */
  readonly zones?: Iterable<Geozone>;
  readonly routes?: Iterable<Route>;
  readonly tracks?: Iterable<RawTrack>;
}

/**
 * One GPX document: waypoints of point and circle zones, then routes, then tracks with their times, heights and satellites.
 *
 * GPX knows no widths, colours or ids, and no speeds without an extension: they are not written, and `toKml` keeps all of a zone. A circle is
 * its centre. Names read back as they were but for characters that XML forbids (U+FFFD) and spaces around them; a line among
 * the points of a route is all its pairs, the first with its name; a polygon is its first pair. Coordinates are kept bit for bit.
 *
 * Throws `gpx-zone` for a line or polygon zone; errors of positions with their path; `time-range` for a time that is no date.
 *
 * @example
 * ```ts
 * import { fromGpx, toGpx } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * fromGpx(toGpx({ zones: [zone] })).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function toGpx(content: GpxContent, options: ZoneOptions = {}): string {
  const axisOrder = axisOrderOf(options);
  const pieces = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="wayzone">\n',
  ];
  let index = 0;
  for (const zone of content.zones ?? []) pieces.push(atZone(index++, () => waypoint(zone, axisOrder)));
  index = 0;
  for (const route of content.routes ?? []) {
    const field = `routes[${index++}]`;
    const points = route.points.map((point, i) => {
      const path = `${field}.points[${i}].geometry`;
      const positions = readPositions(point.geometry ?? point.coordinates, path, axisOrder);
      const first = pointOf('rtept', positions[0], point.name, path);
      if (point.type?.key !== 'line') return first;
      return first + positions.slice(1).map(viaPoint).join('');
    });
    pieces.push(`<rte><name>${xmlText(String(route.name))}</name>\n${points.join('')}</rte>\n`);
  }
  index = 0;
  for (const { name, fixes } of content.tracks ?? []) {
    const field = `tracks[${index++}]`;
    pieces.push(`<trk><name>${xmlText(String(name))}</name><trkseg>\n`);
    for (const [i, fix] of fixes.entries()) pieces.push(trackPoint(fix, `${field}.fixes[${i}]`));
    pieces.push('</trkseg></trk>\n');
  }
  pieces.push('</gpx>\n');
  return pieces.join('');
}

function waypoint(zone: Geozone, axisOrder: 'lonlat' | 'latlon'): string {
  const { key } = zone.type;
  if (key !== 'point' && key !== 'circle') {
    throw new WayzoneError('gpx-zone', 'type.key', expected('a point or circle, which GPX can hold', key));
  }
  const [position] = readPositions(zone.geometry, 'geometry', axisOrder);
  return pointOf('wpt', position, zone.name, 'geometry');
}

function pointOf(tag: 'wpt' | 'rtept', position: Position | undefined, name: string, field: string): string {
  if (position === undefined)
    throw new WayzoneError('point-count', field, 'expected one pair, received none');
  const [lon, lat] = position;
  return `<${tag} lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}"><name>${xmlText(String(name))}</name></${tag}>\n`;
}

/** A nameless point on the way. */
function viaPoint([lon, lat]: Position): string {
  return `<rtept lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}"/>\n`;
}

/** GPX ends before 180. */
function gpxLon(lon: number): number {
  return lon === 180 ? -180 : lon;
}

function trackPoint(fix: Fix, field: string): string {
  const [position] = readPositions([[fix.lon, fix.lat]], field);
  const [lon, lat] = position ?? [0, 0];
  const time = new Date(fix.time);
  const year = time.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) {
    throw new WayzoneError(
      'time-range',
      `${field}.time`,
      expected('a time of the years 1 to 9999', fix.time),
    );
  }
  const more = [
    Number.isFinite(fix.altitudeMeters) ? `<ele>${decimal(fix.altitudeMeters!)}</ele>` : '',
    `<time>${time.toISOString()}</time>`,
    Number.isInteger(fix.satellites) && fix.satellites! >= 0 ? `<sat>${fix.satellites}</sat>` : '',
  ];
  return `<trkpt lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}">${more.join('')}</trkpt>\n`;
}

/** XML Schema's decimal knows no exponent: the same digits without it. Degrees and heights are small, or an altitude is nonsense. */
function decimal(value: number): string {
  const [digits = '', exponent] = String(Math.abs(value)).split('e');
  const sign = value < 0 ? '-' : '';
  if (exponent === undefined) return sign + digits;
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return sign + whole + fraction.padEnd(shift, '0');
}
