/** KML 2.2 (OGC 07-147r2) with Google's gx:Track as zones, groups and tracks. */

import type { ForeignData } from '../../core/fix.js';
import { readXml, readXmlChunks } from '../xml/readXml.js';
import type { KmlOptions } from './kmlOptions.js';
import { KmlReader } from './kmlReader.js';

/**
 * The Placemarks of a KML file as zones, its Folders as groups, gx:Track and gx:MultiTrack as tracks.
 *
 * - Polygons of one Placemark are one zone (`parts` where there are holes or several); other MultiGeometry gives several zones
 *   and a group of the Placemark's name. LineString and LinearRing are lines; their width in metres is the data
 *   `width`. A Folder is a group of all zones in it and in the Folders within.
 * - The colour is that of the line (else fill, else icon) style, inline or by `styleUrl`, through StyleMaps; what styles say beside it (opacity,
 *   `LineStyle.width`, `PolyStyle.fill`, `IconStyle.Icon.href`…) is text under `properties`, up to 2048 characters. Highlights and balloons are left out with one
 *   `kml-data` warning.
 * - A gx:Track has times, heights and courses (`gx:angles`), all tracks of a Placemark are one; without any time it is a line, with a
 *   `kml-track-mismatch` warning. What else it measures is left out with a `kml-data` warning.
 * - All else that a Placemark, Folder or the Document says (`description`, times, ExtendedData, `LookAt`, `Region`, `altitudeMode`…) is text under the
 *   `properties` of the zone, group, track or `value.document`, by the path of its element (`LookAt.range`). What `toKml` wrote comes back as it was.
 * - An element of a name of the file's own, by a `Schema parent="Placemark"` (KML 2.0, 2.1), is a Placemark. A geometry outside of all
 *   Placemarks is a zone without a name, with a `kml-unsupported` warning. A root element of another kind is a `kml-root` error.
 * - Altitudes of zones are left out with one `altitude-dropped` warning. Links are never followed.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `kml-root`,
 * `kml-coordinates` (with the tuple's index), `kml-polygon`, `kml-track-mismatch`, `kml-data`, `lat-range`, `lon-range`,
 * `ring-too-short`, `line-too-short`, `limit-vertices`, `limit-rings`, `time-invalid`, and as warnings `geometry-missing`,
 * `kml-unsupported`, `kml-color`, `number-invalid`, `altitude-dropped`, `time-zone-missing`, `leap-second`, `duplicate-id`, `type-mismatch`.
 * Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`). Throws `input-type`, `option-type`, `option-value`,
 * `crs-not-loaded`.
 *
 * @example
 * ```ts
 * import { fromKml } from 'wayzone/interchange';
 * const file = '<kml><Placemark><name>Depot</name><Point><coordinates>37.6,55.7</coordinates></Point></Placemark></kml>';
 * fromKml(file).value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function fromKml(input: string | Uint8Array, options: KmlOptions = {}): ForeignData {
  return readXml(input, options, (builder) => new KmlReader(builder, options));
}

/**
 * `fromKml` of a file that comes in chunks and is never in memory as a whole; a limit of bytes or vertices ends the reading of the source.
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
export function readKml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: KmlOptions = {},
): Promise<ForeignData> {
  return readXmlChunks(chunks, options, (builder) => new KmlReader(builder, options));
}
