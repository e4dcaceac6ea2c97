/** Corridors over a pole, around the Earth or wider than a local series reaches: on a plane that leaves one free position out. */

import { lonStep } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import { flushTiny } from '../../core/numbers.js';
import { geodesicDistance } from '../../geodesy/inverse.js';
import { Stereographic } from '../../geodesy/stereographic.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import { cutPart } from '../cut.js';
import { type Ring, turnsOf, wholeEarth } from '../ring.js';
import { freePosition } from './freePosition.js';
import { type CorridorPlan, SIMPLIFY_SHARE } from './plan.js';
import { type Attempt, type ResolveCounts, resolveCurve } from './resolve.js';
import { simplifyLine } from './simplifyLine.js';
import { SphereCurve } from './sphereCurve.js';
import { geodesicVertices, LONGEST_PIECE_METERS } from './sphereLine.js';

/** Of the tolerance, for straight lon/lat edges between positions of the plane. */
const MAP_SHARE = 0.1;
const MAX_DEPTH = 48;
/** Longitude that one edge of the result may span, degrees. */
const MAX_LON_STEP = 60;

/** The rings of the corridor on the cylinder of longitudes; null when no attempt gives valid ones. */
export function sphereCorridor(
  plan: CorridorPlan,
  attempts: readonly Attempt[],
  counts: ResolveCounts,
): Ring[] | null {
  const simple = simplifyLine(plan.coords, SIMPLIFY_SHARE * plan.tolerance, plan.edges);
  const coords = geodesicVertices({ ...plan, coords: simple });
  const free = freePosition(coords, plan.radius, coords.length > 2 ? LONGEST_PIECE_METERS : 0);
  if (free === null) return wholeEarth();
  const plane = new Stereographic([-free[0], -free[1], -free[2]]);
  for (const { seed, byEdges } of attempts) {
    if (byEdges) counts.fallbacks++;
    const curve = new SphereCurve(plan, coords, plane, seed);
    const resolved = resolveCurve(
      (from, to) => [curve.around(from, to)],
      0,
      coords.length / 2 - 1,
      () => byEdges,
      counts,
    );
    if (resolved !== null) {
      const rings = ringsOnMap(resolved.rings, plane, plan);
      if (!ringsMeet(cutPart(rings).flatMap((part) => part.map(openRing)))) return rings;
    }
    counts.retries++;
  }
  return null;
}

const openRing = (ring: readonly Position[]): number[] => ring.slice(1).flat();

function ringsOnMap(
  resolved: readonly ArrayLike<number>[],
  plane: Stereographic,
  { tolerance }: CorridorPlan,
): Ring[] {
  const rings: Ring[] = [];
  for (const ring of resolved) {
    const mapped = onMap(ring, plane, MAP_SHARE * tolerance);
    // A hole that comes of rounding has no more than a tolerance of room.
    if (mapped.length < 6 || isSpeck(mapped, tolerance)) continue;
    const turns = turnsOf(mapped);
    rings.push({ coords: mapped, turns, pole: null, hole: turns === 0 && !isCounterclockwise(mapped) });
  }
  return inOrder(rings);
}

/** Rings around the Earth first, then the shell, then holes; where there are but holes, they are holes of the whole Earth. */
function inOrder(rings: readonly Ring[]): Ring[] {
  const turning = rings.filter(({ turns }) => turns !== 0);
  const shells = rings.filter(({ turns, hole }) => turns === 0 && !hole);
  const holes = rings.filter(({ hole }) => hole);
  // One ring around the Earth, with the region on its left, has a pole inside; two are a band.
  const [only] = turning;
  const around: Ring[] =
    turning.length === 1 ? [{ ...only!, pole: only!.turns > 0 ? 'north' : 'south' }] : turning;
  return [...(around.length + shells.length === 0 ? wholeEarth() : []), ...around, ...shells, ...holes];
}

/** A ring of the plane as positions in degrees, with so many more that straight lon/lat edges follow it. */
function onMap(ring: ArrayLike<number>, plane: Stereographic, share: number): Float64Array {
  const out: number[] = [];
  const push = (lon: number, lat: number): void => {
    const x = flushTiny(lon === -180 ? 180 : lon);
    const y = flushTiny(lat);
    if (out.length === 0 || x !== out.at(-2) || y !== out.at(-1)) out.push(x, y);
  };
  const fill = (
    ax: number,
    ay: number,
    a: readonly [number, number],
    bx: number,
    by: number,
    b: readonly [number, number],
    depth: number,
  ): void => {
    const x = (ax + bx) / 2;
    const y = (ay + by) / 2;
    const step = lonStep(a[0], b[0]);
    const middle = plane.unproject(x, y);
    const straight: [number, number] = [a[0] + step / 2, (a[1] + b[1]) / 2];
    const fits =
      Math.abs(step) <= MAX_LON_STEP &&
      geodesicDistance(...middle, wrapped(straight[0]), straight[1]) <= share;
    if (fits || depth >= MAX_DEPTH) return;
    fill(ax, ay, a, x, y, middle, depth + 1);
    push(...middle);
    fill(x, y, middle, bx, by, b, depth + 1);
  };
  let a = plane.unproject(ring[0]!, ring[1]!);
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 < ring.length ? i + 2 : 0;
    const b = plane.unproject(ring[j]!, ring[j + 1]!);
    push(...a);
    fill(ring[i]!, ring[i + 1]!, a, ring[j]!, ring[j + 1]!, b, 0);
    a = b;
  }
  while (out.length > 2 && out[0] === out.at(-2) && out[1] === out.at(-1)) out.length -= 2;
  return Float64Array.from(out);
}

const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

function isSpeck(ring: Float64Array, tolerance: number): boolean {
  for (let i = 2; i < ring.length; i += 2) {
    if (geodesicDistance(ring[0]!, ring[1]!, ring[i]!, ring[i + 1]!) > tolerance) return false;
  }
  return true;
}

function isCounterclockwise(ring: Float64Array): boolean {
  let sum = 0;
  let x = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 < ring.length ? i + 2 : 0;
    const step = lonStep(ring[i]!, ring[j]!);
    sum += x * (ring[j + 1]! - ring[1]!) - (x + step) * (ring[i + 1]! - ring[1]!);
    x += step;
  }
  return sum > 0;
}
