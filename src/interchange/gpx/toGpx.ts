/** Zones, routes and tracks as GPX 1.1 (topografix.com/GPX/1/1). */

import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { checkOptions, itemsOf, readNumber } from '../../core/input.js';
import type { Geozone, Route, ZoneOptions } from '../../core/wire.js';
import { readDocument } from '../common/readDocument.js';
import { TextCollector, type TextSink, textOf } from '../common/textSink.js';
import { atZone, axisOrderOf } from '../common/zoneGeometry.js';
import { type Crs, onlyWgs84 } from '../crs/crs.js';
import { GPX_HEAD, GPX_TAIL, metadataText, routePieces, trackPieces, waypointText } from './gpxWriter.js';

/** What GPX can hold. */
export interface GpxContent {
  /** Points and circles become waypoints. */
  readonly zones?: Iterable<Geozone>;
  /** Each becomes a `rte`. */
  readonly routes?: Iterable<Route>;
  /** Each becomes a `trk`. */
  readonly tracks?: Iterable<RawTrack>;
  /** Of it `metadata` holds the name, `desc` (or `description`) and `keywords`. */
  readonly document?: ForeignDocument;
}

export interface GpxWriteOptions extends ZoneOptions {
  /** Metres of accuracy for one unit of `hdop`, at most 1000; 0: no `hdop` is written. Default 5, as `fromGpx` reads it. */
  readonly metersPerHdop?: number;
  /** GPX is WGS84 by its definition: any other is `crs-unsupported`. */
  readonly crs?: string | Crs;
}

/**
 * One GPX document: waypoints of point and circle zones, then routes, then tracks with times, heights, satellites, accuracy (`hdop`), validity
 * (`fix`), and in Garmin's extension speed (m/s) and course.
 *
 * GPX knows no widths, colours or ids and no ignition: they are not written, and `toKml` keeps all of a zone. A circle is
 * its centre. Names read back as they were but for characters that XML forbids (U+FFFD) and spaces around them; a line among
 * the points of a route is all its pairs, the first with its name; a polygon is its first pair. Coordinates (but for a longitude of 180, which is -180
 * in GPX) and heights are kept bit for bit; speeds and accuracies to a rounding.
 *
 * A number of a fix that GPX cannot hold (none at all, a negative speed or accuracy, satellites that are no whole number) is not written.
 *
 * Throws `gpx-zone` for a line or polygon zone; errors of positions with their path; `time-range` for a time that is no date; `fixes-type`,
 * `route-points`, `source-type`, `crs-unsupported`, `option-type`, `option-value`.
 *
 * @example
 * ```ts
 * import { fromGpx, toGpx } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * fromGpx(toGpx({ zones: [zone] })).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function toGpx(content: GpxContent, options: GpxWriteOptions = {}): string {
  checkOptions(options);
  return textOf(pieces(content, options));
}

/**
 * Writes the document of `toGpx` in pieces of at most 65,536 characters. The next piece is made when `sink` has taken the last one.
 *
 * Memory: that of one piece. Throws (rejects) as `toGpx`, and what `sink` throws.
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
  checkOptions(options);
  const out = new TextCollector(sink);
  for (const piece of pieces(content, options)) if (out.add(piece)) await out.flush();
  await out.end();
}

function* pieces(content: GpxContent, options: GpxWriteOptions): Generator<string> {
  const { metersPerHdop = 5 } = options;
  const axisOrder = axisOrderOf(options);
  onlyWgs84(options.crs, 'GPX');
  readNumber(metersPerHdop, 'metersPerHdop', 'option-value', 0, 1000);
  yield GPX_HEAD;
  yield metadataText(readDocument(content.document));
  let index = 0;
  for (const zone of itemsOf(content.zones ?? [], 'zones'))
    yield atZone(index++, () => waypointText(zone, axisOrder));
  index = 0;
  for (const route of itemsOf(content.routes ?? [], 'routes'))
    yield* routePieces(route, `routes[${index++}]`, axisOrder);
  index = 0;
  for (const track of itemsOf(content.tracks ?? [], 'tracks'))
    yield* trackPieces(track, `tracks[${index++}]`, metersPerHdop);
  yield GPX_TAIL;
}
