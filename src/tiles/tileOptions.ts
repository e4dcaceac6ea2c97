/** Options of tiles. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import { type IndexInternals, internalsOf } from '../zones/index/index.js';

/** Name of a layer of a tile. */
export type TileLayer = 'zones' | 'borders' | 'labels' | 'points';

/** In their order in a tile. */
const TILE_LAYERS: readonly TileLayer[] = ['zones', 'borders', 'labels', 'points'];
export const ALL_LAYERS: ReadonlySet<TileLayer> = new Set(TILE_LAYERS);

/** Options for the content of a tile. */
export interface TileOptions {
  /**
   * The layers to write, at least one. A tile with `['zones', 'points']` has half the bytes, but no borders, labels and thin corridors. Default:
   * all four.
   */
  readonly layers?: readonly TileLayer[] | undefined;
  /**
   * Further fields of the zones that become properties: texts, numbers, flags, and entries of dictionaries as their keys. Fields with other values
   * are left out. Default: none.
   */
  readonly properties?: readonly string[] | undefined;
  /**
   * Greatest size of a tile, bytes, at least 1,000. In a larger tile the points and the zones with the smallest boxes are left out. A feature of
   * `labels` in the middle of the tile says how many were left out (`leftOut`). The number also counts zones whose box reaches the tile but
   * whose area does not. A zone that does not fit is skipped. After 100 skipped zones the tile ends. The cost of a tile is in proportion to its
   * bytes, plus a test of each zone's box. Default: 500,000, because maps load larger tiles slowly; `Infinity`: unlimited.
   */
  readonly maxBytes?: number | undefined;
}

export const TILE_OPTIONS: OptionTable<TileOptions, 'layers' | 'properties'> = {
  layers: OWN,
  properties: OWN,
  maxBytes: { default: 500_000, min: 1000 },
};

/** Checked options of tiles. */
export interface TileRules {
  readonly layers: ReadonlySet<TileLayer>;
  readonly properties: readonly string[];
  readonly maxBytes: number;
}

export function readTileOptions(options: unknown): TileRules {
  const { layers, properties, maxBytes } = readOptions(options, TILE_OPTIONS);
  return { layers: readLayers(layers), properties: readNames(properties), maxBytes };
}

/** The layers of a list; all by default. */
export function readLayers(layers: unknown): ReadonlySet<TileLayer> {
  if (layers === undefined) return ALL_LAYERS;
  const list = guarded('options.layers', () => (isArray(layers) ? [...layers] : null));
  if (list !== null && list.length > 0 && list.every((name) => TILE_LAYERS.includes(name as TileLayer)))
    return new Set(list as TileLayer[]);
  throw inputError('option-value', 'options.layers', `a list of ${TILE_LAYERS.join(', ')}`, layers);
}

/** The names of further properties, without repeats. */
export function readNames(names: unknown): readonly string[] {
  if (names === undefined) return [];
  const list = guarded('options.properties', () => (isArray(names) ? [...names] : null));
  if (list?.every((name) => typeof name === 'string')) return [...new Set(list as string[])];
  throw inputError('option-value', 'options.properties', 'a list of names of fields', names);
}

/** The private members of an index that tiles use. Error: `index-type` for any value but a `ZoneIndex`. */
export function checkedInternals(index: unknown): IndexInternals {
  const internals = typeof index === 'object' && index !== null ? internalsOf(index) : null;
  if (internals === null) throw inputError('index-type', 'index', 'a ZoneIndex', index);
  return internals;
}
