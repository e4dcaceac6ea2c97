/** The interface of every routing engine. */

import type { Position } from '../core/geometry.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';

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
