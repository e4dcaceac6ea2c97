/** Writes the elements of a GPX 1.1 document as pieces of text. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import type { Fix, ForeignDocument, RawTrack } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { guarded, readPositions } from '../../core/input.js';
import type { Geozone, Route } from '../../core/wire.js';
import { decimalText } from '../common/decimalText.js';
import { fixTime } from '../common/fixTime.js';
import { readRawTrack } from '../common/readRawTrack.js';
import { xmlName, xmlText } from '../xml/xmlText.js';

/** Garmin's extension for speed (m/s) and course, which track points of GPX 1.1 lack. */
const EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';

export const GPX_HEAD: string = `<?xml version="1.0" encoding="UTF-8"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="${EXTENSION}" version="1.1" creator="wayzone">
`;
export const GPX_TAIL = '</gpx>\n';

/** Properties of a document that `metadata` can contain. */
export const GPX_METADATA: readonly string[] = ['desc', 'description', 'keywords'];

/** The `metadata` element; an empty text if there is no name and no property that GPX can contain. */
export function metadataText({ name, properties = {} }: ForeignDocument): string {
  const textElement = (tag: string, value: unknown): string =>
    typeof value === 'string' && value !== '' ? `<${tag}>${xmlText(value)}</${tag}>` : '';
  const { desc, description, keywords } = properties;
  const text =
    textElement('name', name) + textElement('desc', desc ?? description) + textElement('keywords', keywords);
  return text === '' ? '' : `<metadata>${text}</metadata>\n`;
}

/** The waypoint of a point or circle zone. Throws `gpx-zone` for other types. */
export function waypointText(zone: Geozone, axisOrder: 'lonlat' | 'latlon'): string {
  const { key } = zone.type;
  if (key !== 'point' && key !== 'circle') {
    throw inputError(
      'gpx-zone',
      'type.key',
      'point or circle (GPX has no lines with a width and no polygons)',
      key,
    );
  }
  const [position] = readPositions(zone.geometry, 'geometry', axisOrder);
  return pointText('wpt', position, zone.name, 'geometry');
}

export function* gpxRoutePieces(
  route: Route,
  field: string,
  axisOrder: 'lonlat' | 'latlon',
): Generator<string> {
  const { name, points } = guarded(field, () => ({ ...route }));
  if (!isArray(points)) {
    throw inputError('route-points', `${field}.points`, 'an array of points', points);
  }
  yield `<rte><name>${xmlName(name)}</name>\n`;
  for (let i = 0; i < points.length; i++)
    yield guarded(`${field}.points[${i}]`, () => {
      const point = points[i]!;
      const path = `${field}.points[${i}].geometry`;
      const positions = readPositions(point.geometry ?? point.coordinates, path, axisOrder);
      const text = pointText('rtept', positions[0], point.name, path);
      return point.type?.key === 'line' ? text + positions.slice(1).map(viaPointText).join('') : text;
    });
  yield '</rte>\n';
}

export function* trackPieces(track: RawTrack, field: string, metersPerHdop: number): Generator<string> {
  const { name, fixes } = readRawTrack(track, field);
  yield `<trk><name>${xmlName(name)}</name><trkseg>\n`;
  for (let i = 0; i < fixes.length; i++) yield fixText(fixes[i]!, `${field}.fixes[${i}]`, metersPerHdop);
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
  return `<${tag} lat="${decimalText(lat)}" lon="${decimalText(gpxLon(lon))}"><name>${xmlName(name)}</name></${tag}>\n`;
}

/** A route point without a name. */
function viaPointText([lon, lat]: Position): string {
  return `<rtept lat="${decimalText(lat)}" lon="${decimalText(gpxLon(lon))}"/>\n`;
}

/** The longitude in the range of GPX: at least -180 and less than 180. */
function gpxLon(lon: number): number {
  return lon === 180 ? -180 : lon;
}

function fixText(fix: Fix, field: string, metersPerHdop: number): string {
  const [position] = readPositions([[fix.lon, fix.lat]], field);
  const [lon, lat] = position ?? [0, 0];
  const time = fixTime(fix.time, `${field}.time`);
  const { altitudeMeters, speedKph, courseDegrees, satellites, accuracyMeters } = fix;
  let text = `<trkpt lat="${decimalText(lat)}" lon="${decimalText(gpxLon(lon))}">`;
  if (Number.isFinite(altitudeMeters)) text += `<ele>${decimalText(altitudeMeters!)}</ele>`;
  text += `<time>${time}</time>`;
  if (fix.valid === false) text += '<fix>none</fix>';
  if (Number.isInteger(satellites) && satellites! >= 0) text += `<sat>${satellites}</sat>`;
  if (metersPerHdop > 0 && Number.isFinite(accuracyMeters) && accuracyMeters! >= 0) {
    text += `<hdop>${decimalText(accuracyMeters! / metersPerHdop)}</hdop>`;
  }
  let more = '';
  if (Number.isFinite(speedKph) && speedKph! >= 0)
    more += `<gpxtpx:speed>${decimalText(speedKph! / 3.6)}</gpxtpx:speed>`;
  if (Number.isFinite(courseDegrees)) more += `<gpxtpx:course>${decimalText(courseDegrees!)}</gpxtpx:course>`;
  if (more !== '') {
    text += `<extensions><gpxtpx:TrackPointExtension>${more}</gpxtpx:TrackPointExtension></extensions>`;
  }
  return `${text}</trkpt>\n`;
}
