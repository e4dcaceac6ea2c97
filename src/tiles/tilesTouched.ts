/** Lists tiles: those that an edit of a zone changes, and all that are not empty, zoom by zoom. */

import { splitBbox } from '../core/angles.js';
import { inputError } from '../core/errors.js';
import type { Bbox } from '../core/geometry.js';
import { readBbox } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { ZoneRow } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { EXTENT, latOfShare, MAX_ZOOM, type TileFrame, type TileId, tileFrameOf } from './tileFrame.js';
import { checkedInternals, readNames, type TileRules } from './tileOptions.js';
import { visitZones } from './tileZones.js';
import { editOf } from './zoneEdit.js';
import { tileOf } from './zoneTile.js';

/** Limits of the examined tiles. */
export interface TouchedOptions {
  /** Lowest zoom. Default 0. */
  readonly minZoom?: number | undefined;
  /** Highest zoom, at most 24. Default 14. */
  readonly maxZoom?: number | undefined;
  /** Only tiles that meet this box. West > east crosses ±180. Default: all. */
  readonly bbox?: Bbox | undefined;
  /** Further properties, as `zoneTile` has them. Default: none. */
  readonly properties?: readonly string[] | undefined;
}

const TOUCHED_OPTIONS: OptionTable<TouchedOptions, 'properties'> = {
  minZoom: { default: 0, max: MAX_ZOOM, isWhole: true },
  maxZoom: { default: 14, max: MAX_ZOOM, isWhole: true },
  bbox: OWN,
  properties: OWN,
};

/**
 * The tiles of `zoneTile` whose bytes an edit of one zone changes, and no others, by zoom, row and column.
 *
 * `index` is the index after the edit. `before` is the zone's row before the edit, null for a new zone. `after` is the zone's row after the
 * edit, null for a removed zone; only its id is read. A row marked deleted counts as null. An update keeps the ordinal. A zone that was removed
 * and added again has a new ordinal, so pass both edits. Tiles with `maxBytes` may change less.
 *
 * Cost: for each tile that the zone's old or new border reaches, the zone is drawn twice. A large zone has many tiles at a high zoom: limit them
 * by `bbox` and `maxZoom`. Errors: `index-type`, `option-unknown`, `option-value`, `bbox-invalid`, and the errors of a row.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { tilesTouched } from 'wayzone/tiles';
 * const before = { id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 };
 * const index = new ZoneIndex([before]);
 * const after = { ...before, width: 700 };
 * index.update(after);
 * tilesTouched(index, before, after, { minZoom: 12, maxZoom: 12 }); // [{ z: 12, x: 2475, y: 1281 }]
 * ```
 */
export function tilesTouched(
  index: ZoneIndex,
  before: ZoneRow | null,
  after: ZoneRow | null,
  options: TouchedOptions = {},
): TileId[] {
  const internals = checkedInternals(index);
  const { minZoom, maxZoom, bbox, properties } = readOptions(options, TOUCHED_OPTIONS);
  if (maxZoom < minZoom) throw inputError('option-value', 'options.maxZoom', `at least ${minZoom}`, maxZoom);
  const box = bbox === undefined ? null : readBbox(bbox, 'options.bbox');
  const edit = editOf(index, internals, before, after, readNames(properties));
  const touched: TileId[] = [];
  const visit = (z: number, x: number, y: number): void => {
    const frame = tileFrameOf(z, x, y);
    if (!edit.reaches(frame) || (box !== null && !meets(frame, box))) return;
    const found = edit.at(frame);
    if (z >= minZoom && found.isChanged) touched.push({ z, x, y });
    if (z === maxZoom || found.isSettled) return;
    for (const [right, down] of CHILDREN) visit(z + 1, 2 * x + right, 2 * y + down);
  };
  visit(0, 0, 0);
  return touched.sort((p, q) => p.z - q.z || p.y - q.y || p.x - q.x);
}

const CHILDREN = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** Whether a tile without its buffer meets a box. */
function meets({ world, perDegree, left, top }: TileFrame, box: Bbox): boolean {
  const west = left / perDegree - 180;
  const east = (left + EXTENT) / perDegree - 180;
  const south = latOfShare((top + EXTENT) / world);
  const north = latOfShare(top / world);
  return splitBbox(box).some(([w, s, e, n]) => w <= east && e >= west && s <= north && n >= south);
}

/** A tile and its bytes. */
interface PyramidTile extends TileId {
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
