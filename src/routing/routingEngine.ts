/** The interface of every routing engine, and the reading of the points and options of a request. */

import { expected, inputError, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readPositions } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';

/** A manoeuvre and the way to the next manoeuvre, in the terms of OSRM's steps. Manoeuvres of other engines are translated. */
export interface RouteStep {
  /** Length of the way to the next manoeuvre, metres. */
  readonly distanceMeters: number;
  /** Duration of the way to the next manoeuvre, seconds. */
  readonly durationSeconds: number;
  /** The name of the road after the manoeuvre; empty if there is none. */
  readonly name: string;
  /** The road's number, `M 4`. */
  readonly ref: string | null;
  /** Mode of travel: `driving`, `ferry`, … */
  readonly mode: string | null;
  /** Side of the road on which vehicles drive. */
  readonly drivingSide: 'left' | 'right' | null;
  /** The destinations on the signposts ahead. */
  readonly destinations: string | null;
  /** The number of a motorway's exit. */
  readonly exits: string | null;
  /** The name of a roundabout. */
  readonly rotaryName: string | null;
  /** The manoeuvre with which the way begins. */
  readonly maneuver: {
    /** Type of OSRM: `depart`, `turn`, `roundabout`, …, `arrive`. */
    readonly type: string;
    /** `left`, `slight right`, `uturn`, …; null for a type without a modifier. */
    readonly modifier: string | null;
    /** Direction after the manoeuvre, degrees clockwise from north. */
    readonly bearingAfter: number | null;
    /** Number of the exit of a roundabout. */
    readonly exit: number | null;
  };
}

/** The way from one point to the next. */
export interface RouteLeg {
  /** Length along the way, metres. */
  readonly distanceMeters: number;
  /** Expected duration, seconds. */
  readonly durationSeconds: number;
  /** At least two positions `[lon, lat]`. */
  readonly geometry: Position[];
  /** Manoeuvres of the leg, from `depart` to `arrive`. */
  readonly steps: RouteStep[];
}

/** A way through all points. */
export interface EngineRoute {
  /** Length of all legs, metres. */
  readonly distanceMeters: number;
  /** Duration of all legs, seconds. */
  readonly durationSeconds: number;
  /** The legs. Their number is the number of points minus 1. */
  readonly legs: RouteLeg[];
}

/** Tables by `[from][to]`: 0 from a point to itself, `Infinity` for a missing way. */
export interface EngineMatrix {
  /** Lengths along the ways, metres. */
  readonly distancesMeters: number[][];
  /** Expected durations, seconds. */
  readonly durationsSeconds: number[][];
}

/** Options of a request to an engine. */
export interface RouteRequest {
  /** Stops the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Zones with an area that the route must not enter. Only `valhallaEngine` supports them. The holes of a zone are avoided too. */
  readonly avoidZones?: readonly ZoneShape[] | undefined;
  /** Options for reading `avoidZones`. */
  readonly zoneOptions?: ZoneOptions | undefined;
}

/** A source of routes: a server, a library, or geodesics. */
export interface RoutingEngine {
  /** Name of the engine in errors. */
  readonly name: string;
  /** The route through at least two points in this order. */
  route(points: readonly Position[], request?: RouteRequest): Promise<EngineRoute>;
  /** The distances and durations between all pairs of points. */
  matrix(points: readonly Position[], request?: RouteRequest): Promise<EngineMatrix>;
}

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
