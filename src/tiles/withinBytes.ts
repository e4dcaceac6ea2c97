/** Leaves zones out of a tile that is too large. */

import type { DrawnTile, TileZone } from './drawTile.js';
import type { PointGroup } from './pointGroups.js';

type Item = { readonly zone: TileZone } | { readonly group: PointGroup };

/**
 * The tile with as many zones as fit into `maxBytes`: first the zones by the extent of their part in the tile, then points by their `count`. Ties are in
 * order. `write` writes a tile with a number of zones left out. O(log zones) tiles are written.
 */
export function withinBytes(
  { zones, groups }: DrawnTile,
  maxBytes: number,
  write: (tile: DrawnTile, leftOut: number) => Uint8Array,
): Uint8Array {
  const sizes = new Map(zones.map((zone) => [zone, extentOf(zone)]));
  const items: Item[] = [
    ...zones.toSorted((p, q) => sizes.get(q)! - sizes.get(p)!).map((zone) => ({ zone })),
    ...groups.toSorted((p, q) => q.count - p.count).map((group) => ({ group })),
  ];
  const counts = items.map((item) => ('zone' in item ? 1 : item.group.count));
  const withFirst = (kept: number): Uint8Array => {
    const chosen = new Set<unknown>(
      items.slice(0, kept).map((item) => ('zone' in item ? item.zone : item.group)),
    );
    const leftOut = counts.slice(kept).reduce((sum, count) => sum + count, 0);
    const part = {
      zones: zones.filter((zone) => chosen.has(zone)),
      groups: groups.filter((group) => chosen.has(group)),
    };
    return write(part, leftOut);
  };
  let bytes = withFirst(0);
  let fits = 0;
  let fails = items.length;
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1;
    const tried = withFirst(middle);
    if (tried.length <= maxBytes) {
      fits = middle;
      bytes = tried;
    } else fails = middle;
  }
  return bytes;
}

/** Half the way around the box of a zone in its tile. */
function extentOf({ polygons, lines }: TileZone): number {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of [...polygons.flat(), ...lines.map(({ points }) => points)]) {
    for (let i = 0; i < path.length; i += 2) {
      minX = Math.min(minX, path[i]!);
      maxX = Math.max(maxX, path[i]!);
      minY = Math.min(minY, path[i + 1]!);
      maxY = Math.max(maxY, path[i + 1]!);
    }
  }
  return maxX - minX + maxY - minY;
}
