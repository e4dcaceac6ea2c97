/** Finds the zones that contain positions. */

export { PointQuery } from './pointQuery.js';
