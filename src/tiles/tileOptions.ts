/** Options of tiles. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';

/** Options for the content of a tile. */
export interface TileOptions {
  /**
   * Further fields of the zones that become properties: texts, numbers, flags, and entries of dictionaries as their keys. Fields with other values
   * are left out. Default: none.
   */
  readonly properties?: readonly string[] | undefined;
  /**
   * Greatest size of a tile in bytes, from 1,000. In a larger tile the points and the zones with the smallest boxes are left out, and a
   * feature of `labels` in the middle of the tile has their number as its property `leftOut`; zones whose box alone reaches the tile are
   * counted too. A zone too large to fit, for example by its name, is skipped; after 100 of these the tile ends. The cost of a tile is that
   * of its bytes, plus a test of each zone's box. Default: unlimited.
   */
  readonly maxBytes?: number | undefined;
}

export const TILE_OPTIONS: OptionTable<TileOptions, 'properties'> = {
  properties: OWN,
  maxBytes: { default: Number.POSITIVE_INFINITY, min: 1000 },
};

/** Checked options of tiles. */
export interface TileRules {
  readonly properties: readonly string[];
  readonly maxBytes: number;
}

export function readTileOptions(options: unknown): TileRules {
  const { properties, maxBytes } = readOptions(options, TILE_OPTIONS);
  return { properties: readNames(properties), maxBytes };
}

/** The names of further properties, without repeats. */
export function readNames(names: unknown): readonly string[] {
  if (names === undefined) return [];
  const list = guarded('options.properties', () => (isArray(names) ? [...names] : null));
  if (list?.every((name) => typeof name === 'string')) return [...new Set(list as string[])];
  throw inputError('option-value', 'options.properties', 'a list of names of fields', names);
}
