/** Tiles inside a page or its worker, for `addProtocol` of MapLibre GL JS. */

import { inputError } from '../core/errors.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { checkedInternals } from './checkedInternals.js';
import { readTile, type TileId } from './tileFrame.js';
import { type TileJson, tileJson } from './tileJson.js';
import { readTileOptions, type TileOptions } from './tileOptions.js';
import { tileOf } from './zoneTile.js';

/** A request from MapLibre: an address, and `json` for a TileJSON. */
export interface TileRequest {
  /** The address. */
  readonly url: string;
  /** `json` for a TileJSON; anything else for a tile. */
  readonly type?: string | undefined;
}

/** An answer for MapLibre: the bytes of a tile, or a TileJSON. */
export interface TileAnswer {
  /** The requested tile or TileJSON. */
  readonly data: ArrayBuffer | TileJson;
}

/** A column, row or zoom in an address. */
const NUMBER = /^\d{1,8}$/;

/**
 * A function for `maplibregl.addProtocol(name, …)`, without a server. It answers `name://tiles/{z}/{x}/{y}` with the tile of `zoneTile`. It
 * answers a request for JSON with the TileJSON of these tiles, for example for a source with `url: 'name://tiles'`. The index may come from
 * `ZoneIndex.fromBuffer`. After an edit of the index, the next requests return the new zones.
 *
 * Errors: as `zoneTile` for the index and the options, thrown at once. The promise rejects with `tile-type` for another address, and with
 * `tile-range`.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { tileProtocol } from 'wayzone/tiles';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const answer = tileProtocol(index); // maplibregl.addProtocol('zones', answer);
 * (await answer({ url: 'zones://tiles/12/2475/1281' })).data instanceof ArrayBuffer; // true
 * ```
 */
export function tileProtocol(
  index: ZoneIndex,
  options: TileOptions = {},
): (request: TileRequest) => Promise<TileAnswer> {
  const internals = checkedInternals(index);
  const rules = readTileOptions(options);
  return async ({ url, type }) => {
    const path = url.split(/[?#]/, 1)[0]!;
    if (type === 'json') {
      const base = path.endsWith('/') ? path : `${path}/`;
      const tiles = [`${base}{z}/{x}/{y}`];
      return { data: tileJson(index, { tiles, layers: [...rules.layers], properties: rules.properties }) };
    }
    const bytes = tileOf(internals, readTile(tileIn(path)), rules);
    // Copied, because MapLibre transfers the buffer.
    return { data: bytes.slice().buffer };
  };
}

/** The tile named by the last three parts of an address. The last part may have an extension. */
function tileIn(path: string): TileId {
  const [z, x, last] = path.split('/').slice(-3);
  const y = last?.split('.', 1)[0];
  const numbers = [z, x, y].map((part) => (part !== undefined && NUMBER.test(part) ? Number(part) : null));
  if (numbers.includes(null)) throw inputError('tile-type', 'url', 'an address that ends in z/x/y', path);
  return { z: numbers[0]!, x: numbers[1]!, y: numbers[2]! };
}
