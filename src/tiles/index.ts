/** Subpath `wayzone/tiles`: vector tiles of the zones of an index. */

export type { TileId } from './tileFrame.js';
export {
  type TileAnswer,
  type TileJson,
  type TileJsonOptions,
  type TileRequest,
  tileJson,
  tileProtocol,
  type VectorLayer,
} from './tileJson.js';
export type { TileLayer, TileOptions } from './tileOptions.js';
export { type TouchedOptions, tilesTouched } from './tilesTouched.js';
export { zoneTile } from './zoneTile.js';
