/** Checks the options and the arguments of an index. */

import { describe, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { readNumber, readPosition } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../../core/options.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import type { ShapeRules } from '../kinds/index.js';
import { readZoneOptions } from '../readShape.js';
import type { BufferOptions, NearestOptions, OpenOptions, SavedOptions, ZoneIndexOptions } from './types.js';

const INDEX_OPTIONS: OptionTable<ZoneIndexOptions, 'defaultWidthMeters' | 'maxMemoryBytes'> = {
  ...ZONE_OPTIONS,
  includeDeleted: { default: false },
  onIssue: OWN,
  maxMemoryBytes: OWN,
};

const NEAREST_OPTIONS: OptionTable<NearestOptions> = {
  count: { default: 1, min: 1, isWhole: true },
  maxMeters: { default: Number.POSITIVE_INFINITY },
};

export const BUFFER_OPTIONS: OptionTable<BufferOptions> = {
  shared: { default: false },
  cells: { default: false },
  rows: { default: true },
};

export const OPEN_OPTIONS: OptionTable<OpenOptions, 'maxMemoryBytes'> = {
  verify: { default: true },
  maxMemoryBytes: OWN,
};

export interface IndexRules extends ShapeRules {
  readonly halfOpen: boolean;
  readonly includeDeleted: boolean;
  readonly maxMemoryBytes: number | undefined;
}

/**
 * Reads the options once, so that their errors are not reported for rows. Errors: `option-type`, `option-value`, `width-range` of a default
 * width.
 */
export function readIndexRules(options: ZoneIndexOptions): IndexRules {
  checkOptions(options, INDEX_OPTIONS);
  const { axisOrder, lonIndex, lineSides, defaultWidth } = readZoneOptions(options);
  const { maxMemoryBytes, includeDeleted } = options;
  const boundary = readOption(INDEX_OPTIONS.boundary, options.boundary, 'options.boundary');
  if (maxMemoryBytes !== undefined) {
    readNumber(maxMemoryBytes, 'options.maxMemoryBytes', 'option-value', 0, Number.MAX_SAFE_INTEGER);
  }
  // Not spread: fields of a spread object take longer to read, which an index does for each row.
  return {
    axisOrder,
    lonIndex,
    lineSides,
    defaultWidth,
    halfOpen: boundary === 'half-open',
    includeDeleted: readOption(INDEX_OPTIONS.includeDeleted, includeDeleted, 'options.includeDeleted'),
    maxMemoryBytes,
  };
}

/** The options that are set, for storage in a buffer. */
export function savedOptions(options: ZoneIndexOptions): SavedOptions {
  const { axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted } = options;
  const all = { axisOrder, lineWidth, defaultWidthMeters, boundary, includeDeleted };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as SavedOptions;
}

/** The largest number of zones and the greatest distance of a query. Errors: `option-type`, `option-unknown`, `option-value`. */
export function readNearest(options: NearestOptions): { count: number; maxMeters: number } {
  checkOptions(options, NEAREST_OPTIONS);
  return {
    count: readOption(NEAREST_OPTIONS.count, options.count, 'options.count'),
    maxMeters: readOption(NEAREST_OPTIONS.maxMeters, options.maxMeters, 'options.maxMeters'),
  };
}

/** The ends of a segment. Errors: those of positions in `a` and `b`, `edge-ambiguous` for exactly 180° of longitude. */
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

/** Checks the array of `atMany`. Error: `coord-type`. */
export function checkLonLat(lonLat: unknown): void {
  if (lonLat instanceof Float64Array && lonLat.length % 2 === 0) return;
  const received = lonLat instanceof Float64Array ? `${lonLat.length} numbers` : describe(lonLat);
  throw new WayzoneError(
    'coord-type',
    'lonLat',
    `expected a Float64Array of lon, lat, lon, lat, …, received ${received}`,
  );
}
