/** Fixes as growing columns, and their order in a track. */

import { type CleanFix, UNKNOWN, UNKNOWN_IGNITION, unknownLast } from './fixReader.js';

const DIGIT_BITS = 16;

const DIGITS = 2 ** DIGIT_BITS;

/** Fewer times are sorted by comparison: counting all digits alone would cost more. */
const MIN_RADIX = 2048;

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

/**
 * 0 … n - 1 in order of `times` (whole numbers), equal times in order of `compareTies`.
 * Cost: O(n) a digit of 16 bits in the span of the times (3 for eight years of milliseconds), O(n) when already in order; O(k log k)
 * for k equal times.
 */
export function orderByTime(times: Float64Array, compareTies: (i: number, j: number) => number): Uint32Array {
  let order: Uint32Array = new Uint32Array(times.length);
  let isSorted = true;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.length; i++) {
    const time = times[i] as number;
    isSorted &&= time >= last;
    if (time < first) first = time;
    if (time > last) last = time;
    order[i] = i;
  }
  if (!isSorted) {
    if (times.length < MIN_RADIX) order.sort((i, j) => (times[i] as number) - (times[j] as number));
    else order = radixSort(times, first, last - first, order);
  }
  for (let from = 0; from < order.length; ) {
    const time = times[order[from] as number] as number;
    let to = from + 1;
    while (to < order.length && times[order[to] as number] === time) to++;
    if (to - from > 1) order.subarray(from, to).sort(compareTies);
    from = to;
  }
  return order;
}

function radixSort(times: Float64Array, first: number, span: number, order: Uint32Array): Uint32Array {
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(order.length);
  for (let unit = 1; unit <= span; unit *= DIGITS) {
    const starts = new Uint32Array(DIGITS + 1);
    for (const time of times) {
      const digit = Math.floor((time - first) / unit) % DIGITS;
      starts[digit + 1] = (starts[digit + 1] as number) + 1;
    }
    for (let digit = 0; digit < DIGITS; digit++) {
      starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number);
    }
    for (const i of from) {
      const digit = Math.floor(((times[i] as number) - first) / unit) % DIGITS;
      const place = starts[digit] as number;
      starts[digit] = place + 1;
      to[place] = i;
    }
    [from, to] = [to, from];
  }
  return from;
}
