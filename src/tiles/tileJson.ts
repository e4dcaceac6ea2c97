/**
 * TileJSON 3.0.0 (github.com/mapbox/tilejson-spec) of the tiles of an index, and tiles inside a page or its worker, for `addProtocol` of
 * MapLibre GL JS.
 */

import { inputError, isArray } from '../core/errors.js';
import type { Bbox } from '../core/geometry.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { IndexInternals } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import { MAP_LAT, MAX_ZOOM, readTile, type TileId } from './tileFrame.js';
import {
  checkedInternals,
  readLayers,
  readNames,
  readTileOptions,
  type TileLayer,
  type TileOptions,
} from './tileOptions.js';
import { visitZones } from './tileZones.js';
import { ZONE_PROPERTIES } from './zoneProperties.js';
import { tileOf } from './zoneTile.js';

/** A column, row or zoom in an address. */
const NUMBER = /^\d{1,8}$/;

/** Properties of a TileJSON. */
export interface TileJsonOptions {
  /** Addresses of the tiles with `{z}`, `{x}` and `{y}`; at least one. */
  readonly tiles: readonly string[];
  /** Name of the tiles. Default `zones`. */
  readonly name?: string | undefined;
  /** Lowest zoom. Default 0. */
  readonly minZoom?: number | undefined;
  /** Highest zoom, at most 24. Beyond it maps enlarge its tiles. Default 14, where a unit is 0.6 m at the equator. */
  readonly maxZoom?: number | undefined;
  /** Layers, as `zoneTile` has them. Default: all four. */
  readonly layers?: readonly TileLayer[] | undefined;
  /** Further properties, as `zoneTile` has them. Default: none. */
  readonly properties?: readonly string[] | undefined;
}

const TILE_JSON_OPTIONS: OptionTable<TileJsonOptions, 'layers' | 'properties' | 'tiles' | 'name'> = {
  tiles: OWN,
  name: OWN,
  minZoom: { default: 0, max: MAX_ZOOM, isWhole: true },
  maxZoom: { default: 14, max: MAX_ZOOM, isWhole: true },
  layers: OWN,
  properties: OWN,
};

/** A layer of a TileJSON, with its properties. */
export interface VectorLayer {
  /** Name of the layer. */
  readonly id: string;
  /** Description of each property, by its name. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A TileJSON 3.0.0 of vector tiles. */
export interface TileJson {
  /** Version of the specification. */
  readonly tilejson: '3.0.0';
  /** Name of the tiles. */
  readonly name: string;
  /** Order of the rows: from the north. */
  readonly scheme: 'xyz';
  /** Addresses with `{z}`, `{x}` and `{y}`. */
  readonly tiles: readonly string[];
  /** Lowest zoom. */
  readonly minzoom: number;
  /** Highest zoom. */
  readonly maxzoom: number;
  /** Box of all zones within the map: west, south, east, north. */
  readonly bounds: Bbox;
  /** The layers. */
  readonly vector_layers: readonly VectorLayer[];
}

/**
 * The TileJSON of the tiles of an index by `zoneTile`. `bounds` contains the present zones, to about 10 m, or the whole map if there are
 * none. O(zones). Errors: `index-type`, `option-type`, `option-unknown`, `option-value`.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { tileJson } from 'wayzone/tiles';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * tileJson(index, { tiles: ['https://example.org/tiles/{z}/{x}/{y}.mvt'] }).vector_layers.length; // 4
 * ```
 */
export function tileJson(index: ZoneIndex, options: TileJsonOptions): TileJson {
  const internals = checkedInternals(index);
  const { tiles, name, minZoom, maxZoom, layers, properties } = readOptions(options, TILE_JSON_OPTIONS);
  if (maxZoom < minZoom) throw inputError('option-value', 'options.maxZoom', `at least ${minZoom}`, maxZoom);
  if (name !== undefined && typeof name !== 'string')
    throw inputError('option-value', 'options.name', 'a text', name);
  return {
    tilejson: '3.0.0',
    name: name ?? 'zones',
    scheme: 'xyz',
    tiles: readAddresses(tiles),
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds: boundsOf(internals),
    vector_layers: layersWith(readLayers(layers), readNames(properties)),
  };
}

/** The chosen layers with their properties. */
export function layersWith(chosen: ReadonlySet<TileLayer>, more: readonly string[]): VectorLayer[] {
  const fields = Object.fromEntries([
    ...ZONE_PROPERTIES.map((name) => [name, 'String']),
    ...more.map((name) => [name, 'String, Number or Boolean']),
  ]) as Record<string, string>;
  const layers: (VectorLayer & { readonly id: TileLayer })[] = [
    { id: 'zones', fields },
    { id: 'borders', fields },
    { id: 'labels', fields: { ...fields, leftOut: 'Number' } },
    { id: 'points', fields: { ...fields, count: 'Number' } },
  ];
  return layers.filter(({ id }) => chosen.has(id));
}

function readAddresses(tiles: unknown): readonly string[] {
  const list = guarded('options.tiles', () => (isArray(tiles) ? [...tiles] : null));
  const isAddress = (text: unknown): boolean =>
    typeof text === 'string' && ['{z}', '{x}', '{y}'].every((part) => text.includes(part));
  if (list !== null && list.length > 0 && list.every(isAddress)) return list as string[];
  throw inputError('option-value', 'options.tiles', 'a list of addresses with {z}, {x} and {y}', tiles);
}

/** The box around the boxes of all zones. */
export function boundsOf(internals: IndexInternals): Bbox {
  const { zoneFrom, zonePieces, pieceBoxes } = internals.columns;
  let [west, south, east, north] = [180, MAP_LAT, -180, -MAP_LAT];
  visitZones(internals, { z: 0, west: -180, south: -90, east: 180, north: 90 }, (ordinal) => {
    const first = zoneFrom[ordinal]!;
    for (let box = 4 * first; box < 4 * (first + zonePieces[ordinal]!); box += 4) {
      west = Math.min(west, pieceBoxes[box]!);
      south = Math.min(south, pieceBoxes[box + 1]!);
      east = Math.max(east, pieceBoxes[box + 2]!);
      north = Math.max(north, pieceBoxes[box + 3]!);
    }
  });
  if (west > east || south > north) return [-180, -MAP_LAT, 180, MAP_LAT];
  return [Math.max(west, -180), Math.max(south, -MAP_LAT), Math.min(east, 180), Math.min(north, MAP_LAT)];
}

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
