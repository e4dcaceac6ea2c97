/** Zones of positions. */

export { Positions } from './positions.js';
