/** Subpath `wayzone/routing`: the points of a route and their best order. */

export { parseRoutingPoints, type RoutingPointsOptions } from './parseRoutingPoints.js';
export type { CostMatrix } from './readMatrix.js';
export { type Sequence, type SequenceOptions, sequencePoints } from './sequencePoints.js';
