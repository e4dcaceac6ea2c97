/** Reading, boundary and measures of a circle or a point. Queries on the columns of an index are in `disc.ts`. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import type { ShapeFields } from '../../core/wire.js';
import { type DiscMeasure, discAreaPerimeter, discRing } from '../../geodesy/disc.js';
import { LEAST_RADIUS } from '../../geodesy/edge.js';
import { decidedDistance } from '../../geodesy/inverse.js';
import { type ErrorSink, reportError } from '../errorList.js';
import { positionAt } from '../positionAt.js';
import { type Ring, turnsOf, wholeEarth } from '../ring.js';
import type { AxisOrder, ShapeRules } from './kind.js';
import { fewVertices, listAt } from './listAt.js';
import { readMeters } from './readMeters.js';

/** The largest radius, metres: half of a meridian's circumference, from pole to pole (WGS84). */
export const MAX_RADIUS_METERS = 20_003_931.4586;

/** All positions within a distance of one position. */
export interface Disc {
  readonly lon: number;
  readonly lat: number;
  /** Radius, metres; 0 for a point without a width. */
  readonly radius: number;
}

export interface DiscShape extends Disc {
  readonly key: 'point' | 'circle';
}

/** Reads a circle or a point. Null if it has errors. */
export function readDisc(
  key: DiscShape['key'],
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): DiscShape | null {
  const centre = readCentre(key, given.geometry, rules.axisOrder, `${field}geometry`, sink);
  const radius = readRadius(key, given, rules, field, sink);
  return centre === null || radius === null ? null : { key, lon: centre[0], lat: centre[1], radius };
}

/** The one position. */
function readCentre(
  key: DiscShape['key'],
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Position | null {
  const list = listAt(geometry, path, sink);
  if (list === null) return null;
  if (list.length === 1) return positionAt(list, 0, path, axisOrder, sink);
  reportError(sink, 'geometry-count', path, `one pair for a ${key}`, `${list.length} pairs`);
  if (!fewVertices(list.length, path, sink)) return null;
  for (let i = 0; i < list.length; i++) positionAt(list, i, path, axisOrder, sink);
  return null;
}

/** The radius, metres; null, with an error, if it is invalid. */
function readRadius(
  key: DiscShape['key'],
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): number | null {
  const meters = readMeters(key, given, rules, field, sink);
  if (meters === null || meters <= MAX_RADIUS_METERS) return meters;
  const what = `a number from 0 to ${MAX_RADIUS_METERS}`;
  return reportError(sink, 'radius-range', `${field}width`, what, meters);
}

/** The disc of a plain row with a checked position; null for a row that needs `readDisc`. A point without a width is its position. */
export function plainDisc(
  key: DiscShape['key'],
  lon: number,
  lat: number,
  { width }: { readonly width?: unknown },
  { defaultWidth }: ShapeRules,
): DiscShape | null {
  const radius = width ?? defaultWidth ?? (key === 'point' ? 0 : null);
  const isPlain = typeof radius === 'number' && radius >= 0 && radius <= MAX_RADIUS_METERS;
  return isPlain ? { key, lon, lat, radius } : null;
}

export function measureDisc({ lon, lat, radius }: Disc): DiscMeasure {
  return discAreaPerimeter(lon, lat, radius);
}

/**
 * The rings of a disc on the cylinder of longitudes, within `tolerance` metres of its boundary. If both poles are inside: the whole Earth and a hole,
 * if the disc does not cover all of it.
 */
export function discRings({ lon, lat, radius }: Disc, tolerance: number): Ring[] {
  const points = discRing(lon, lat, radius, tolerance);
  if (points.length < 3) return wholeEarth();
  const coords = new Float64Array(2 * points.length);
  let at = coords.length;
  for (const [x, y] of points) {
    coords[--at] = y;
    coords[--at] = x;
  }
  const north = hasPole(lon, lat, 90, radius);
  const south = hasPole(lon, lat, -90, radius);
  if (north && south) return [...wholeEarth(), { coords, turns: turnsOf(coords), pole: null, hole: true }];
  const pole = north ? 'north' : south ? 'south' : null;
  return [{ coords, turns: turnsOf(coords), pole, hole: false }];
}

/** Whether a pole is inside the disc. */
function hasPole(lon: number, lat: number, poleLat: number, radius: number): boolean {
  if (Math.abs(poleLat - lat) * DEGREES_TO_RADIANS * LEAST_RADIUS > radius) return false;
  return decidedDistance(lon, lat, 0, poleLat, radius) < radius;
}
