/** GPX 1.0 and 1.1 (topografix.com/GPX/1/0, /1/1) as tracks, routes and point zones. */

import type { ForeignData } from '../../core/fix.js';
import { readXml, readXmlChunks } from '../xml/readXml.js';
import type { GpxOptions } from './gpxOptions.js';
import { GpxReader } from './gpxReader.js';

/**
 * Tracks (`trk`), routes (`rte`) and point zones (`wpt`) of a GPX file.
 *
 * - The segments of a track are joined in order. A point without a time, or with a wrong one, is no fix: `time-missing` counts them for
 *   each track, `time-invalid` names them. A time without a zone is UTC by the format's definition, with one `time-zone-missing` warning.
 * - Of a track point `ele`, `sat`, `course`, `speed` (m/s), `hdop` (as `accuracyMeters`) and `fix` (`none`: not valid) are read, from the
 *   point itself (GPX 1.0) or from its extensions in any namespace (Garmin, OsmAnd), where `accuracy` and `bearing` are read too. What else it
 *   says (heart rates) is left out with one `gpx-fields` warning that names it, and so are the points that Garmin puts between two route points.
 *   What a file says of itself (`metadata`) is `value.document`: its name, and the rest as text by the path of its element (`author.name`, `bounds.minlat`).
 * - With `as: 'lines'` tracks and routes are line zones instead.
 * - What a waypoint, route point, route or track says beyond position and name (`ele`, `time`, `desc`, `sym`, extensions…) is text under
 *   `properties`; of a name that repeats the second has `~2`.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `gpx-root`, `coord-type`, `lat-range`,
 * `lon-range`, `geometry-missing`, `time-invalid`, `number-invalid`, `time-missing`, `time-zone-missing`, `leap-second`, `gpx-fields`; with field
 * (`trk[0].trkseg[1].trkpt[17]`) and line. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`).
 * Throws `input-type`, `option-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * fromGpx(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGpx(input: string | Uint8Array, options: GpxOptions = {}): ForeignData {
  return readXml(input, options, (builder) => new GpxReader(builder, options));
}

/**
 * `fromGpx` of a file that comes in chunks and is never in memory as a whole; a limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with what the source throws; `source-type`, `input-type` for what is no iterable of bytes; `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * const { value } = await readGpx([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export function readGpx(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GpxOptions = {},
): Promise<ForeignData> {
  return readXmlChunks(chunks, options, (builder) => new GpxReader(builder, options));
}
