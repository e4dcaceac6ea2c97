/** What every routing engine offers, whatever stands behind it. */

import type { Position } from '../core/geometry.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';

/** One manoeuvre and the way to the next one; spelled after OSRM's steps, of which other engines' manoeuvres are made. */
export interface RouteStep {
  readonly distanceMeters: number;
  readonly durationSeconds: number;
  /** Of the way that follows; empty when it has none. */
  readonly name: string;
  readonly ref: string | null;
  /** `driving`, `ferry`, … */
  readonly mode: string | null;
  readonly drivingSide: 'left' | 'right' | null;
  readonly destinations: string | null;
  readonly exits: string | null;
  readonly rotaryName: string | null;
  readonly maneuver: {
    /** OSRM's: `depart`, `turn`, `roundabout`, …, `arrive`. */
    readonly type: string;
    /** `left`, `slight right`, `uturn`, …; null where the type has none. */
    readonly modifier: string | null;
    /** Degrees clockwise from north. */
    readonly bearingAfter: number | null;
    /** Which exit of a roundabout. */
    readonly exit: number | null;
  };
}

/** The way from one point to the next. */
export interface RouteLeg {
  readonly distanceMeters: number;
  readonly durationSeconds: number;
  /** At least two positions `[lon, lat]`. */
  readonly geometry: Position[];
  readonly steps: RouteStep[];
}

export interface EngineRoute {
  readonly distanceMeters: number;
  readonly durationSeconds: number;
  /** One fewer than the points. */
  readonly legs: RouteLeg[];
}

/** `[from][to]`, 0 from a point to itself, `Infinity` where there is no way. */
export interface EngineMatrix {
  readonly distancesMeters: number[][];
  readonly durationsSeconds: number[][];
}

export interface RouteRequest {
  /** Ends the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Zones with an area that the route keeps out of; `valhallaEngine` alone can. A hole of a zone is kept out of too. */
  readonly avoidZones?: readonly ZoneShape[];
  /** How `avoidZones` are to be read. */
  readonly zoneOptions?: ZoneOptions;
}

export interface RoutingEngine {
  readonly name: string;
  /** The way through at least two points in this order. */
  route(points: readonly Position[], request?: RouteRequest): Promise<EngineRoute>;
  matrix(points: readonly Position[], request?: RouteRequest): Promise<EngineMatrix>;
}
