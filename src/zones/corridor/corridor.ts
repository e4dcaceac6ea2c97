/** Corridors: all within half a width of a line, as a polygon. */

import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { wrapLon } from '../../core/angles.js';
import { flushTiny } from '../../core/numbers.js';
import { cutPart } from '../cut.js';
import { type Ring, turnsOf } from '../ring.js';
import { fitsMap, mapCorridor } from './mapCorridor.js';
import type { CorridorPlan } from './plan.js';
import { type CorridorOptions, readCorridor } from './readLine.js';
import type { ResolveCounts } from './resolve.js';

export function corridor(
  line: readonly Position[],
  widthMeters: number,
  options: CorridorOptions = {},
): Polygon | MultiPolygon {
  return corridorPolygon(readCorridor(line, widthMeters, options)).polygon;
}

export function corridorPolygon(plan: CorridorPlan): {
  readonly polygon: Polygon | MultiPolygon;
  readonly counts: ResolveCounts;
} {
  const counts: ResolveCounts = { unions: 0, splits: 0, retries: 0, fallbacks: 0 };
  if (plan.coords.length > 2 && fitsMap(plan)) {
    const rings = mapCorridor(plan, counts);
    if (rings !== null) return { polygon: fromMap(rings), counts };
  }
  throw new Error('not yet');
}

/** Rings whose longitudes run on past ±180, cut there if they do. */
function fromMap(rings: readonly ArrayLike<number>[]): Polygon | MultiPolygon {
  let reach = 0;
  const shell = rings[0]!;
  for (let i = 0; i < shell.length; i += 2) reach = Math.max(reach, Math.abs(shell[i]!));
  if (reach <= 180) return { type: 'Polygon', coordinates: rings.map(closedRing) };
  const polygons = cutPart(rings.map(wrappedRing));
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function closedRing(ring: ArrayLike<number>): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < ring.length; i += 2) positions.push([ring[i]!, ring[i + 1]!]);
  positions.push([ring[0]!, ring[1]!]);
  return positions;
}

function wrappedRing(ring: ArrayLike<number>, index: number): Ring {
  const coords = Float64Array.from(ring, (value, i) => flushTiny(i % 2 === 0 ? wrapLon(value) : value));
  return { coords, turns: turnsOf(coords), pole: null, hole: index > 0 };
}
