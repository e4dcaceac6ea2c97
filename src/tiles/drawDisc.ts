/** Draws the geodesic disc of a circle. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import {
  cosLat,
  EQUATORIAL_RADIUS,
  MAX_METERS_PER_DEGREE,
  meridianRadius,
  normalRadius,
} from '../geodesy/ellipsoid.js';
import { type Disc, discRings } from '../zones/kinds/index.js';
import { clipRing, drawLoop } from './drawLoop.js';
import type { PathBuilder } from './pathBuilder.js';
import { DRAWN_LAT, HIGH, LOW, mercatorShare, type TileFrame } from './tileFrame.js';

/** Largest distance of a chord from the circle, units. */
export const ARC_UNITS = 0.75;
/** Largest error of the series of a small circle, units. */
const SERIES_UNITS = 0.25;
const LEAST_POINTS = 8;

/** Half of the width and of the height of a small disc on the map, units. */
export function discUnits(lat: number, radius: number, { perDegree }: TileFrame): [x: number, y: number] {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const scale = perDegree / (DEGREES_TO_RADIANS * cosLat(lat));
  return [(radius * scale) / normalRadius(sin), (radius * scale) / meridianRadius(sin)];
}

/** Lower bound of the metres that one tile unit has, for all latitudes within `reach` metres of `lat`. */
export function leastUnitMeters(lat: number, reach: number, { world }: TileFrame): number {
  const high = Math.min(DRAWN_LAT, Math.abs(lat) + reach / MAX_METERS_PER_DEGREE);
  return (2 * Math.PI * EQUATORIAL_RADIUS * 0.993 * cosLat(high)) / world;
}

/** Adds the clipped rings of the disc to `rings`. */
export function drawDisc(disc: Disc, frame: TileFrame, path: PathBuilder, rings: number[][]): void {
  const { lon, lat, radius } = disc;
  if (isSeries(lat, radius, frame)) {
    drawSeries(lon, lat, radius, frame, path, rings);
    return;
  }
  const tolerance = Math.min(radius / 4, ARC_UNITS * leastUnitMeters(lat, radius, frame));
  for (const { coords, turns, pole } of discRings(disc, tolerance)) {
    const count = coords.length / 2;
    const isSouth = pole === 'south';
    drawLoop({ coords, first: 0, count, turns, isSouth, wraps: true }, frame, path, rings);
  }
}

/**
 * Whether the first two orders of the series are enough for a circle on the map. With ρ the radius in radians, the third order is about ρ³
 * (1 + 2 tan² φ) / 2, and the flattening changes the second, ρ² tan φ / 2, by 0.7 %.
 */
function isSeries(lat: number, radius: number, frame: TileFrame): boolean {
  const high = Math.abs(lat) + radius / 110_000;
  if (high >= DRAWN_LAT) return false;
  const tan = Math.tan(high * DEGREES_TO_RADIANS);
  const rho = radius / 6_356_000;
  const [units] = discUnits(lat, radius, frame);
  return units * rho * (rho * (1 + 2 * tan * tan) + 0.007 * tan) < SERIES_UNITS;
}

function drawSeries(
  lon: number,
  lat: number,
  radius: number,
  frame: TileFrame,
  path: PathBuilder,
  rings: number[][],
): void {
  const { world, perDegree, left, top } = frame;
  const [a, b] = discUnits(lat, radius, frame);
  // The second order: ρ² sec φ tan φ / 2, along twice the azimuth.
  const tan = Math.tan(lat * DEGREES_TO_RADIANS);
  const second = (a * b * tan * cosLat(lat) * 2 * Math.PI) / world / 2;
  const y = mercatorShare(lat) * world;
  const reach = b + Math.abs(second) + 2;
  if (y - reach > top + HIGH || y + reach < top + LOW) return;
  const middle = (lon + 180) * perDegree;
  const from = Math.ceil((left + LOW - middle - reach) / world);
  const to = Math.floor((left + HIGH - middle + reach) / world);
  const count = Math.max(LEAST_POINTS, Math.ceil(Math.PI / Math.acos(1 - Math.min(1, ARC_UNITS / b))));
  const cos = Math.cos((2 * Math.PI) / count);
  const sin = Math.sin((2 * Math.PI) / count);
  for (let copy = from; copy <= to; copy++) {
    const x = middle + copy * world;
    let c = 1;
    let s = 0;
    for (let i = 0; i < count; i++) {
      path.worldPoint(x + a * s + 2 * second * s * c, y - b * c - second * (c * c - s * s));
      const next = c * cos - s * sin;
      s = s * cos + c * sin;
      c = next;
    }
    const clipped = clipRing(path.ring());
    if (clipped.length >= 4) rings.push(clipped);
  }
}
