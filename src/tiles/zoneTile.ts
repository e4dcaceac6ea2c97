/** Vector tiles of the zones of an index. */

import type { IndexInternals } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { ZonePen } from './drawZone.js';
import type { PointGroup } from './pointGroups.js';
import { drawOne, type TileContent, type TileZone, tileContent } from './tileContent.js';
import { EXTENT, readTile, type TileFrame, type TileId } from './tileFrame.js';
import {
  checkedInternals,
  readTileOptions,
  type TileLayer,
  type TileOptions,
  type TileRules,
} from './tileOptions.js';
import { type LayerMark, LayerWriter, Properties, tileBytes } from './tileWriter.js';
import { propertiesOf } from './zoneProperties.js';
import { extentOf } from './zoneSize.js';

/** Size reserved for the feature with the number of zones left out, bytes. */
const LEFT_OUT_BYTES = 60;
/** Least size of a zone, bytes. */
const LEAST_BYTES = 20;
/** Largest number of oversized zones that are skipped: detecting each costs more than a tile's bytes. */
const MOST_TOO_LARGE = 100;

interface SmallTile {
  readonly maxBytes: number;
  /** Rank of a zone: the greatest come first. */
  readonly extentOf: (ordinal: number) => number;
  /** Draws a zone; null if it does not reach the tile. */
  readonly draw: (ordinal: number) => TileZone | null;
  readonly layers: () => TileLayers;
}

/**
 * One tile of the present zones of an index: a Mapbox Vector Tile 2.1 of 4,096 units with a buffer of 64. A tile without zones has 0 bytes.
 *
 * Layers, chosen by `options.layers`: `zones` (areas), `borders` (lines), `labels` (a point inside each zone) and `points` (zones smaller than a
 * pixel, with `count`). Properties: `id`, `name`, `type`, `color`, `icon` and `options.properties`. The id of a feature is the ordinal of its
 * zone (`ordinalOf`). Accuracy: half a pixel and one unit. All rules: `docs/guide/map-tiles.md`.
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

/**
 * The tile with as many zones as fit, those of the greatest extent first, then points by their `count`; ties are in order. An item too
 * large to fit does not keep out the later ones. Only the zones that fit, the skipped ones and the next one are drawn; all others are
 * counted by their boxes.
 */
function withinBytes({ ordinals, groups }: TileContent, options: SmallTile): Uint8Array {
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

class TileLayers {
  readonly #chosen: ReadonlySet<TileLayer>;
  readonly #propertiesAt: (ordinal: number) => Properties;
  readonly #areas = new LayerWriter('zones');
  readonly #borders = new LayerWriter('borders');
  readonly #labels = new LayerWriter('labels');
  readonly #points = new LayerWriter('points');
  readonly #all = [this.#areas, this.#borders, this.#labels, this.#points];

  constructor(chosen: ReadonlySet<TileLayer>, propertiesAt: (ordinal: number) => Properties) {
    this.#chosen = chosen;
    this.#propertiesAt = propertiesAt;
  }

  /** Size of the tile so far, bytes. */
  get bytes(): number {
    return this.#all.reduce((sum, layer) => sum + layer.bytes, 0);
  }

  /** Marks of the present ends of the layers. */
  get marks(): readonly LayerMark[] {
    return this.#all.map(({ mark }) => mark);
  }

  /** Removes all that was added after the marks. */
  backTo(marks: readonly LayerMark[]): void {
    for (const [i, layer] of this.#all.entries()) layer.backTo(marks[i]!);
  }

  zone({ ordinal, polygons, lines, label }: TileZone): void {
    const properties = this.#propertiesAt(ordinal);
    const has = (layer: TileLayer): boolean => this.#chosen.has(layer);
    if (polygons.length > 0 && has('zones')) this.#areas.polygons(ordinal, properties, polygons);
    if (lines.length > 0 && has('borders')) this.#borders.lines(ordinal, properties, lines);
    if (label !== null && has('labels')) this.#labels.point(ordinal, properties, label[0], label[1]);
  }

  group({ ordinal, count, x, y }: PointGroup): void {
    if (!this.#chosen.has('points')) return;
    const properties = new Properties();
    if (ordinal !== null) properties.addAll(this.#propertiesAt(ordinal));
    properties.add('count', count);
    this.#points.point(ordinal, properties, x, y);
  }

  /** Adds a label with the number of zones left out, in the middle of the tile, also where `labels` is not chosen. */
  leftOut(count: number): void {
    const number = new Properties();
    number.add('leftOut', count);
    this.#labels.point(null, number, EXTENT / 2, EXTENT / 2);
  }

  finish(): Uint8Array {
    return tileBytes(this.#all);
  }
}
