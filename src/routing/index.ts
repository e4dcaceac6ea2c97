/** Subpath `wayzone/routing`: the points of a route and their best order. */

export { parseRoutingPoints, type RoutingPointsOptions } from './parseRoutingPoints.js';
export type { CostMatrix } from './readMatrix.js';
export type { SequenceOptions } from './sequenceOptions.js';
export { type Sequence, sequencePoints } from './sequencePoints.js';
