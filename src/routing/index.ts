/** Subpath `wayzone/routing`: the points of a route, their best order, routing engines, and the answer of `/routing`. */

export type { RoutingAnswer, RoutingColumn, RoutingRow, RoutingStyle } from '../core/answers.js';
export {
  type BuildRoutingOptions,
  buildRouting,
} from './buildRouting.js';
export type { Fetch, HttpOptions } from './httpClient.js';
export { type OsrmOptions, osrmEngine } from './osrmEngine.js';
export { parseRoutingPoints, type RoutingPointsOptions } from './parseRoutingPoints.js';
export type { CostMatrix } from './readMatrix.js';
export { type RouteFromRoutingOptions, routeFromRouting } from './routeFromRouting.js';
export { type RouteFromTrackOptions, routeFromTrack } from './routeFromTrack.js';
export { routeLengthMeters } from './routeLengthMeters.js';
export { routeToZone } from './routeToZone.js';
export type { ColumnTitles, RoutingColumnKey } from './routingColumns.js';
export type {
  EngineMatrix,
  EngineRoute,
  RouteLeg,
  RouteRequest,
  RouteStep,
  RoutingEngine,
} from './routingEngine.js';
export type { SequenceOptions } from './sequenceOptions.js';
export { type Sequence, sequencePoints } from './sequencePoints.js';
export { type RouteSequence, type SequenceRouteOptions, sequenceRoute } from './sequenceRoute.js';
export { type StraightLineOptions, straightLineEngine } from './straightLineEngine.js';
export {
  type ValhallaActor,
  type ValhallaCosting,
  type ValhallaOptions,
  valhallaEngine,
} from './valhallaEngine.js';
