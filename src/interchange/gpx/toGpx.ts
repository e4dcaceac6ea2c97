/** Writes zones, routes and tracks as GPX 1.1 (topografix.com/GPX/1/1). */

import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../../core/options.js';
import type { Geozone, Route, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import { readDocument } from '../common/readDocument.js';
import { TextCollector, type TextSink, textOfPieces } from '../common/textSink.js';
import { atZone, axisOrderOf } from '../common/zoneGeometry.js';
import { type Crs, onlyWgs84 } from '../crs/crs.js';
import { METERS_PER_HDOP } from './gpxOptions.js';
import { GPX_HEAD, GPX_TAIL, gpxRoutePieces, metadataText, trackPieces, waypointText } from './gpxWriter.js';

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
 * - A circle becomes its centre. Among the points of a route, a line becomes all its pairs, the first with its name, and a polygon its first pair.
 * - Coordinates and heights are kept bit for bit, except that a longitude of 180 becomes -180. Speeds and accuracies are rounded.
 * - Names keep their text, without spaces around it and with U+FFFD for characters that XML forbids.
 * - Numbers of a fix that GPX does not allow are not written: not finite, a negative speed or accuracy, a fraction of a satellite.
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
