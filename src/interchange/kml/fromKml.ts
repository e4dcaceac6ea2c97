/** Reads KML 2.2 (OGC 07-147r2) with Google's gx:Track as zones, groups and tracks. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { readXml, readXmlChunks } from '../xml/xmlFeed.js';
import { KmlReader } from './kmlReader.js';
import { KML_OPTIONS, type KmlOptions } from './kmlZones.js';

/**
 * The Placemarks of a KML file as zones, its Folders as groups, gx:Track and gx:MultiTrack as tracks. Links are never followed. Rules (shapes,
 * styles, tracks, data, misplaced elements): docs/rules/files.md.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `kml-root`,
 * `element-misplaced`, `element-case`, `kml-coordinates` (with the tuple's index), `kml-polygon`, `kml-track-mismatch`, `kml-data`,
 * `lat-range`, `lon-range`, `ring-too-short`, `line-too-short`, `limit-vertices`, `limit-rings`, `time-invalid`, and as warnings
 * `geometry-missing`, `kml-unsupported`, `kml-color`, `number-invalid`, `altitude-dropped`, `time-zone-missing`, `leap-second`,
 * `duplicate-id`, `type-mismatch`. Reading ends at a limit of `limits` (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`).
 * Throws `input-type`, `option-type`, `option-value`, `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromKml } from 'wayzone/interchange';
 * const file = '<kml><Placemark><name>Depot</name><Point><coordinates>37.6,55.7</coordinates></Point></Placemark></kml>';
 * fromKml(file).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function fromKml(input: string | Uint8Array, options: KmlOptions = {}): ForeignData {
  checkOptions(options, KML_OPTIONS);
  return readXml(input, options, (builder) => new KmlReader(builder, options));
}

/**
 * `fromKml` of a file in chunks, which is never in memory as a whole. A limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with the source's own error, `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes, or
 * `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readKml } from 'wayzone/interchange';
 * const file = '<kml><Placemark><name>Depot</name><Point><coordinates>37.6,55.7</coordinates></Point></Placemark></kml>';
 * const { value } = await readKml([new TextEncoder().encode(file)]);
 * value.zones[0].name; // 'Depot'
 * ```
 */
export async function readKml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: KmlOptions = {},
): Promise<ForeignData> {
  checkOptions(options, KML_OPTIONS);
  return await readXmlChunks(chunks, options, (builder) => new KmlReader(builder, options));
}
