/** Fixes as growing columns, and their order in a track. */

import { type CleanFix, UNKNOWN, UNKNOWN_IGNITION, unknownLast } from './fixReader.js';
import { orderByTime } from './orderByTime.js';

const NAMES = ['time', 'lon', 'lat', 'speedKph', 'accuracyMeters', 'ignition'] as const;

/** Columns that few units fill: `null` until a fix has a value. */
const RARE = ['mileageMeters', 'mileageDeltaMeters'] as const;

/** The columns as plain data. The arrays may be longer than `length`. */
export type FixColumnsData = Pick<
  FixColumns,
  'length' | (typeof NAMES)[number] | (typeof RARE)[number] | 'hasSpeed' | 'hasAccuracy' | 'hasIgnition'
>;

export class FixColumns {
  length = 0;
  time: Float64Array = new Float64Array(1024);
  lon: Float64Array = new Float64Array(1024);
  lat: Float64Array = new Float64Array(1024);
  speedKph: Float64Array = new Float64Array(1024);
  accuracyMeters: Float64Array = new Float64Array(1024);
  ignition: Uint8Array = new Uint8Array(1024);
  mileageMeters: Float64Array | null = null;
  mileageDeltaMeters: Float64Array | null = null;
  hasSpeed = false;
  hasAccuracy = false;
  hasIgnition = false;

  push(fix: CleanFix): void {
    if (this.length === this.time.length) this.#grow(2 * this.length);
    const i = this.length++;
    this.time[i] = fix.time;
    this.lon[i] = fix.lon;
    this.lat[i] = fix.lat;
    this.speedKph[i] = fix.speedKph;
    this.accuracyMeters[i] = fix.accuracyMeters;
    this.ignition[i] = fix.ignition;
    this.hasSpeed ||= fix.speedKph !== UNKNOWN;
    this.hasAccuracy ||= fix.accuracyMeters !== UNKNOWN;
    this.hasIgnition ||= fix.ignition !== UNKNOWN_IGNITION;
    if (fix.mileageMeters !== UNKNOWN || this.mileageMeters !== null)
      this.#rare('mileageMeters')[i] = fix.mileageMeters;
    if (fix.mileageDeltaMeters !== UNKNOWN || this.mileageDeltaMeters !== null)
      this.#rare('mileageDeltaMeters')[i] = fix.mileageDeltaMeters;
  }

  /** Makes room for a number of fixes. */
  reserve(count: number): void {
    if (this.time.length < count) this.#grow(count);
  }

  /** Appends the fixes of other columns. */
  append(more: FixColumnsData): void {
    const end = this.length + more.length;
    if (this.time.length < end) this.#grow(Math.max(2 * this.time.length, end));
    for (const name of NAMES) this[name].set(more[name].subarray(0, more.length), this.length);
    for (const name of RARE) {
      const column = more[name];
      if (column !== null) this.#rare(name).set(column.subarray(0, more.length), this.length);
    }
    this.length = end;
    this.hasSpeed ||= more.hasSpeed;
    this.hasAccuracy ||= more.hasAccuracy;
    this.hasIgnition ||= more.hasIgnition;
  }

  /** Indices of the fixes in order of time, ties in order of `comparePreference`. */
  order(): Uint32Array {
    return orderByTime(this.time.subarray(0, this.length), (i, j) => this.#compare(i, j));
  }

  #compare(i: number, j: number): number {
    return (
      unknownLast(at(this.accuracyMeters, i)) - unknownLast(at(this.accuracyMeters, j)) ||
      at(this.lon, i) - at(this.lon, j) ||
      at(this.lat, i) - at(this.lat, j) ||
      unknownLast(at(this.speedKph, i)) - unknownLast(at(this.speedKph, j)) ||
      at(this.ignition, i) - at(this.ignition, j) ||
      unknownLast(rareAt(this.mileageMeters, i)) - unknownLast(rareAt(this.mileageMeters, j)) ||
      unknownLast(rareAt(this.mileageDeltaMeters, i)) - unknownLast(rareAt(this.mileageDeltaMeters, j))
    );
  }

  #rare(name: (typeof RARE)[number]): Float64Array {
    this[name] ??= new Float64Array(this.time.length).fill(UNKNOWN);
    return this[name];
  }

  #grow(room: number): void {
    this.time = grown(this.time, room);
    this.lon = grown(this.lon, room);
    this.lat = grown(this.lat, room);
    this.speedKph = grown(this.speedKph, room);
    this.accuracyMeters = grown(this.accuracyMeters, room);
    const ignition = new Uint8Array(room);
    ignition.set(this.ignition);
    this.ignition = ignition;
    for (const name of RARE) {
      const column = this[name];
      if (column !== null) this[name] = grown(column, room).fill(UNKNOWN, column.length);
    }
  }
}

function at(column: Float64Array | Uint8Array, i: number): number {
  return column[i] as number;
}

function rareAt(column: Float64Array | null, i: number): number {
  return column?.[i] ?? UNKNOWN;
}

function grown(column: Float64Array, room: number): Float64Array {
  const longer = new Float64Array(room);
  longer.set(column);
  return longer;
}
