/** All tiles of an index that are not empty, zoom by zoom. */

import type { ZoneIndex } from '../zones/zoneIndex.js';
import { checkedInternals } from './checkedInternals.js';
import { type TileId, tileFrameOf } from './tileFrame.js';
import type { TileRules } from './tileOptions.js';
import { visitZones } from './tileZones.js';
import { tileOf } from './zoneTile.js';

/** A tile and its bytes. */
export interface PyramidTile extends TileId {
  readonly bytes: Uint8Array;
}

/** The tiles of a zoom whose boxes with their buffers meet boxes of zones. `parents`: the tiles of the zoom before. */
function tilesBelow(index: ZoneIndex, parents: readonly TileId[]): TileId[] {
  const internals = checkedInternals(index);
  const tiles: TileId[] = [];
  for (const { z, x, y } of parents) {
    for (let child = 0; child < 4; child++) {
      const frame = tileFrameOf(z + 1, 2 * x + (child & 1), 2 * y + (child >> 1));
      let isMet = false;
      visitZones(internals, frame, () => {
        isMet = true;
      });
      if (isMet) tiles.push({ z: frame.z, x: frame.x, y: frame.y });
    }
  }
  return tiles;
}

/** The tiles of the zooms that are not empty, zoom by zoom, in the order of `keyOf`. */
export function* tilePyramid(
  index: ZoneIndex,
  minZoom: number,
  maxZoom: number,
  rules: TileRules,
  keyOf: (tile: TileId) => number,
): Generator<PyramidTile> {
  let tiles: TileId[] = [{ z: 0, x: 0, y: 0 }];
  const internals = checkedInternals(index);
  for (let z = 0; z <= maxZoom; z++) {
    if (z > 0) tiles = tilesBelow(index, tiles);
    if (z < minZoom) continue;
    const keys = new Map(tiles.map((tile) => [tile, keyOf(tile)]));
    for (const tile of tiles.toSorted((p, q) => keys.get(p)! - keys.get(q)!)) {
      const bytes = tileOf(internals, tileFrameOf(tile.z, tile.x, tile.y), rules);
      if (bytes.length > 0) yield { ...tile, bytes };
    }
  }
}
