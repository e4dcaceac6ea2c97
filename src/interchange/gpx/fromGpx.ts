/** Reads GPX 1.0 and 1.1 (topografix.com/GPX/1/0, /1/1) as tracks, routes and point zones. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { readXml, readXmlChunks } from '../xml/xmlFeed.js';
import { GPX_OPTIONS, type GpxOptions } from './gpxOptions.js';
import { GpxReader } from './gpxReader.js';

/**
 * Tracks (`trk`), routes (`rte`) and point zones (`wpt`) of a GPX file. With `as: 'lines'` tracks and routes are line zones. Points without a
 * time are left out and counted. Rules (times, fields of fixes, metadata, misplaced elements): docs/rules/files.md.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `gpx-root`,
 * `element-misplaced`, `element-case`, `coord-type`, `lat-range`, `lon-range`, `geometry-missing`, `time-invalid`, `number-invalid`,
 * `time-missing`, `time-zone-missing`, `leap-second`, `gpx-fields`; with field (`trk[0].trkseg[1].trkpt[17]`) and line. Reading ends at a limit
 * of `limits` (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`). Throws `input-type`, `option-type`, `option-value`,
 * `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * fromGpx(file).value.zones[0].name; // 'Depot'
 * ```
 */
export function fromGpx(input: string | Uint8Array, options: GpxOptions = {}): ForeignData {
  checkOptions(options, GPX_OPTIONS);
  return readXml(input, options, (builder) => new GpxReader(builder, options));
}

/**
 * `fromGpx` of a file in chunks, which is never in memory as a whole. A limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with the source's own error, `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes, or
 * `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readGpx } from 'wayzone/interchange';
 * const file = '<gpx version="1.1"><wpt lat="55.7" lon="37.6"><name>Depot</name></wpt></gpx>';
 * const { value } = await readGpx([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export async function readGpx(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: GpxOptions = {},
): Promise<ForeignData> {
  checkOptions(options, GPX_OPTIONS);
  return await readXmlChunks(chunks, options, (builder) => new GpxReader(builder, options));
}
