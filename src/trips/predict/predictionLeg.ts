/** The legs of a route for forecasts: their lines, and the place of a unit on them. */

import { lonStep } from '../../core/angles.js';
import { expected, inputError, isArray, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded, readNumber, readPositions } from '../../core/input.js';
import { nearerEdgeDistance } from '../../geodesy/edgeDistance.js';
import { edgeLength } from '../../geodesy/edgeSums.js';
import { cosLat } from '../../geodesy/ellipsoid.js';

/** A leg of an engine's route: the way from one point of a trip to the next. */
export interface PredictionLeg {
  /** Planned duration in seconds. */
  readonly durationSeconds: number;
  /** The line of the leg, `[lon, lat]` in degrees; at least two positions. */
  readonly geometry: readonly Position[];
}

/** A hundred years. Greater values are taken for mistakes. */
export const MAX_LEG_SECONDS: number = 36_525 * 86_400;

export function readLegs(legs: unknown): Way[] {
  if (!isArray(legs) || legs.length === 0) {
    throw inputError('legs-type', 'legs', 'a list of at least one leg', legs);
  }
  return Array.from(legs as readonly PredictionLeg[], readLeg);
}

export interface Way {
  readonly durationSeconds: number;
  readonly line: readonly Position[];
  /** Metres from each position of the line to its end. */
  readonly metersLeft: readonly number[];
}

function readLeg(leg: PredictionLeg, i: number): Way {
  const field = `legs[${i}]`;
  const { duration, geometry } = guarded(field, () => {
    if (typeof leg !== 'object' || leg === null) {
      throw inputError('leg-invalid', field, 'a leg {durationSeconds, geometry}', leg);
    }
    return { duration: leg.durationSeconds, geometry: leg.geometry };
  });
  const durationSeconds = readNumber(duration, `${field}.durationSeconds`, 'leg-invalid', 0, MAX_LEG_SECONDS);
  if (!isArray(geometry) || geometry.length < 2) {
    const wanted = expected('at least two positions [lon, lat]', geometry);
    throw new WayzoneError('leg-invalid', `${field}.geometry`, wanted);
  }
  const line = readPositions(geometry, `${field}.geometry`);
  const metersLeft = new Array<number>(line.length).fill(0);
  for (let k = line.length - 1; k > 0; k--) {
    const [[aLon, aLat], [bLon, bLat]] = [line[k - 1]!, line[k]!];
    metersLeft[k - 1] = metersLeft[k]! + edgeLength(aLon, aLat, bLon, bLat);
  }
  return { durationSeconds, line, metersLeft };
}

/** The position of a unit relative to a leg. */
export interface BesideLeg {
  /** Metres to the leg's line. */
  readonly meters: number;
  /** Metres along the line from the nearest position to its end. */
  readonly metersLeft: number;
}

export function placeOn({ line, metersLeft }: Way, [lon, lat]: Position): BesideLeg {
  let [meters, edge] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i + 1 < line.length; i++) {
    const [[aLon, aLat], [bLon, bLat]] = [line[i]!, line[i + 1]!];
    const nearer = nearerEdgeDistance(meters, lon, lat, aLon, aLat, bLon, bLat);
    if (nearer < meters) [meters, edge] = [nearer, i];
  }
  const fraction = fractionOf(line[edge]!, line[edge + 1]!, lon, lat);
  const [before, after] = [metersLeft[edge]!, metersLeft[edge + 1]!];
  return { meters, metersLeft: before - fraction * (before - after) };
}

/** The share of a leg that is left, with the way to the leg; above 1 far from it. */
export function shareLeft({ metersLeft: [total] }: Way, place: BesideLeg): number {
  return total === 0 ? 1 : (place.metersLeft + place.meters) / total!;
}

/** The fraction, from 0 to 1, of the position on an edge that is nearest to another position. */
function fractionOf([aLon, aLat]: Position, [bLon, bLat]: Position, lon: number, lat: number): number {
  const shrink = cosLat((Math.max(aLat, bLat) + Math.min(aLat, bLat)) / 2);
  const [x, y] = [lonStep(aLon, bLon) * shrink, bLat - aLat];
  const along = (x * lonStep(aLon, lon) * shrink + y * (lat - aLat)) / (x * x + y * y);
  // An edge without length is nearest at its start.
  return along > 0 ? Math.min(along, 1) : 0;
}
