/** Vector tiles of the zones of an index. */

import type { Insides } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { type DrawnTile, drawTile } from './drawTile.js';
import { insidesOfIndex } from './insidesOfIndex.js';
import { EXTENT, readTile, type TileFrame, type TileId } from './tileFrame.js';
import { readTileOptions, type TileOptions, type TileRules } from './tileOptions.js';
import { LayerWriter, Properties, tileBytes } from './tileWriter.js';
import { withinBytes } from './withinBytes.js';
import { propertiesOf } from './zoneProperties.js';

/**
 * One tile of the zones as they are in the index now: a Mapbox Vector Tile 2.1 of 4,096 units with a buffer of 64. A tile without zones has 0 bytes.
 *
 * - `zones`: the areas of all zones: polygons with holes and parts, circles, corridors. They are valid, wound and closed, by the even-odd rule.
 * - `borders`: their borders as lines. No line is where a tile ends. A corridor that is less than a pixel wide has its centre line, and no area.
 * - `labels`: one point inside each of these zones, in one tile of a zoom.
 * - `points`: zones smaller than a pixel in both directions, and points without a width, each in one tile, with their number as `count`. The zones of
 *   one pixel are one point, as are all zones of a square of 16 pixels with more than 8.
 *
 * Properties are `id`, `name`, `type`, `color` and `icon`, each unless it is missing, and `options.properties`. A point of several zones has only
 * `count`. The id of a feature is the ordinal of its zone (`ordinalOf`), the same in each layer; a point of several zones has none.
 *
 * A pixel is 8 units. Vertices lie on a grid of the whole world of half a pixel, so zones with a common border have it in common in every tile.
 * Edges are straight in longitude and latitude, as everywhere, so long ones are curves. Error: under half a pixel and one unit
 * (`test/tiles/exactness.test.ts`). Zones across ±180° and around the poles have no seam. The map ends at 85.06°.
 *
 * Cost: O(vertices of the zones that reach the tile). Nothing is prepared and nothing is kept. Errors: `index-type`, `tile-type`, `tile-range`,
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
  const insides = insidesOfIndex(index);
  const frame = readTile(tile);
  return tileOf(insides, frame, readTileOptions(options));
}

/** `zoneTile` of checked arguments. */
export function tileOf(insides: Insides, frame: TileFrame, rules: TileRules): Uint8Array {
  const drawn = drawTile(insides, frame);
  const write = (part: DrawnTile, leftOut: number): Uint8Array =>
    writeTile(part, leftOut, (ordinal) => propertiesOf(insides, ordinal, rules.properties));
  const bytes = write(drawn, 0);
  return bytes.length <= rules.maxBytes ? bytes : withinBytes(drawn, rules.maxBytes, write);
}

function writeTile(
  { zones, groups }: DrawnTile,
  leftOut: number,
  propertiesAt: (ordinal: number) => Properties,
): Uint8Array {
  const areas = new LayerWriter('zones');
  const borders = new LayerWriter('borders');
  const labels = new LayerWriter('labels');
  const points = new LayerWriter('points');
  for (const { ordinal, polygons, lines, label } of zones) {
    const properties = propertiesAt(ordinal);
    if (polygons.length > 0) areas.polygons(ordinal, properties, polygons);
    if (lines.length > 0) borders.lines(ordinal, properties, lines);
    if (label !== null) labels.point(ordinal, properties, label[0], label[1]);
  }
  if (leftOut > 0) {
    const number = new Properties();
    number.add('leftOut', leftOut);
    labels.point(null, number, EXTENT / 2, EXTENT / 2);
  }
  for (const { ordinal, count, x, y } of groups) {
    const properties = ordinal === null ? new Properties() : propertiesAt(ordinal);
    properties.add('count', count);
    points.point(ordinal, properties, x, y);
  }
  return tileBytes([areas, borders, labels, points]);
}
