/** Reads KML 2.2 (OGC 07-147r2) with Google's gx:Track as zones, groups and tracks. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { readXml, readXmlChunks } from '../xml/readXml.js';
import { KML_OPTIONS, type KmlOptions } from './kmlOptions.js';
import { KmlReader } from './kmlReader.js';

/**
 * The Placemarks of a KML file as zones, its Folders as groups, gx:Track and gx:MultiTrack as tracks.
 *
 * - The polygons of a Placemark become one zone, with `parts` if there are holes or several polygons. Any other MultiGeometry becomes several zones
 *   and a group with the Placemark's name. LineString and LinearRing become lines; their width in metres is the `Data` value `width`. A Folder
 *   becomes a group of all zones in it and in its subfolders.
 * - The colour is the colour of the line style, else of the fill, else of the icon. Styles are inline or referenced by `styleUrl`, also through
 *   StyleMaps. Other style fields (opacity, `LineStyle.width`, `PolyStyle.fill`, `IconStyle.Icon.href`…) are text under `properties`, up to 2048
 *   characters. Highlight styles and balloons are left out with one `kml-data` warning.
 * - A gx:Track has times, heights and courses (`gx:angles`). All tracks of a Placemark become one track. A track without times becomes a line, with
 *   a `kml-track-mismatch` warning. Other values of a track are left out with a `kml-data` warning.
 * - Other fields of a Placemark, Folder or the Document (`description`, times, ExtendedData, `LookAt`, `Region`, `altitudeMode`…) are text under the
 *   `properties` of the zone, group, track or `value.document`, by the path of the element (`LookAt.range`). Fields that `toKml` wrote are restored.
 * - Elements that the file declares by `Schema parent="Placemark"` (KML 2.0, 2.1) are Placemarks. A geometry outside all Placemarks becomes a zone
 *   without a name, with a `kml-unsupported` warning. Any other root element is a `kml-root` error.
 * - Altitudes of zones are left out with one `altitude-dropped` warning. Links are never followed.
 *
 * Issues: `encoding`, `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `kml-root`,
 * `kml-coordinates` (with the tuple's index), `kml-polygon`, `kml-track-mismatch`, `kml-data`, `lat-range`, `lon-range`,
 * `ring-too-short`, `line-too-short`, `limit-vertices`, `limit-rings`, `time-invalid`, and as warnings `geometry-missing`,
 * `kml-unsupported`, `kml-color`, `number-invalid`, `altitude-dropped`, `time-zone-missing`, `leap-second`, `duplicate-id`, `type-mismatch`.
 * Reading ends at a limit of `limits` (`limit-bytes`, `limit-vertices`, `limit-features`, `limit-text`). Throws `input-type`, `option-type`,
 * `option-value`, `crs-not-loaded`.
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
