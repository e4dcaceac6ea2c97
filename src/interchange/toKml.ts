/** Zones as a KML 2.2 document (OGC 07-147r2). */

import { checkOptions, guarded, itemsOf } from '../core/gate.js';
import type { Geozone, GeozoneGroup, Route } from '../core/wire.js';
import type { KmlLook } from './kmlStyleBook.js';
import { type KmlDocumentOptions, KmlWriter } from './kmlWriter.js';
import { routePieces } from './routeZones.js';
import { textOf } from './textSink.js';
import { atZone } from './zoneGeometry.js';

export interface KmlWriteOptions extends KmlDocumentOptions {
  /** Each becomes a Folder with its zones. */
  readonly groups?: Iterable<GeozoneGroup>;
  /** Each becomes a Folder with its points, after the zones. */
  readonly routes?: Iterable<Route>;
}

/**
 * All the zones as one document that the OGC schema accepts and `fromKml` reads back without loss, coordinates bit for bit.
 *
 * - Each pair of colour and icon is one shared Style. A zone with `is_show_on_map` false is not visible at first.
 * - A point is a Point, a circle its outline within 0.1 % (centre and radius are in the data), a line its LineString and, where it
 *   has a width, its corridor, a polygon a Polygon with holes and parts.
 * - A group is a Folder with its zones in their order; a zone in several groups lies in each of them; zones of none come last.
 * - A route is a Folder with its points, each drawn as a zone of its type; `fromKml` gives the route back (a point's `coordinates` as `geometry`).
 * - Every wire field travels in ExtendedData as JSON text (`wayzone.width`), so that names with characters that XML forbids come back too;
 *   in the visible name those are U+FFFD. The description is plain text: viewers show its markup, they do not run it.
 *
 * For documents that should not lie in memory: `writeKml`. Throws the shape's error with the field `zones[i]…` or `routes[i].points[j]…`; `cycle`, `json-value`,
 * `limit-depth`, `input-unreadable`, `source-type`, `option-type`, `option-value`. Cost: O(vertices).
 *
 * @example
 * ```ts
 * import { toKml } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * toKml([zone]).includes('<name>Depot</name>'); // true
 * ```
 */
export function toKml(zones: Iterable<Geozone>, options: KmlWriteOptions = {}): string {
  checkOptions(options);
  const list = [...itemsOf(zones, 'zones')];
  const groups = [...itemsOf(options.groups ?? [], 'groups')];
  const looks = list.map((zone, i) =>
    atZone(i, (): KmlLook => ({ color: zone.color ?? null, icon: zone.icon ?? null })),
  );
  return textOf(piecesOf(list, groups, new KmlWriter(looks, options), options.routes ?? []));
}

function* piecesOf(
  list: readonly Geozone[],
  groups: readonly GeozoneGroup[],
  writer: KmlWriter,
  routes: Iterable<Route>,
): Generator<string> {
  const ordinal = (i: number): number | null => (groups.length > 0 ? i : null);
  const indexesById = indexesOf(list);
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
      yield writer.placemark(list[i]!, i, ordinal(i));
    }
    yield writer.closeFolder();
  }
  for (const [i, zone] of list.entries()) if (!placed.has(i)) yield writer.placemark(zone, i, ordinal(i));
  yield* routePieces(routes, writer);
  yield writer.tail;
}

/** The places of each id; a list may hold an id twice. */
function indexesOf(zones: readonly Geozone[]): Map<string, number[]> {
  const indexesById = new Map<string, number[]>();
  for (const [i, { id }] of zones.entries()) {
    const same = indexesById.get(id);
    if (same === undefined) indexesById.set(id, [i]);
    else same.push(i);
  }
  return indexesById;
}
