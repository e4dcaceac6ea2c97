/** Leaves zones out of a tile that is too large. */

import type { PointGroup } from './pointGroups.js';
import type { TileContent, TileZone } from './tileContent.js';
import type { TileLayers } from './tileLayers.js';

/** Size reserved for the feature with the number of zones left out, bytes. */
const LEFT_OUT_BYTES = 60;
/** Least size of a zone, bytes. */
const LEAST_BYTES = 20;
/** Largest number of oversized zones that are skipped: detecting each costs more than a tile's bytes. */
const MOST_TOO_LARGE = 100;

export interface SmallTile {
  readonly maxBytes: number;
  /** Rank of a zone: the greatest come first. */
  readonly extentOf: (ordinal: number) => number;
  /** Draws a zone; null if it does not reach the tile. */
  readonly draw: (ordinal: number) => TileZone | null;
  readonly layers: () => TileLayers;
}

/**
 * The tile with as many zones as fit, those of the greatest extent first, then points by their `count`; ties are in order. An item too
 * large to fit does not keep out the later ones. Only the zones that fit, the skipped ones and the next one are drawn; all others are
 * counted by their boxes.
 */
export function withinBytes({ ordinals, groups }: TileContent, options: SmallTile): Uint8Array {
  const { maxBytes, draw, layers } = options;
  const draft = layers();
  const hasRoom = ({ bytes }: TileLayers): boolean => bytes + LEFT_OUT_BYTES <= maxBytes;
  let tooLarge = 0;
  let isFull = false;
  /** Adds an item to the draft if it fits, and returns whether it did. */
  const put = (add: (to: TileLayers) => void): boolean => {
    const { marks } = draft;
    add(draft);
    if (hasRoom(draft)) return true;
    draft.backTo(marks);
    const alone = layers();
    add(alone);
    isFull = hasRoom(alone) || ++tooLarge > MOST_TOO_LARGE;
    return false;
  };
  const zones: TileZone[] = [];
  const points: PointGroup[] = [];
  let leftOut = ordinals.length;
  for (const ordinal of byExtent(ordinals, options.extentOf, Math.ceil(maxBytes / LEAST_BYTES))) {
    const zone = draw(ordinal);
    if (zone === null) leftOut--;
    else if (put((to) => to.zone(zone))) {
      zones.push(zone);
      leftOut--;
    } else if (isFull) break;
  }
  for (const group of groups.toSorted((p, q) => q.count - p.count)) {
    if (!isFull && put((to) => to.group(group))) points.push(group);
    else leftOut += group.count;
  }
  for (;;) {
    const bytes = written(layers(), zones, points, groups, leftOut);
    const count = zones.length + points.length;
    if (bytes.length <= maxBytes || count === 0) return bytes;
    // The sizes in the draft are nearly right: only few items are too many.
    const excess = Math.ceil((count * (bytes.length - maxBytes)) / bytes.length);
    for (let i = 0; i < excess; i++) leftOut += points.pop()?.count ?? (zones.pop() === undefined ? 0 : 1);
  }
}

/** Writes a tile in the order of an unlimited one: zones by ordinal, points by square. */
function written(
  layers: TileLayers,
  zones: readonly TileZone[],
  points: readonly PointGroup[],
  groups: readonly PointGroup[],
  leftOut: number,
): Uint8Array {
  const chosen = new Set(points);
  for (const zone of zones.toSorted((p, q) => p.ordinal - q.ordinal)) layers.zone(zone);
  if (leftOut > 0) layers.leftOut(leftOut);
  for (const group of groups) if (chosen.has(group)) layers.group(group);
  return layers.finish();
}

/**
 * Ordinals in descending order of extent, ties by ordinal. The first `most` are sorted separately: of a million zones only few are needed.
 */
function* byExtent(
  ordinals: readonly number[],
  extentOf: (ordinal: number) => number,
  most: number,
): Generator<number> {
  const extents = Float64Array.from(ordinals, extentOf);
  const limit = most < extents.length ? extents.toSorted()[extents.length - most]! : 0;
  for (const isFirst of [true, false]) {
    const part = Array.from(ordinals.keys()).filter((i) => extents[i]! >= limit === isFirst);
    for (const i of part.sort((p, q) => extents[q]! - extents[p]!)) yield ordinals[i]!;
  }
}
