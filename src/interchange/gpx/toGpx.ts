/** Writes zones, routes and tracks as GPX 1.1 (topografix.com/GPX/1/1). */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import type { Fix, ForeignDocument, RawTrack } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { guarded, itemsOf, readPositions } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../../core/options.js';
import type { Geozone, Route, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { decimalText } from '../common/parseTime.js';
import { fixTime, readDocument, readRawTrack } from '../common/readDocument.js';
import { TextCollector, type TextSink, textOfPieces } from '../common/textSink.js';
import { atZone, axisOrderOf } from '../common/zoneGeometry.js';
import { type Crs, onlyWgs84 } from '../crs/crs.js';
import { xmlName, xmlText } from '../xml/xmlText.js';
import { METERS_PER_HDOP } from './gpxOptions.js';

/** Garmin's extension for speed (m/s) and course, which track points of GPX 1.1 lack. */
const EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';

const GPX_HEAD: string = `<?xml version="1.0" encoding="UTF-8"?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="${EXTENSION}" version="1.1" creator="wayzone">
`;

const GPX_TAIL = '</gpx>\n';

/** Properties of a document that `metadata` can contain. */
export const GPX_METADATA: readonly string[] = ['desc', 'description', 'keywords'];

/** The rows that GPX can contain. */
export interface GpxContent {
  /** Zones; points and circles become waypoints. */
  readonly zones?: Iterable<Geozone> | undefined;
  /** Routes; each becomes a `rte`. */
  readonly routes?: Iterable<Route> | undefined;
  /** Tracks; each becomes a `trk`. */
  readonly tracks?: Iterable<RawTrack> | undefined;
  /** Document, written as `metadata`: its name, `desc` (or `description`) and `keywords`. */
  readonly document?: ForeignDocument | undefined;
}

export interface GpxWriteOptions extends ZoneOptions {
  /** Accuracy per unit of `hdop`, metres, at most 1000. 0: write no `hdop`. Default 5, as in `fromGpx`. */
  readonly metersPerHdop?: number | undefined;
  /** Coordinate system: only WGS84, as GPX defines. Others throw `crs-unsupported`. */
  readonly crs?: string | Crs | undefined;
}

const OPTIONS: OptionTable<GpxWriteOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  metersPerHdop: METERS_PER_HDOP,
  crs: OWN,
};

/**
 * One GPX document: waypoints of point and circle zones, then routes, then tracks with times, heights, satellites, accuracy (`hdop`), validity
 * (`fix`), and in Garmin's extension speed (m/s) and course.
 *
 * - GPX has no widths, colours, ids and ignition, so these are not written. `toKml` writes all fields of a zone.
 * - A circle becomes its centre. Among the points of a route, a line becomes all its pairs, and the first pair has its name. A polygon becomes
 *   its first pair.
 * - Coordinates and heights are kept bit for bit, except that a longitude of 180 becomes -180. Speeds and accuracies are rounded.
 * - Names keep their text, without spaces around it and with U+FFFD for characters that XML forbids.
 * - Numbers of a fix that GPX does not allow are not written: numbers that are not finite, negative speeds and accuracies, fractions of a
 *   satellite.
 *
 * Throws `gpx-zone` for a line or polygon zone, errors of positions with their path, `time-range` for a time outside the range of dates,
 * `fixes-type`, `route-points`, `source-type`, `crs-unsupported`, `option-type`, `option-value`.
 *
 * @example
 * ```ts
 * import { fromGpx, toGpx } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * fromGpx(toGpx({ zones: [zone] })).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function toGpx(content: GpxContent, options: GpxWriteOptions = {}): string {
  checkOptions(options, OPTIONS);
  return textOfPieces(pieces(content, options));
}

/**
 * Writes the document of `toGpx` in pieces of at most 65,536 characters. Waits for `sink` after each piece.
 *
 * Memory: one piece. Rejects with the errors of `toGpx` and of `sink`.
 *
 * @example
 * ```ts
 * import { writeGpx } from 'wayzone/interchange';
 * let text = '';
 * await writeGpx({ tracks: [{ name: 'Van', unitId: 'v', fixes: [{ time: 0, lon: 37.6, lat: 55.7 }] }] }, (chunk) => { text += chunk; });
 * text.includes('<time>1970-01-01T00:00:00.000Z</time>'); // true
 * ```
 */
export async function writeGpx(
  content: GpxContent,
  sink: TextSink,
  options: GpxWriteOptions = {},
): Promise<void> {
  checkOptions(options, OPTIONS);
  const out = new TextCollector(sink);
  for (const piece of pieces(content, options)) if (out.add(piece)) await out.flush();
  await out.end();
}

function* pieces(content: GpxContent, options: GpxWriteOptions): Generator<string> {
  const metersPerHdop = readOption(METERS_PER_HDOP, options.metersPerHdop, 'metersPerHdop');
  const axisOrder = axisOrderOf(options);
  onlyWgs84(options.crs, 'GPX');
  yield GPX_HEAD;
  yield metadataText(readDocument(content.document));
  let index = 0;
  for (const zone of itemsOf(content.zones ?? [], 'zones'))
    yield atZone(index++, () => waypointText(zone, axisOrder));
  index = 0;
  for (const route of itemsOf(content.routes ?? [], 'routes'))
    yield* gpxRoutePieces(route, `routes[${index++}]`, axisOrder);
  index = 0;
  for (const track of itemsOf(content.tracks ?? [], 'tracks'))
    yield* trackPieces(track, `tracks[${index++}]`, metersPerHdop);
  yield GPX_TAIL;
}

/** The `metadata` element; an empty text if there is no name and no property that GPX can contain. */
function metadataText({ name, properties = {} }: ForeignDocument): string {
  const textElement = (tag: string, value: unknown): string =>
    typeof value === 'string' && value !== '' ? `<${tag}>${xmlText(value)}</${tag}>` : '';
  const { desc, description, keywords } = properties;
  const text =
    textElement('name', name) + textElement('desc', desc ?? description) + textElement('keywords', keywords);
  return text === '' ? '' : `<metadata>${text}</metadata>\n`;
}

/** The waypoint of a point or circle zone. Throws `gpx-zone` for other types. */
function waypointText(zone: Geozone, axisOrder: 'lonlat' | 'latlon'): string {
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

function* gpxRoutePieces(route: Route, field: string, axisOrder: 'lonlat' | 'latlon'): Generator<string> {
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

function* trackPieces(track: RawTrack, field: string, metersPerHdop: number): Generator<string> {
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
