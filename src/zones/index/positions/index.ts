/** Finds the zones that contain positions. */

export { Positions } from './positions.js';
