/** Positions of files in columns: what `locate` reads, answers and writes. */

import type { FixBatch } from '../../../core/fix.js';
import type { LocateColumns } from './locateOrder.js';

/** Names that are kept from batch to batch; points have a name each. */
const MOST_NAMES = 100_000;

export class PlaceColumns {
  length = 0;
  /** The names by number, of units or of points; another list when the numbers begin anew. */
  names: string[] = [];
  #numbers = new Map<string, number>();
  /** The number here of each unit of the file in hand. */
  #unitNumbers: number[] = [];
  unit: Uint32Array;
  /** Epoch milliseconds; NaN: the position has no time. */
  time: Float64Array;
  /** lon, lat, lon, lat, … */
  lonLat: Float64Array;
  readonly #isShared: boolean;

  /** `isShared`: threads read the positions where they are. */
  constructor(capacity: number, isShared: boolean) {
    this.#isShared = isShared;
    this.unit = new Uint32Array(capacity);
    this.time = new Float64Array(capacity);
    this.lonLat = this.#pairs(capacity);
  }

  /** The numbers of units in the next batches are those of another file. */
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

  /** One position; without a time it is null. */
  push(name: string, time: number | null, lon: number, lat: number): void {
    this.#ensure(this.length + 1);
    const i = this.length++;
    this.unit[i] = this.#numberOf(name);
    this.time[i] = time ?? Number.NaN;
    this.lonLat[2 * i] = lon;
    this.lonLat[2 * i + 1] = lat;
  }

  /** Gives away the positions, and goes on with other columns, which need not be empty; names stay. */
  handOver(spare: LocateColumns | undefined): LocateColumns {
    const { unit, time, lonLat } = this;
    const capacity = time.length;
    const fits = spare !== undefined && spare.time.length >= capacity;
    this.unit = fits ? spare.unit : new Uint32Array(capacity);
    this.time = fits ? spare.time : new Float64Array(capacity);
    this.lonLat = fits ? spare.lonLat : this.#pairs(capacity);
    this.length = 0;
    return { unit, time, lonLat } as LocateColumns;
  }

  /** Forgets the positions; the names too, when they are many and not those of the file's units. */
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
    this.lonLat = this.#pairs(capacity);
    this.lonLat.set(lonLat);
  }

  #pairs(capacity: number): Float64Array {
    const bytes = 2 * capacity * Float64Array.BYTES_PER_ELEMENT;
    return new Float64Array(this.#isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  }
}
