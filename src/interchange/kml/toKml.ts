/** Writes zones as a KML 2.2 document (OGC 07-147r2). */

import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { Geozone, GeozoneGroup, Route } from '../../core/wire.js';
import { textOfPieces } from '../common/textSink.js';
import { kmlPieces, looksOf } from './kmlPieces.js';
import { KML_DOCUMENT_OPTIONS, type KmlDocumentOptions, KmlWriter } from './kmlWriter.js';

export interface KmlWriteOptions extends KmlDocumentOptions {
  /** Groups; each becomes a Folder with its zones. */
  readonly groups?: Iterable<GeozoneGroup> | undefined;
  /** Routes; each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route> | undefined;
}

export const KML_WRITE_OPTIONS: OptionTable<KmlWriteOptions, 'defaultWidthMeters'> = {
  ...KML_DOCUMENT_OPTIONS,
  groups: OWN,
  routes: OWN,
};

/** The rows of a document. The `value` of `fromKml` and of the other readers has this type. */
export interface KmlContent {
  /** Zones; each becomes a Placemark. */
  readonly zones: Iterable<Geozone>;
  /** Groups; each becomes a Folder with its zones. */
  readonly groups?: Iterable<GeozoneGroup> | undefined;
  /** Routes; each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route> | undefined;
  /** Tracks; each becomes a gx:Track, at the end. */
  readonly tracks?: Iterable<RawTrack> | undefined;
  /** Name and properties of the document. */
  readonly document?: ForeignDocument | undefined;
}

/**
 * All zones as one document. It is valid by the OGC schema, and `fromKml` reads it back without loss, coordinates bit for bit.
 *
 * - Each pair of colour and icon becomes one shared Style. A zone with `is_show_on_map: false` is hidden at first.
 * - A point becomes a Point. A circle becomes its outline within 0.1 %; centre and radius are in the data. A line becomes a LineString, with its
 *   corridor if it has a width. A polygon becomes a Polygon with holes and parts.
 * - A group becomes a Folder with its zones in order. A zone of several groups is written in each of them. Zones without a group come last.
 * - A route becomes a Folder with its points, each drawn as a zone of its type. `fromKml` restores the route, with a point's `coordinates` as
 *   `geometry`.
 * - The result of a reader can be written directly: `toKml(fromKml(file).value)`. Options of the same name take precedence. A track becomes a
 *   gx:Track with times, positions, heights and courses. A fix with other fields throws `kml-fix`.
 * - `ExtendedData` ends with one element of wayzone's namespace, which viewers do not show: every wire field as JSON text (`wayzone.width`), which preserves
 *   characters that XML forbids. In the visible name these are U+FFFD. The description is plain text: viewers show its markup and do not run it.
 *
 * For documents larger than memory use `writeKml`. Throws the shape's error with the field `zones[i]…` or `routes[i].points[j]…`, `cycle`,
 * `json-value`, `limit-depth`, `input-unreadable`, `source-type`, `option-type`, `option-value`, `kml-fix`, `fixes-type`, `time-range`.
 * Cost: O(vertices).
 *
 * @example
 * ```ts
 * import { toKml } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * toKml([zone]).includes('<name>Depot</name>'); // true
 * ```
 */
export function toKml(content: Iterable<Geozone> | KmlContent, options: KmlWriteOptions = {}): string {
  checkOptions(options, KML_WRITE_OPTIONS);
  const given: Partial<KmlContent> = isContent(content) ? content : {};
  const list = [...itemsOf(isContent(content) ? content.zones : content, 'zones')];
  const groups = [...itemsOf(options.groups ?? given.groups ?? [], 'groups')];
  const document = options.document ?? given.document;
  const whole = document === undefined ? options : { ...options, document };
  const writer = new KmlWriter(looksOf(list), whole);
  const routes = options.routes ?? given.routes ?? [];
  const rows = { zones: list, groups, routes, tracks: given.tracks ?? [] };
  return textOfPieces(kmlPieces(rows, writer, (i, ordinal) => [writer.placemark(list[i]!, i, ordinal)]));
}

function isContent(content: Iterable<Geozone> | KmlContent): content is KmlContent {
  const given: unknown = content;
  return typeof given === 'object' && given !== null && !(Symbol.iterator in given) && 'zones' in given;
}
