/** Reads the points and options of a request to an engine, and finds the leg that an error concerns. */

import { expected, inputError, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readPositions } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import type { EngineRoute, RouteRequest } from './routingEngine.js';

/** At least `least` positions. Errors: `routing-points`, and those of a position on `points[i]`. */
export function readPoints(points: readonly Position[], least: number): Position[] {
  const positions = readPositions(points, 'points');
  if (positions.length < least) {
    throw inputError('routing-points', 'points', `at least ${least} points`, positions.length);
  }
  return positions;
}

export const REQUEST_OPTIONS: OptionTable<RouteRequest> = {
  signal: OWN,
  avoidZones: OWN,
  zoneOptions: OWN,
};

/** Checks the options of a request to an engine: `option-type`, `option-unknown`. */
export function checkRequest(request: RouteRequest): void {
  checkOptions(request, REQUEST_OPTIONS);
  if (request.zoneOptions !== undefined)
    checkOptions(request.zoneOptions, ZONE_OPTIONS, 'options.zoneOptions');
}

/** The options that are passed to an engine. */
export function requestOf({ signal, avoidZones, zoneOptions }: RouteRequest): RouteRequest {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(avoidZones === undefined ? {} : { avoidZones }),
    ...(zoneOptions === undefined ? {} : { zoneOptions }),
  };
}

/** Checks a request. Throws if zones are to be avoided and the engine cannot avoid zones. */
export function refuseAvoidance(engine: string, request: RouteRequest): void {
  checkRequest(request);
  if ((request.avoidZones ?? []).length > 0) {
    const message = expected('an engine that can avoid zones', engine);
    throw new WayzoneError('option-value', 'options.avoidZones', message);
  }
}

/**
 * A route by `ask`. If there is no route through more than two points, each leg is requested separately, so that the error names the leg.
 */
export async function routeByLeg(
  points: readonly Position[],
  ask: (points: readonly Position[]) => Promise<EngineRoute>,
): Promise<EngineRoute> {
  try {
    return await ask(points);
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.code !== 'no-route') throw error;
    if (points.length === 2) throw atLeg(error, 0);
    for (let leg = 0; leg + 1 < points.length; leg++) {
      try {
        await ask(points.slice(leg, leg + 2));
      } catch (own) {
        if (own instanceof WayzoneError && own.code === 'no-route') throw atLeg(own, leg);
        throw own;
      }
    }
    throw error;
  }
}

function atLeg(error: WayzoneError, leg: number): WayzoneError {
  const message = `${error.message} (leg ${leg}, from point ${leg} to ${leg + 1})`;
  return new WayzoneError(error.code, `legs[${leg}]`, message, { status: error.status, cause: error });
}
