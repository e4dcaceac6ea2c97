/** The text of a GPX 1.1 document, piece by piece; who collects the pieces decides about memory. */

import { expected, WayzoneError } from '../core/errors.js';
import type { Fix, RawTrack } from '../core/fix.js';
import { readPositions } from '../core/gate.js';
import type { Position } from '../core/geometry.js';
import type { Geozone, Route } from '../core/wire.js';
import { fixTime } from './fixTime.js';
import { xmlText } from './xmlText.js';

/** Garmin's extension for what GPX 1.1 left out of a track point: speed (m/s) and course. */
const EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';

export const GPX_HEAD: string = `<?xml version="1.0" encoding="UTF-8"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="${EXTENSION}" version="1.1" creator="wayzone">
`;
export const GPX_TAIL = '</gpx>\n';

/** A point or circle zone; throws `gpx-zone` for any other. */
export function waypointText(zone: Geozone, axisOrder: 'lonlat' | 'latlon'): string {
  const { key } = zone.type;
  if (key !== 'point' && key !== 'circle') {
    throw new WayzoneError('gpx-zone', 'type.key', expected('a point or circle, which GPX can hold', key));
  }
  const [position] = readPositions(zone.geometry, 'geometry', axisOrder);
  return pointText('wpt', position, zone.name, 'geometry');
}

export function* routePieces(
  { name, points }: Route,
  field: string,
  axisOrder: 'lonlat' | 'latlon',
): Generator<string> {
  yield `<rte><name>${xmlText(String(name))}</name>\n`;
  for (const [i, point] of points.entries()) {
    const path = `${field}.points[${i}].geometry`;
    const positions = readPositions(point.geometry ?? point.coordinates, path, axisOrder);
    yield pointText('rtept', positions[0], point.name, path);
    if (point.type?.key === 'line') for (const position of positions.slice(1)) yield viaPointText(position);
  }
  yield '</rte>\n';
}

export function* trackPieces(
  { name, fixes }: RawTrack,
  field: string,
  metersPerHdop: number,
): Generator<string> {
  yield `<trk><name>${xmlText(String(name))}</name><trkseg>\n`;
  for (const [i, fix] of fixes.entries()) yield fixText(fix, `${field}.fixes[${i}]`, metersPerHdop);
  yield '</trkseg></trk>\n';
}

function pointText(
  tag: 'wpt' | 'rtept',
  position: Position | undefined,
  name: string,
  field: string,
): string {
  if (position === undefined)
    throw new WayzoneError('geometry-count', field, 'expected one pair, received none');
  const [lon, lat] = position;
  return `<${tag} lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}"><name>${xmlText(String(name))}</name></${tag}>\n`;
}

/** A nameless point on the way. */
function viaPointText([lon, lat]: Position): string {
  return `<rtept lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}"/>\n`;
}

/** GPX ends before 180. */
function gpxLon(lon: number): number {
  return lon === 180 ? -180 : lon;
}

function fixText(fix: Fix, field: string, metersPerHdop: number): string {
  const [position] = readPositions([[fix.lon, fix.lat]], field);
  const [lon, lat] = position ?? [0, 0];
  const time = fixTime(fix.time, `${field}.time`);
  const { altitudeMeters, speedKph, courseDegrees, satellites, accuracyMeters } = fix;
  let text = `<trkpt lat="${decimal(lat)}" lon="${decimal(gpxLon(lon))}">`;
  if (Number.isFinite(altitudeMeters)) text += `<ele>${decimal(altitudeMeters!)}</ele>`;
  text += `<time>${time}</time>`;
  if (fix.valid === false) text += '<fix>none</fix>';
  if (Number.isInteger(satellites) && satellites! >= 0) text += `<sat>${satellites}</sat>`;
  if (metersPerHdop > 0 && Number.isFinite(accuracyMeters) && accuracyMeters! >= 0) {
    text += `<hdop>${decimal(accuracyMeters! / metersPerHdop)}</hdop>`;
  }
  let more = '';
  if (Number.isFinite(speedKph) && speedKph! >= 0)
    more += `<gpxtpx:speed>${decimal(speedKph! / 3.6)}</gpxtpx:speed>`;
  if (Number.isFinite(courseDegrees)) more += `<gpxtpx:course>${decimal(courseDegrees!)}</gpxtpx:course>`;
  if (more !== '') {
    text += `<extensions><gpxtpx:TrackPointExtension>${more}</gpxtpx:TrackPointExtension></extensions>`;
  }
  return `${text}</trkpt>\n`;
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
