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
 * All zones as one document, valid by the OGC schema, which `fromKml` reads back without loss, coordinates bit for bit. The value of a reader
 * can be written directly: `toKml(fromKml(file).value)`; options of the same name take precedence. For documents larger than memory use
 * `writeKml`. Rules (shapes, styles, folders, tracks, data): docs/rules/files.md.
 *
 * Throws the shape's error with the field `zones[i]…` or `routes[i].points[j]…`, `cycle`, `json-value`, `limit-depth`, `input-unreadable`,
 * `source-type`, `option-type`, `option-value`, `kml-fix`, `fixes-type`, `time-range`. Cost: O(vertices).
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
