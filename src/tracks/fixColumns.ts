/** Fixes as growing columns, and the order in which a track takes them. */

import { wrapLon } from '../core/angles.js';
import { flushTiny } from '../core/numbers.js';

/** What stands in `speedKph` and `accuracyMeters` for a fix that does not tell. */
export const UNKNOWN = -1;

/** What stands in `ignition` (0 off, 1 on) for a fix that does not tell. */
export const UNKNOWN_IGNITION = 255;

export class FixColumns {
  length = 0;
  time: Float64Array = new Float64Array(1024);
  lon: Float64Array = new Float64Array(1024);
  lat: Float64Array = new Float64Array(1024);
  speedKph: Float64Array = new Float64Array(1024);
  accuracyMeters: Float64Array = new Float64Array(1024);
  ignition: Uint8Array = new Uint8Array(1024);
  hasSpeed = false;
  hasAccuracy = false;
  hasIgnition = false;

  /** Adds a fix whose time and place were checked; what else is not a number ≥ 0 or a boolean is unknown. */
  push(time: number, lon: number, lat: number, speed: unknown, accuracy: unknown, ignition: unknown): void {
    if (this.length === this.time.length) this.#grow();
    const i = this.length++;
    this.time[i] = time;
    this.lon[i] = flushTiny(wrapLon(lon));
    this.lat[i] = flushTiny(lat);
    this.speedKph[i] = known(speed);
    this.accuracyMeters[i] = known(accuracy);
    this.ignition[i] = typeof ignition === 'boolean' ? Number(ignition) : UNKNOWN_IGNITION;
    this.hasSpeed ||= this.speedKph[i] !== UNKNOWN;
    this.hasAccuracy ||= this.accuracyMeters[i] !== UNKNOWN;
    this.hasIgnition ||= this.ignition[i] !== UNKNOWN_IGNITION;
  }

  /**
   * The fixes' numbers by time, then by accuracy (unknown last), lon, lat; then by what else a track keeps
   * (speed, ignition), so that the order of arrival never shows.
   */
  order(): Uint32Array {
    const order = new Uint32Array(this.length);
    let isSorted = true;
    for (let i = 0; i < this.length; i++) {
      order[i] = i;
      isSorted &&= i === 0 || this.#compare(i - 1, i) <= 0;
    }
    return isSorted ? order : order.sort((i, j) => this.#compare(i, j));
  }

  #compare(i: number, j: number): number {
    return (
      at(this.time, i) - at(this.time, j) ||
      unknownLast(this.accuracyMeters, i) - unknownLast(this.accuracyMeters, j) ||
      at(this.lon, i) - at(this.lon, j) ||
      at(this.lat, i) - at(this.lat, j) ||
      unknownLast(this.speedKph, i) - unknownLast(this.speedKph, j) ||
      at(this.ignition, i) - at(this.ignition, j)
    );
  }

  #grow(): void {
    this.time = doubled(this.time);
    this.lon = doubled(this.lon);
    this.lat = doubled(this.lat);
    this.speedKph = doubled(this.speedKph);
    this.accuracyMeters = doubled(this.accuracyMeters);
    const ignition = new Uint8Array(2 * this.ignition.length);
    ignition.set(this.ignition);
    this.ignition = ignition;
  }
}

function known(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value + 0 : UNKNOWN;
}

function at(column: Float64Array | Uint8Array, i: number): number {
  return column[i] as number;
}

function unknownLast(column: Float64Array, i: number): number {
  const value = at(column, i);
  return value === UNKNOWN ? Number.MAX_VALUE : value;
}

function doubled(column: Float64Array): Float64Array {
  const longer = new Float64Array(2 * column.length);
  longer.set(column);
  return longer;
}
