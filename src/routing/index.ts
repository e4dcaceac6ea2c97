/** Subpath `wayzone/routing`: the points of a route, their best order, routing engines, and the answer of `/routing`. */

export type { RoutingAnswer, RoutingColumn, RoutingRow, RoutingStyle } from '../core/answers.js';
export {
  type BuildRoutingOptions,
  buildRouting,
  parseRoutingPoints,
  type RoutingPointsOptions,
} from './buildRouting.js';
export type { Fetch, HttpOptions } from './httpClient.js';
export { type OsrmOptions, osrmEngine } from './osrmEngine.js';
export type { CostMatrix } from './readMatrix.js';
export {
  type RouteFromRoutingOptions,
  type RouteFromTrackOptions,
  routeFromRouting,
  routeFromTrack,
  routeToZone,
} from './routeFromRouting.js';
export { routeLengthMeters } from './routeLengthMeters.js';
export type { ColumnTitles, RoutingColumnKey } from './routingColumns.js';
export type {
  EngineMatrix,
  EngineRoute,
  RouteLeg,
  RouteRequest,
  RouteStep,
  RoutingEngine,
} from './routingEngine.js';
export { type Sequence, type SequenceOptions, sequencePoints } from './sequencePoints.js';
export { type RouteSequence, type SequenceRouteOptions, sequenceRoute } from './sequenceRoute.js';
export { type StraightLineOptions, straightLineEngine } from './straightLineEngine.js';
export {
  type ValhallaActor,
  type ValhallaCosting,
  type ValhallaOptions,
  valhallaEngine,
} from './valhallaEngine.js';
