/** Writes zones as a KML 2.2 document (OGC 07-147r2). */

import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { guarded, itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import { pushTo } from '../../core/pushTo.js';
import type { Geozone, GeozoneGroup, Route } from '../../core/wire.js';
import { routePieces } from '../common/routeZones.js';
import { textOfPieces } from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { kmlFacts } from './kmlFacts.js';
import type { KmlLook } from './kmlStyleBook.js';
import { KML_DOCUMENT_OPTIONS, type KmlDocumentOptions, KmlWriter } from './kmlWriter.js';

interface KmlRows {
  readonly zones: readonly Geozone[];
  readonly groups: readonly GeozoneGroup[];
  readonly routes: Iterable<Route>;
  readonly tracks: Iterable<RawTrack>;
}

/** Pieces of the Placemark of the zone at an index of the list. `ordinal`: the index to write, or null. */
type PlacemarkPieces<Piece> = (index: number, ordinal: number | null) => Iterable<Piece>;

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

/** Yields all pieces. A zone of several groups is yielded in each of their Folders. */
export function* kmlPieces<Piece>(
  { zones, groups, routes, tracks }: KmlRows,
  writer: KmlWriter,
  placemark: PlacemarkPieces<Piece>,
): Generator<string | Piece> {
  const ordinal = (i: number): number | null => (groups.length > 0 ? i : null);
  const indexesById = groups.length === 0 ? new Map<string, number[]>() : indexesOf(zones);
  const placed = new Set<number>();
  yield writer.head;
  for (const [n, group] of groups.entries()) {
    const members = guarded(
      `groups[${n}]`,
      () => new Set(group.geozones.flatMap(({ id }) => indexesById.get(id) ?? [])),
    );
    yield writer.openFolder(group);
    for (const i of members) {
      placed.add(i);
      yield* placemark(i, ordinal(i));
    }
    yield writer.closeFolder();
  }
  for (const i of zones.keys()) if (!placed.has(i)) yield* placemark(i, ordinal(i));
  yield* routePieces(routes, writer);
  let index = 0;
  for (const track of itemsOf(tracks, 'tracks')) yield writer.track(track, index++);
  yield writer.tail;
}

/** Colour, icon and type of each zone without a Style of its own. Throws if a zone cannot be read. */
export function looksOf(zones: readonly Geozone[]): KmlLook[] {
  return zones.flatMap((zone, i) =>
    atZone(i, () =>
      kmlFacts(zone).style === null
        ? [{ color: zone.color ?? null, icon: zone.icon ?? null, type: zone.type }]
        : [],
    ),
  );
}

/** Indices of the zones by id. A list may contain an id twice. */
function indexesOf(zones: readonly Geozone[]): Map<string, number[]> {
  const indexesById = new Map<string, number[]>();
  for (const [i, { id }] of zones.entries()) pushTo(indexesById, id, i);
  return indexesById;
}
