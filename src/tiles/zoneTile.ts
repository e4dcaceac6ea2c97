/** Vector tiles of the zones of an index. */

import type { IndexInternals } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { checkedInternals } from './checkedInternals.js';
import { ZonePen } from './drawZone.js';
import { drawOne, type TileContent, type TileZone, tileContent } from './tileContent.js';
import { readTile, type TileFrame, type TileId } from './tileFrame.js';
import { TileLayers } from './tileLayers.js';
import { readTileOptions, type TileOptions, type TileRules } from './tileOptions.js';
import type { Properties } from './tileWriter.js';
import { withinBytes } from './withinBytes.js';
import { propertiesOf } from './zoneProperties.js';
import { extentOf } from './zoneSize.js';

/**
 * One tile of the present zones of an index: a Mapbox Vector Tile 2.1 of 4,096 units with a buffer of 64. A tile without zones has 0 bytes.
 *
 * - `zones`: the areas of all zones: polygons with holes and parts, circles, corridors. They are valid, wound and closed, by the even-odd
 *   rule.
 * - `borders`: their borders as lines. No line runs along the edge of a tile. A corridor that is less than a pixel wide, or whose area
 *   would take too many steps (`limit-vertices` of `lineToPolygon`), has its centre line, and no area.
 * - `labels`: one point inside each of these zones, in one tile of a zoom.
 * - `points`: zones smaller than a pixel in both directions, and points without a width, each in one tile, with their number as `count`.
 *   The zones of one pixel are one point, as are all zones of a square of 16 pixels with more than 8.
 *
 * `options.layers` chooses among them.
 *
 * Properties are `id`, `name`, `type`, `color` and `icon`, each unless it is missing, and `options.properties`. A point of several zones
 * has only `count`. The id of a feature is the ordinal of its zone (`ordinalOf`), the same in each layer; a point of several zones has
 * none.
 *
 * A pixel is 8 units. Vertices lie on a grid of the whole world of half a pixel, so zones with a common border share it in every tile.
 * Edges are straight in longitude and latitude, as everywhere, so long ones are curves. Error: under half a pixel and one unit
 * (`test/tiles/exactness.test.ts`). Zones across ±180° and around the poles have no seam. The map ends at 85.06°.
 *
 * Cost: O(vertices of the zones that reach the tile). Nothing is prepared or cached. Errors: `index-type`, `tile-type`, `tile-range`,
 * `option-unknown`, `option-value`.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { zoneTile } from 'wayzone/tiles';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * zoneTile(index, { z: 12, x: 2475, y: 1281 }).length > 0; // true
 * zoneTile(index, { z: 12, x: 0, y: 0 }).length; // 0
 * ```
 */
export function zoneTile(index: ZoneIndex, tile: TileId, options: TileOptions = {}): Uint8Array {
  const internals = checkedInternals(index);
  const frame = readTile(tile);
  return tileOf(internals, frame, readTileOptions(options));
}

/** `zoneTile` with checked arguments. */
export function tileOf(
  internals: IndexInternals,
  frame: TileFrame,
  { layers: chosen, properties, maxBytes }: TileRules,
): Uint8Array {
  const { columns } = internals;
  const content = tileContent(internals, frame);
  const pen = new ZonePen(frame);
  const draw = (ordinal: number): TileZone | null => drawOne(columns, ordinal, frame, pen, chosen);
  /** Cached, because reading the row of a zone costs more than all other work on it. */
  const known = new Map<number, Properties>();
  const propertiesAt = (ordinal: number): Properties => {
    const own = known.get(ordinal) ?? propertiesOf(internals, ordinal, properties);
    known.set(ordinal, own);
    return own;
  };
  const layers = (): TileLayers => new TileLayers(chosen, propertiesAt);
  const bytes = wholeTile(content, draw, layers(), maxBytes);
  if (bytes !== null) return bytes;
  return withinBytes(content, {
    maxBytes,
    extentOf: (ordinal) => extentOf(columns, ordinal, frame),
    draw,
    layers,
  });
}

/** The tile with all its zones; null, as soon as it is certain, if it has more than `maxBytes`. */
function wholeTile(
  { ordinals, groups }: TileContent,
  draw: (ordinal: number) => TileZone | null,
  layers: TileLayers,
  maxBytes: number,
): Uint8Array | null {
  for (const ordinal of ordinals) {
    const zone = draw(ordinal);
    if (zone !== null) layers.zone(zone);
    if (layers.bytes > maxBytes) return null;
  }
  for (const group of groups) {
    layers.group(group);
    if (layers.bytes > maxBytes) return null;
  }
  return layers.finish();
}
