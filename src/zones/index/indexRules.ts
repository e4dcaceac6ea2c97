/** Checks the options and the arguments of an index. */

import { describe, inputError, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { checkOptions, readChoice, readNumber, readPosition } from '../../core/input.js';
import { readZoneOptions } from '../readShape.js';
import type { NearestOptions, SavedOptions, ZoneIndexOptions } from './types.js';

export interface IndexRules {
  /** Index of the longitude in a pair. */
  readonly lonIndex: 0 | 1;
  readonly halfOpen: boolean;
  /** Factor from the width of a line to its total width. */
  readonly lineSides: 1 | 2;
  readonly includeDeleted: boolean;
  readonly maxMemoryBytes: number | undefined;
}

/**
 * Errors: `option-type`, `option-value`, `width-range` of a default width. Options are read once, so that their errors are not reported
 * for rows.
 */
export function readIndexRules(options: ZoneIndexOptions): IndexRules {
  const { axisOrder, lineWidth } = readZoneOptions(options);
  const { maxMemoryBytes, includeDeleted } = options;
  const boundary = readChoice(options.boundary, 'options.boundary', ['closed', 'half-open'], 'closed');
  if (maxMemoryBytes !== undefined) {
    readNumber(maxMemoryBytes, 'options.maxMemoryBytes', 'option-value', 0, Number.MAX_SAFE_INTEGER);
  }
  return {
    lonIndex: axisOrder === 'latlon' ? 1 : 0,
    lineSides: lineWidth === 'each-side' ? 2 : 1,
    halfOpen: boundary === 'half-open',
    includeDeleted: includeDeleted === true,
    maxMemoryBytes,
  };
}

/** The defined options, which are stored in a buffer. */
export function savedOptions(options: ZoneIndexOptions): SavedOptions {
  const { axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted } = options;
  const all = { axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as SavedOptions;
}

/** The number of zones and the greatest distance of a query; `option-type`, `option-value`. */
export function readNearest(options: NearestOptions): { count: number; maxMeters: number } {
  checkOptions(options);
  const { count = 1, maxMeters = Number.POSITIVE_INFINITY } = options;
  if (!Number.isInteger(count) || count < 1) {
    throw inputError('option-value', 'options.count', 'a whole number from 1', count);
  }
  readNumber(maxMeters, 'options.maxMeters', 'option-value', 0, Number.POSITIVE_INFINITY);
  return { count, maxMeters };
}

/** The ends of a segment; errors of positions in `a` and `b`, `edge-ambiguous` for exactly 180° of longitude. */
export function readSegment(
  a: Position,
  b: Position,
): [aLon: number, aLat: number, bLon: number, bLat: number] {
  const [aLon, aLat] = readPosition(a, 'a');
  const [bLon, bLat] = readPosition(b, 'b');
  if (Math.abs(bLon - aLon) === 180) {
    throw new WayzoneError(
      'edge-ambiguous',
      'b',
      'expected a segment of less than 180° of longitude, received exactly 180°',
    );
  }
  return [aLon, aLat, bLon, bLat];
}

/** Checks the array of `atMany`; `coord-type`. */
export function checkLonLat(lonLat: unknown): void {
  if (lonLat instanceof Float64Array && lonLat.length % 2 === 0) return;
  const received = lonLat instanceof Float64Array ? `${lonLat.length} numbers` : describe(lonLat);
  throw new WayzoneError(
    'coord-type',
    'lonLat',
    `expected a Float64Array of lon, lat, lon, lat, …, received ${received}`,
  );
}
