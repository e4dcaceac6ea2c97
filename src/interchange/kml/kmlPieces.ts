/** Yields the pieces of a KML document in their order: Folders of groups, zones without a group, Folders of routes, tracks. */

import type { RawTrack } from '../../core/fix.js';
import { guarded, itemsOf } from '../../core/input.js';
import { pushTo } from '../../core/pushTo.js';
import type { Geozone, GeozoneGroup, Route } from '../../core/wire.js';
import { routePieces } from '../common/routeZones.js';
import { atZone } from '../common/zoneGeometry.js';
import { kmlFacts } from './kmlFacts.js';
import type { KmlLook } from './kmlStyleBook.js';
import type { KmlWriter } from './kmlWriter.js';

interface KmlRows {
  readonly zones: readonly Geozone[];
  readonly groups: readonly GeozoneGroup[];
  readonly routes: Iterable<Route>;
  readonly tracks: Iterable<RawTrack>;
}

/** Pieces of the Placemark of the zone at an index of the list. `ordinal`: the index to write, or null. */
type PlacemarkPieces<Piece> = (index: number, ordinal: number | null) => Iterable<Piece>;

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
