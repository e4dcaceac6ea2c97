/** The interface of every routing engine. */

import type { Position } from '../core/geometry.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';

/** One manoeuvre and the way to the next one, in the words of OSRM's steps; other engines' manoeuvres are translated to it. */
export interface RouteStep {
  /** Of the way to the next manoeuvre. */
  readonly distanceMeters: number;
  /** Of the way to the next manoeuvre. */
  readonly durationSeconds: number;
  /** The name of the way that follows; empty if it has none. */
  readonly name: string;
  /** The road's number, `M 4`. */
  readonly ref: string | null;
  /** `driving`, `ferry`, … */
  readonly mode: string | null;
  /** On which side of the road one drives there. */
  readonly drivingSide: 'left' | 'right' | null;
  /** The destinations on the signposts ahead. */
  readonly destinations: string | null;
  /** The number of a motorway's exit. */
  readonly exits: string | null;
  /** The name of a roundabout. */
  readonly rotaryName: string | null;
  /** What to do where the way begins. */
  readonly maneuver: {
    /** OSRM's: `depart`, `turn`, `roundabout`, …, `arrive`. */
    readonly type: string;
    /** `left`, `slight right`, `uturn`, …; null for a type without one. */
    readonly modifier: string | null;
    /** Degrees clockwise from north. */
    readonly bearingAfter: number | null;
    /** Which exit of a roundabout. */
    readonly exit: number | null;
  };
}

/** The way from one point to the next. */
export interface RouteLeg {
  /** Along the way. */
  readonly distanceMeters: number;
  /** As the engine expects it. */
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
  /** As the engine expects them. */
  readonly durationsSeconds: number[][];
}

/** What goes with a question to an engine. */
export interface RouteRequest {
  /** Ends the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Zones with an area that the route keeps out of; `valhallaEngine` alone can. A hole of a zone is kept out of too. */
  readonly avoidZones?: readonly ZoneShape[];
  /** How `avoidZones` are to be read. */
  readonly zoneOptions?: ZoneOptions;
}

/** What finds ways: a server, a library, or geodesics. */
export interface RoutingEngine {
  /** What errors call it. */
  readonly name: string;
  /** The way through at least two points in this order. */
  route(points: readonly Position[], request?: RouteRequest): Promise<EngineRoute>;
  /** The distances and durations between all pairs of points. */
  matrix(points: readonly Position[], request?: RouteRequest): Promise<EngineMatrix>;
}
