/** Subpath `wayzone/tiles`: vector tiles of the zones of an index. */

export type { TileId } from './tileFrame.js';
export { type TileJson, type TileJsonOptions, tileJson, type VectorLayer } from './tileJson.js';
export type { TileLayer, TileOptions } from './tileOptions.js';
export { type TileAnswer, type TileRequest, tileProtocol } from './tileProtocol.js';
export { type TouchedOptions, tilesTouched } from './tilesTouched.js';
export { zoneTile } from './zoneTile.js';
