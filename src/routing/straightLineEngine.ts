/** The engine without a road network: geodesics, multiplied by a factor. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { type OptionTable, readOptions } from '../core/options.js';
import { destination } from '../geodesy/destination.js';
import { geodesicDistance } from '../geodesy/distanceMeters.js';
import { geodesicSpan } from '../geodesy/karney.js';
import {
  type RouteLeg,
  type RouteStep,
  type RoutingEngine,
  readPoints,
  refuseAvoidance,
} from './routingEngine.js';

/** Options of `straightLineEngine`: the speed, and the length of ways relative to geodesics. */
export interface StraightLineOptions {
  /** Speed in km/h, above 0 up to 1,000. Default 50. */
  readonly speedKph?: number | undefined;
  /** Length of a way relative to the geodesic, from 1 to 10. Default 1.3, about the ratio of roads in cities. */
  readonly detourFactor?: number | undefined;
}

const OPTIONS: OptionTable<StraightLineOptions> = {
  speedKph: { default: 50, min: 0.001, max: 1000 },
  detourFactor: { default: 1.3, min: 1, max: 10 },
};

/** Greatest distance in metres between vertices of a leg, so that its straight lon/lat edges follow the geodesic. */
const VERTEX_METERS = 50_000;

/**
 * The default engine, without network and roads. Distances are geodesics times `detourFactor`. Durations are distances divided by `speedKph`.
 * The geometry follows the geodesic. Every leg has two manoeuvres, `depart` and `arrive`. Zones cannot be avoided.
 *
 * @example
 * import { straightLineEngine } from 'wayzone/routing';
 * straightLineEngine({ speedKph: 60, detourFactor: 1 }).name; // 'straight-line'
 */
export function straightLineEngine(options: StraightLineOptions = {}): RoutingEngine {
  const { speedKph, detourFactor: factor } = readOptions(options, OPTIONS);
  const name = 'straight-line';
  const metersPerSecond = speedKph / 3.6;
  const leg = (from: Position, to: Position): RouteLeg => {
    const { meters, startAzimuth } = geodesicSpan(...from, ...to);
    const distanceMeters = geodesicDistance(...from, ...to) * factor;
    const durationSeconds = distanceMeters / metersPerSecond;
    const parts = Math.max(1, Math.ceil(meters / VERTEX_METERS));
    const between = Array.from({ length: parts - 1 }, (_, i) =>
      destination(from, startAzimuth, (meters * (i + 1)) / parts),
    );
    const bearing = Math.round((startAzimuth + 360) % 360);
    return {
      distanceMeters,
      durationSeconds,
      geometry: overPole([from, ...between, to]),
      steps: [stepOf('depart', bearing, distanceMeters, durationSeconds), stepOf('arrive', bearing, 0, 0)],
    };
  };
  return {
    name,
    async route(points, request = {}) {
      const places = readPoints(points, 2);
      refuseAvoidance(name, request);
      request.signal?.throwIfAborted();
      const legs = places.slice(1).map((to, i) => leg(places[i]!, to));
      const sum = (of: (leg: RouteLeg) => number): number =>
        legs.reduce((total, part) => total + of(part), 0);
      return {
        distanceMeters: sum((part) => part.distanceMeters),
        durationSeconds: sum((part) => part.durationSeconds),
        legs,
      };
    },
    async matrix(points, request = {}) {
      const places = readPoints(points, 1);
      refuseAvoidance(name, request);
      request.signal?.throwIfAborted();
      const distancesMeters = places.map((from) =>
        places.map((to) => geodesicDistance(...from, ...to) * factor),
      );
      return {
        distancesMeters,
        durationsSeconds: distancesMeters.map((row) => row.map((meters) => meters / metersPerSecond)),
      };
    },
  };
}

/**
 * Leads the line over the pole where a step spans more than 90° of longitude, because the geodesic passes near it. At a pole every
 * longitude is the same place.
 */
function overPole(line: readonly Position[]): Position[] {
  return line.flatMap((to, i): Position[] => {
    const from = line[i - 1];
    const turn = from === undefined ? 0 : lonStep(from[0], to[0]);
    if (from === undefined || Math.abs(turn) <= 90 || Math.abs(from[1]) === 90 || Math.abs(to[1]) === 90)
      return [to];
    const lat = to[1] < 0 ? -90 : 90;
    return [[from[0], lat], [wrapLon(from[0] + turn / 2), lat], [to[0], lat], to];
  });
}

function stepOf(type: string, bearing: number, distanceMeters: number, durationSeconds: number): RouteStep {
  return {
    distanceMeters,
    durationSeconds,
    name: '',
    ref: null,
    mode: null,
    drivingSide: null,
    destinations: null,
    exits: null,
    rotaryName: null,
    maneuver: { type, modifier: null, bearingAfter: bearing, exit: null },
  };
}
