/** Checks a caller's `ZoneShape` and copies it to one of four normal shapes, or reports its errors. */

import { inputError } from '../core/errors.js';
import { geoJsonHint } from '../core/geoJsonHint.js';
import type { Position } from '../core/geometry.js';
import { guarded, MAX_RINGS, MAX_VERTICES, readList, readNumber } from '../core/input.js';
import { readOption } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { isZoneTypeKey, ZONE_TYPE_KEYS } from '../core/zoneTypes.js';
import { type ErrorSink, note, reportError } from './errorList.js';
import { positionAt } from './positionAt.js';
import { ambiguousEdge, ambiguousEdges, type Ring, readRing } from './ring.js';

/** The largest radius: half of a meridian's circumference, from pole to pole (WGS84). */
export const MAX_RADIUS_METERS = 20_003_931.4586;

/** The largest total width of a corridor: 2,000 km. */
export const MAX_LINE_WIDTH_METERS = 2_000_000;

export type NormalShape =
  | {
      readonly key: 'point' | 'circle';
      readonly lon: number;
      readonly lat: number;
      readonly radius: number | null;
    }
  | { readonly key: 'line'; readonly coords: Float64Array; readonly halfWidth: number }
  | { readonly key: 'polygon'; readonly parts: readonly (readonly Ring[])[] };

type AxisOrder = 'lonlat' | 'latlon';

/** Checked options. */
export interface ShapeReadOptions {
  readonly axisOrder: AxisOrder;
  readonly lineWidth: 'total' | 'each-side';
  readonly defaultWidth: number | null;
}

/**
 * Checks and copies a shape. `field` is the path put before every field of an error (`zones[3].`).
 *
 * Errors: `zone-type`, `geometry-count`, `line-too-short`, `ring-too-short`, `ring-zero-area`, `edge-ambiguous`, `radius-range`,
 * `width-range`, `width-missing`, `limit-vertices`, `limit-rings`, `option-value` and those of a position (`lat-range`, …).
 */
export function readShape(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): NormalShape {
  return readShapeInto(shape, readZoneOptions(options), field, null)!;
}

/**
 * `readShape` with its errors in `sink`. Returns null for a shape with an error.
 *
 * A ring with an invalid position or an ambiguous edge is not checked further.
 */
export function readShapeInto(
  shape: ZoneShape,
  options: ShapeReadOptions,
  field: string,
  sink: ErrorSink,
): NormalShape | null {
  const { key, geometry, width, parts, hint } = guarded(`${field}type`, () => {
    if (typeof shape !== 'object' || shape === null) {
      throw inputError('zone-type', `${field}type`, 'a zone shape', shape);
    }
    const { type, geometry, width, parts } = shape;
    return { key: type?.key, geometry, width, parts, hint: geoJsonHint(type) };
  });
  if (!isZoneTypeKey(key)) {
    return reportError(
      sink,
      'zone-type',
      `${field}type.key`,
      `one of ${ZONE_TYPE_KEYS.join(', ')}${hint}`,
      key,
    );
  }
  if (key === 'polygon') {
    const read = readPolygon(geometry, parts, options.axisOrder, field, sink);
    return read === null ? null : { key, parts: read };
  }
  const path = `${field}geometry`;
  if (key === 'line') {
    const coords = readLine(geometry, options.axisOrder, path, sink);
    const total = readWidth(key, width, options, `${field}width`, sink);
    return coords === null || total === undefined ? null : { key, coords, halfWidth: total! / 2 };
  }
  const centre = readCentre(key, geometry, options.axisOrder, path, sink);
  const radius = readWidth(key, width, options, `${field}width`, sink);
  return centre === null || radius === undefined ? null : { key, lon: centre[0], lat: centre[1], radius };
}

/** Reads the options of a shape; further ones are ignored. Errors: `option-value`, `width-range`. */
export function readZoneOptions(options: ZoneOptions): ShapeReadOptions {
  const defaultWidth = options.defaultWidthMeters;
  return {
    axisOrder: readOption(ZONE_OPTIONS.axisOrder, options.axisOrder, 'options.axisOrder'),
    lineWidth: readOption(ZONE_OPTIONS.lineWidth, options.lineWidth, 'options.lineWidth'),
    defaultWidth:
      defaultWidth === undefined
        ? null
        : readNumber(defaultWidth, 'options.defaultWidthMeters', 'width-range', 0, MAX_RADIUS_METERS),
  };
}

/** The radius or the total width of a line, in metres. Null for a point without a radius; undefined, with an error, for an invalid width. */
function readWidth(
  key: 'point' | 'circle' | 'line',
  width: unknown,
  options: ShapeReadOptions,
  field: string,
  sink: ErrorSink,
): number | null | undefined {
  const code = key === 'line' ? 'width-range' : 'radius-range';
  const meters = width === undefined || width === null ? options.defaultWidth : width;
  if (meters === null) {
    if (key === 'point') return null;
    reportError(sink, 'width-missing', field, `a width in metres for a ${key}`, undefined);
  } else if (typeof meters !== 'number' || !Number.isFinite(meters) || meters < 0) {
    reportError(sink, code, field, 'a width in metres, not negative', meters);
  } else if (key === 'line') {
    const total = options.lineWidth === 'total' ? meters : 2 * meters;
    if (total > 0 && total <= MAX_LINE_WIDTH_METERS) return total;
    reportError(sink, code, field, `a corridor width above 0, up to ${MAX_LINE_WIDTH_METERS} m`, total);
  } else {
    if (meters <= MAX_RADIUS_METERS) return meters;
    reportError(sink, code, field, `a number from 0 to ${MAX_RADIUS_METERS}`, meters);
  }
  return undefined;
}

/** The one position of a point or circle. */
function readCentre(
  key: 'point' | 'circle',
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

/** The wrapped vertices `[lon, lat, …]` of a line, without repeated neighbours. A line of one vertex becomes a disc. */
function readLine(
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Float64Array | null {
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  if (list.length === 0) return reportError(sink, 'line-too-short', path, 'at least one position', 'none');
  const coords = new Float64Array(2 * list.length);
  let n = 0;
  let isValid = true;
  let last: Position | null = null;
  for (let i = 0; i < list.length; i++) {
    const position = positionAt(list, i, path, axisOrder, sink);
    if (position === null) isValid = false;
    else if (last === null || position[0] !== last[0] || position[1] !== last[1]) {
      if (last !== null && Math.abs(position[0] - last[0]) === 180) {
        isValid = false;
        note(sink, ambiguousEdge(`${path}[${i}]`));
      }
      coords[n++] = position[0];
      coords[n++] = position[1];
    }
    last = position;
  }
  return isValid ? coords.slice(0, n) : null;
}

function readPolygon(
  geometry: unknown,
  parts: unknown,
  axisOrder: AxisOrder,
  field: string,
  sink: ErrorSink,
): Ring[][] | null {
  if (parts !== undefined && parts !== null) return readParts(parts, `${field}parts`, sink);
  const path = `${field}geometry`;
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  const rings = ringsAt(list, path, axisOrder, false, sink);
  return rings === null ? null : [rings];
}

function readParts(parts: unknown, path: string, sink: ErrorSink): Ring[][] | null {
  const list = listAt(parts, path, sink);
  if (list === null) return null;
  if (list.length === 0) return reportError(sink, 'ring-too-short', path, 'at least one part', 'none');
  if (!fewRings(list.length, path, sink)) return null;
  let isValid = true;
  let rings = 0;
  let vertices = 0;
  const read: Ring[][] = [];
  for (let i = 0; i < list.length; i++) {
    const at = `${path}[${i}]`;
    const part = itemAt(list, i, at, sink);
    if (part === null || part.length === 0) {
      isValid = false;
      if (part !== null) reportError(sink, 'ring-too-short', at, 'at least one ring', 'none');
      continue;
    }
    rings += part.length;
    if (!fewRings(rings, path, sink)) return null;
    const normal: Ring[] = [];
    for (let j = 0; j < part.length; j++) {
      const place = `${at}[${j}]`;
      const ring = itemAt(part, j, place, sink);
      vertices += ring?.length ?? 0;
      if (!fewVertices(vertices, place, sink)) return null;
      const made = ring === null ? null : ringsAt(ring, place, 'lonlat', j > 0, sink);
      if (made === null) isValid = false;
      else normal.push(...made);
    }
    read.push(normal);
  }
  return isValid ? read : null;
}

/** The rings of one list (see `readRing`). Null if the list has errors. */
function ringsAt(
  list: ArrayLike<unknown>,
  path: string,
  axisOrder: AxisOrder,
  hole: boolean,
  sink: ErrorSink,
): Ring[] | null {
  try {
    return readRing(list, path, axisOrder, hole);
  } catch (first) {
    if (sink === null) throw first;
    let isValid = true;
    for (let i = 0; i < list.length; i++)
      if (positionAt(list, i, path, axisOrder, sink) === null) isValid = false;
    if (!isValid) return null;
    const edges = sink.try(() => ambiguousEdges(list, path, axisOrder));
    for (const error of edges ?? []) note(sink, error);
    // A getter of the caller may return other values on the second read. Then the first error is reported.
    return edges?.length === 0 ? note(sink, first) : null;
  }
}

function listAt(value: unknown, path: string, sink: ErrorSink): ArrayLike<unknown> | null {
  try {
    return readList(value, path);
  } catch (error) {
    return note(sink, error);
  }
}

function itemAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  sink: ErrorSink,
): ArrayLike<unknown> | null {
  try {
    return readList(
      guarded(path, () => list[i]),
      path,
    );
  } catch (error) {
    return note(sink, error);
  }
}

/** Whether the number of vertices is within the limit. Reports `limit-vertices` at `path` if not. */
function fewVertices(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_VERTICES) return true;
  reportError(sink, 'limit-vertices', path, `at most ${MAX_VERTICES} vertices`, count);
  return false;
}

/** Whether the number of rings is within the limit. Reports `limit-rings` at `path` if not. */
function fewRings(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_RINGS) return true;
  reportError(sink, 'limit-rings', path, `at most ${MAX_RINGS} rings`, count);
  return false;
}
