/** The zones of one unit's positions, without a query while the unit hardly moves. */

import type { Position } from '../../core/geometry.js';
import { readPosition } from '../../core/input.js';
import { SafeRegion } from './segments/index.js';
import type { ShapeIndex } from './shapeIndex.js';

/** A box is searched for unless the last two steps were longer than this, in degrees. */
const SHORT_STEP_DEGREES = 2e-3;

/** Half sides of a box without borders, in degrees, in order of trial. */
const FREE_REACHES = [1e-3, 1.5e-4, 2e-5, 2e-6, 2e-7] as const;

/**
 * The zones of one unit's positions: the same answers as `ZoneIndex.at`, also after edits. Made by `ZoneIndex.locator`.
 *
 * It remembers a box around the position that no border enters. While the unit is in this box and the index is not edited, it returns the
 * same array, so `!==` detects a possible change.
 */
export class ZoneLocator {
  readonly #index: ShapeIndex;
  readonly #at: (position: Position) => string[];
  readonly #region: SafeRegion = new SafeRegion();
  #version = -1;
  #lon = 0;
  #lat = 0;
  /** Number of consecutive steps longer than `SHORT_STEP_DEGREES`. */
  #longSteps = 0;
  #ids: readonly string[] = [];

  constructor(index: ShapeIndex, at: (position: Position) => string[]) {
    this.#index = index;
    this.#at = at;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors as `ZoneIndex.at`. */
  at(position: Position): readonly string[] {
    const index = this.#index;
    if (isIn(this.#region, index.version, position)) return this.#ids;
    const [lon, lat] = readPosition(position, 'position');
    this.#ids = this.#at(position);
    const isShort =
      Math.abs(lon - this.#lon) <= SHORT_STEP_DEGREES && Math.abs(lat - this.#lat) <= SHORT_STEP_DEGREES;
    this.#longSteps = isShort || this.#version !== index.version ? 0 : this.#longSteps + 1;
    this.#version = index.version;
    this.#lon = lon;
    this.#lat = lat;
    const reach = this.#longSteps > 1 ? 0 : index.borderFreeReach(lon, lat, FREE_REACHES);
    this.#region.set(index.version, lon, lat, reach || -1);
    return this.#ids;
  }
}

/** Whether an unchecked position is two numbers inside the region. */
function isIn(region: SafeRegion, version: number, position: Position): boolean {
  try {
    const lon: unknown = position[0];
    const lat: unknown = position[1];
    return typeof lon === 'number' && typeof lat === 'number' && region.holds(version, lon, lat);
  } catch {
    return false;
  }
}
