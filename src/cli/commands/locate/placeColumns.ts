/** Positions of files in columns, as `locate` reads, answers and writes them. */

import type { FixBatch } from '../../../core/fix.js';

/** Largest number of names that keep their numbers from batch to batch: a file of points has a name for each. */
const MOST_NAMES = 100_000;

export class PlaceColumns {
  length = 0;
  /** Names of units or points by number. Replaced by a new list when the numbers start at 0 again. */
  names: string[] = [];
  #numbers = new Map<string, number>();
  /** For each unit of the current file, its index in `names`. */
  #unitNumbers: number[] = [];
  unit: Uint32Array;
  /** Epoch milliseconds; NaN for a position without a time. */
  time: Float64Array;
  /** lon, lat, lon, lat, … */
  lonLat: Float64Array;

  constructor(capacity: number) {
    this.unit = new Uint32Array(capacity);
    this.time = new Float64Array(capacity);
    this.lonLat = new Float64Array(2 * capacity);
  }

  /** Begins a new file, whose units are numbered from 0. */
  beginFile(): void {
    this.#unitNumbers = [];
  }

  append(batch: FixBatch): void {
    const { length, unit, unitIds, time, lon, lat } = batch;
    this.#ensure(this.length + length);
    for (let i = this.#unitNumbers.length; i < unitIds.length; i++) {
      this.#unitNumbers.push(this.#numberOf(unitIds[i]!));
    }
    this.time.set(time.subarray(0, length), this.length);
    const numbers = this.#unitNumbers;
    for (let i = 0, k = this.length; i < length; i++, k++) {
      this.unit[k] = numbers[unit[i]!]!;
      this.lonLat[2 * k] = lon[i]!;
      this.lonLat[2 * k + 1] = lat[i]!;
    }
    this.length += length;
  }

  /** Adds one position. `time` is null if it has none. */
  push(name: string, time: number | null, lon: number, lat: number): void {
    this.#ensure(this.length + 1);
    const i = this.length++;
    this.unit[i] = this.#numberOf(name);
    this.time[i] = time ?? Number.NaN;
    this.lonLat[2 * i] = lon;
    this.lonLat[2 * i + 1] = lat;
  }

  /** Removes the positions, and the names too if there are many and they are not units of the file. */
  clear(): void {
    this.length = 0;
    if (this.names.length <= MOST_NAMES || this.#unitNumbers.length > 0) return;
    this.names = [];
    this.#numbers = new Map();
  }

  #numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.names.length;
      this.names.push(name);
      this.#numbers.set(name, number);
    }
    return number;
  }

  #ensure(length: number): void {
    if (length <= this.time.length) return;
    const capacity = 2 * length;
    const { unit, time, lonLat } = this;
    this.unit = new Uint32Array(capacity);
    this.unit.set(unit);
    this.time = new Float64Array(capacity);
    this.time.set(time);
    this.lonLat = new Float64Array(2 * capacity);
    this.lonLat.set(lonLat);
  }
}
