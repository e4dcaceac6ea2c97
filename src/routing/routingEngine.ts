/** The interface of every routing engine. */

import type { Position } from '../core/geometry.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';

/** One manoeuvre and the way to the next one, in the words of OSRM's steps; other engines' manoeuvres are translated to it. */
export interface RouteStep {
  /** Length of the way to the next manoeuvre. */
  readonly distanceMeters: number;
  /** Duration of the way to the next manoeuvre. */
  readonly durationSeconds: number;
  /** The name of the way that follows; empty if it has none. */
  readonly name: string;
  /** The road's number, `M 4`. */
  readonly ref: string | null;
  /** `driving`, `ferry`, … */
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
    /** OSRM's: `depart`, `turn`, `roundabout`, …, `arrive`. */
    readonly type: string;
    /** `left`, `slight right`, `uturn`, …; null for a type without one. */
    readonly modifier: string | null;
    /** Degrees clockwise from north. */
    readonly bearingAfter: number | null;
    /** Number of the exit of a roundabout. */
    readonly exit: number | null;
  };
}

/** The way from one point to the next. */
export interface RouteLeg {
  /** Along the way. */
  readonly distanceMeters: number;
  /** Duration that the engine expects. */
  readonly durationSeconds: number;
  /** At least two positions `[lon, lat]`. */
  readonly geometry: Position[];
  /** Its manoeuvres, from `depart` to `arrive`. */
  readonly steps: RouteStep[];
}

/** A way through all points. */
export interface EngineRoute {
  /** Of all legs. */
  readonly distanceMeters: number;
  /** Of all legs. */
  readonly durationSeconds: number;
  /** One fewer than the points. */
  readonly legs: RouteLeg[];
}

/** `[from][to]`: 0 from a point to itself, `Infinity` for a missing way. */
export interface EngineMatrix {
  /** Along the ways. */
  readonly distancesMeters: number[][];
  /** Durations that the engine expects, in the same form. */
  readonly durationsSeconds: number[][];
}

/** Options of a request to an engine. */
export interface RouteRequest {
  /** Stops the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Zones with an area that the route must not enter; only `valhallaEngine` supports them. The holes of a zone are avoided too. */
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
