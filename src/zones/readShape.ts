/** The gate of the zones layer: a caller's `ZoneShape` becomes one of four normal shapes, checked and copied. */

import { expected, WayzoneError } from '../core/errors.js';
import {
  checkOptions,
  guarded,
  MAX_RINGS,
  MAX_VERTICES,
  readChoice,
  readList,
  readNumber,
  readPosition,
} from '../core/input.js';
import type { ZoneOptions, ZoneShape, ZoneTypeKey } from '../core/wire.js';
import { ambiguousEdge, type Ring, readRing } from './ring.js';

/** The largest radius: half of a meridian's circumference, from pole to pole (WGS84). */
export const MAX_RADIUS_METERS = 20_003_931.4586;

/** The largest corridor width: 2,000 km in all. */
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

const TYPE_KEYS: readonly ZoneTypeKey[] = ['point', 'circle', 'line', 'polygon'];

/** Options that have passed the gate. */
export interface ReadOptions {
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly lineWidth: 'total' | 'each-side';
  readonly defaultWidth: number | null;
}

/**
 * Checks and copies a shape. `field` is the path put before every field of an error (`zones[3].`).
 *
 * Errors: `zone-type`, `geometry-count`, `line-too-short`, `ring-too-short`, `ring-zero-area`, `edge-ambiguous`, `radius-range`,
 * `width-range`, `width-missing`, `limit-vertices`, `limit-rings`, `option-type`, `option-value` and those of a position (`lat-range`, …).
 */
export function readShape(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): NormalShape {
  const read = readZoneOptions(options);
  const { key, geometry, width, parts } = guarded(`${field}type`, () => {
    if (typeof shape !== 'object' || shape === null) {
      throw new WayzoneError('zone-type', `${field}type`, expected('a zone shape', shape));
    }
    return { key: shape.type?.key, geometry: shape.geometry, width: shape.width, parts: shape.parts };
  });
  if (!TYPE_KEYS.includes(key)) {
    throw new WayzoneError('zone-type', `${field}type.key`, expected(`one of ${TYPE_KEYS.join(', ')}`, key));
  }
  if (key === 'polygon') {
    return { key, parts: readParts(geometry, parts, read, field) };
  }
  if (key === 'line') {
    const coords = readLine(geometry, read, field);
    const metres = readWidth(width, read, field, 'width-range');
    if (metres === null) throw missingWidth(field, 'line');
    const total = read.lineWidth === 'total' ? metres : 2 * metres;
    if (!(total > 0 && total <= MAX_LINE_WIDTH_METERS)) {
      throw new WayzoneError(
        'width-range',
        `${field}width`,
        expected(`a corridor width above 0, up to ${MAX_LINE_WIDTH_METERS} m`, total),
      );
    }
    return { key, coords, halfWidth: total / 2 };
  }
  const list = readList(geometry, `${field}geometry`);
  if (list.length !== 1) {
    throw new WayzoneError(
      'geometry-count',
      `${field}geometry`,
      expected(`one pair for a ${key}`, `${list.length} pairs`),
    );
  }
  const [lon, lat] = readPosition(
    guarded(`${field}geometry[0]`, () => list[0]),
    `${field}geometry[0]`,
    read.axisOrder,
  );
  const radius = readWidth(width, read, field, 'radius-range');
  if (radius === null && key === 'circle') throw missingWidth(field, 'circle');
  if (radius !== null) readNumber(radius, `${field}width`, 'radius-range', 0, MAX_RADIUS_METERS);
  return { key, lon, lat, radius };
}

/** The options by which a shape is read; `option-type`, `option-value`, `width-range`. */
export function readZoneOptions(options: ZoneOptions): ReadOptions {
  checkOptions(options);
  const defaultWidth = options.defaultWidthMeters;
  return {
    axisOrder: readChoice(options.axisOrder, 'options.axisOrder', ['lonlat', 'latlon'], 'lonlat'),
    lineWidth: readChoice(options.lineWidth, 'options.lineWidth', ['total', 'each-side'], 'total'),
    defaultWidth:
      defaultWidth === undefined
        ? null
        : readNumber(defaultWidth, 'options.defaultWidthMeters', 'width-range', 0, MAX_RADIUS_METERS),
  };
}

function missingWidth(field: string, key: string): WayzoneError {
  return new WayzoneError(
    'width-missing',
    `${field}width`,
    expected(`a width in metres for a ${key}`, undefined),
  );
}

function readWidth(
  width: unknown,
  options: ReadOptions,
  field: string,
  code: 'width-range' | 'radius-range',
): number | null {
  if (width === undefined || width === null) return options.defaultWidth;
  if (typeof width !== 'number' || !Number.isFinite(width) || width < 0) {
    throw new WayzoneError(code, `${field}width`, expected('a width in metres, not negative', width));
  }
  return width;
}

/** A line's wrapped vertices without repeated neighbours, `[lon, lat, …]`; one vertex is a disc's centre. */
function readLine(geometry: unknown, options: ReadOptions, field: string): Float64Array {
  const list = readList(geometry, `${field}geometry`);
  if (list.length === 0) {
    throw new WayzoneError('line-too-short', `${field}geometry`, expected('at least one position', 'none'));
  }
  limitVertices(list.length, `${field}geometry`);
  const coords = new Float64Array(2 * list.length);
  let n = 0;
  for (let i = 0; i < list.length; i++) {
    const path = `${field}geometry[${i}]`;
    const [lon, lat] = readPosition(
      guarded(path, () => list[i]),
      path,
      options.axisOrder,
    );
    const last = coords[n - 2];
    if (n > 0 && last === lon && coords[n - 1] === lat) continue;
    if (n > 0 && Math.abs(lon - last!) === 180) throw ambiguousEdge(path);
    coords[n++] = lon;
    coords[n++] = lat;
  }
  return coords.slice(0, n);
}

function readParts(geometry: unknown, parts: unknown, options: ReadOptions, field: string): Ring[][] {
  if (parts === undefined || parts === null) {
    const list = readList(geometry, `${field}geometry`);
    limitVertices(list.length, `${field}geometry`);
    return [readRing(list, `${field}geometry`, options.axisOrder, false)];
  }
  const list = readList(parts, `${field}parts`);
  if (list.length === 0)
    throw new WayzoneError('ring-too-short', `${field}parts`, expected('at least one part', 'none'));
  let rings = 0;
  let vertices = 0;
  const read: Ring[][] = [];
  for (let i = 0; i < list.length; i++) {
    const part = readList(
      guarded(`${field}parts[${i}]`, () => list[i]),
      `${field}parts[${i}]`,
    );
    if (part.length === 0)
      throw new WayzoneError('ring-too-short', `${field}parts[${i}]`, expected('at least one ring', 'none'));
    rings += part.length;
    if (rings > MAX_RINGS)
      throw new WayzoneError('limit-rings', `${field}parts`, expected(`at most ${MAX_RINGS} rings`, rings));
    const normal: Ring[] = [];
    for (let j = 0; j < part.length; j++) {
      const path = `${field}parts[${i}][${j}]`;
      const ring = readList(
        guarded(path, () => part[j]),
        path,
      );
      vertices += ring.length;
      limitVertices(vertices, path);
      normal.push(...readRing(ring, path, 'lonlat', j > 0));
    }
    read.push(normal);
  }
  return read;
}

/** `limit-vertices` at `field` when there are too many. */
export function limitVertices(count: number, field: string): void {
  if (count > MAX_VERTICES)
    throw new WayzoneError('limit-vertices', field, expected(`at most ${MAX_VERTICES} vertices`, count));
}
