/** Collects fixes in columns and passes them on in batches, with units numbered by their names. Fix objects are created on request. */

import type { Fix, FixBatch, FixFlagName, FixNumberName, FixTable } from '../../core/fix.js';

const FNV_PRIME = 0x01000193;
const FNV_BASIS = 0x811c9dc5;
/** Largest number of slots that are searched, so that a file of names with one hash takes linear time. */
const MOST_PROBES = 32;

interface FixNumber {
  readonly name: FixNumberName;
  /** Name of the quantity in tables. */
  readonly quantity: 'speed' | 'course' | 'altitude' | 'accuracy' | 'satellites' | 'mileage' | 'mileageDelta';
  /** Least valid value. */
  readonly least: number;
  /** Whether digits may be grouped. */
  readonly hasGroups: boolean;
}

const NO_LEAST = Number.NEGATIVE_INFINITY;
/** Number fields of a fix, in the order of `Fix`. */
export const FIX_NUMBERS: readonly FixNumber[] = [
  { name: 'speedKph', quantity: 'speed', least: 0, hasGroups: false },
  { name: 'courseDegrees', quantity: 'course', least: NO_LEAST, hasGroups: false },
  { name: 'altitudeMeters', quantity: 'altitude', least: NO_LEAST, hasGroups: true },
  { name: 'accuracyMeters', quantity: 'accuracy', least: 0, hasGroups: false },
  { name: 'satellites', quantity: 'satellites', least: 0, hasGroups: false },
  { name: 'mileageMeters', quantity: 'mileage', least: 0, hasGroups: true },
  { name: 'mileageDeltaMeters', quantity: 'mileageDelta', least: 0, hasGroups: true },
];
/** Optional booleans of a fix: 1 or 0 in a column. */
export const FIX_FLAGS: readonly FixFlagName[] = ['valid', 'ignition'];
/** The value for unknown in a column of booleans. */
export const UNKNOWN_FLAG = 255;
const NUMBER_NAMES = FIX_NUMBERS.map(({ name }) => name);
/** Largest number of fixes in a batch. */
const BATCH_FIXES = 8192;

type OwnFix = { -readonly [Field in keyof Fix]: Fix[Field] };

/** The batch that is being filled. It is passed to `take` when it is full and on `flush`. */
export class FixBatches implements FixBatch {
  length = 0;
  readonly units: UnitTable = new UnitTable();
  readonly unitIds: readonly string[] = this.units.names;
  readonly unit: Uint32Array = new Uint32Array(BATCH_FIXES);
  readonly time: Float64Array = new Float64Array(BATCH_FIXES);
  readonly lon: Float64Array = new Float64Array(BATCH_FIXES);
  readonly lat: Float64Array = new Float64Array(BATCH_FIXES);
  speedKph: Float64Array | null = null;
  courseDegrees: Float64Array | null = null;
  altitudeMeters: Float64Array | null = null;
  accuracyMeters: Float64Array | null = null;
  satellites: Float64Array | null = null;
  mileageMeters: Float64Array | null = null;
  mileageDeltaMeters: Float64Array | null = null;
  valid: Uint8Array | null = null;
  ignition: Uint8Array | null = null;
  readonly #take: (batch: FixBatch) => void;

  constructor(take: (batch: FixBatch) => void) {
    this.#take = take;
  }

  /** The column, created when first needed. Earlier fixes lack the value. */
  numbers(name: FixNumberName): Float64Array {
    this[name] ??= new Float64Array(BATCH_FIXES).fill(Number.NaN);
    return this[name];
  }

  flags(name: FixFlagName): Uint8Array {
    this[name] ??= new Uint8Array(BATCH_FIXES).fill(UNKNOWN_FLAG);
    return this[name];
  }

  /** Adds a fix of the unit with index `unit` in `units`. */
  add(unit: number, fix: Fix): void {
    const i = this.length;
    this.unit[i] = unit;
    this.time[i] = fix.time;
    this.lon[i] = fix.lon;
    this.lat[i] = fix.lat;
    for (const name of NUMBER_NAMES) {
      const value = fix[name];
      if (value !== undefined) this.numbers(name)[i] = value;
      else if (this[name] !== null) this[name][i] = Number.NaN;
    }
    for (const name of FIX_FLAGS) {
      const value = fix[name];
      if (value !== undefined) this.flags(name)[i] = Number(value);
      else if (this[name] !== null) this[name][i] = UNKNOWN_FLAG;
    }
    this.grow();
  }

  /** Counts the fix that was written at index `length`. */
  grow(): void {
    if (++this.length === BATCH_FIXES) this.flush();
  }

  /** Passes the fixes on. */
  flush(): void {
    if (this.length === 0) return;
    try {
      this.#take(this);
    } finally {
      this.length = 0;
    }
  }
}

/** The fix at an index of a batch. */
export function fixOfBatch(batch: FixTable, i: number): Fix {
  const fix: OwnFix = { time: batch.time[i]!, lon: batch.lon[i]!, lat: batch.lat[i]! };
  const { speedKph, courseDegrees, altitudeMeters, accuracyMeters, satellites, valid, ignition } = batch;
  const { mileageMeters, mileageDeltaMeters } = batch;
  if (speedKph !== null && isKnown(speedKph[i]!)) fix.speedKph = speedKph[i]!;
  if (courseDegrees !== null && isKnown(courseDegrees[i]!)) fix.courseDegrees = courseDegrees[i]!;
  if (altitudeMeters !== null && isKnown(altitudeMeters[i]!)) fix.altitudeMeters = altitudeMeters[i]!;
  if (accuracyMeters !== null && isKnown(accuracyMeters[i]!)) fix.accuracyMeters = accuracyMeters[i]!;
  if (satellites !== null && isKnown(satellites[i]!)) fix.satellites = satellites[i]!;
  if (valid !== null && valid[i] !== UNKNOWN_FLAG) fix.valid = valid[i] === 1;
  if (ignition !== null && ignition[i] !== UNKNOWN_FLAG) fix.ignition = ignition[i] === 1;
  if (mileageMeters !== null && isKnown(mileageMeters[i]!)) fix.mileageMeters = mileageMeters[i]!;
  if (mileageDeltaMeters !== null && isKnown(mileageDeltaMeters[i]!)) {
    fix.mileageDeltaMeters = mileageDeltaMeters[i]!;
  }
  return fix;
}

/** Yields the fixes of a batch. */
export function* fixesOf(table: FixTable): Generator<Fix> {
  for (let i = 0; i < table.length; i++) yield fixOfBatch(table, i);
}

function isKnown(value: number): boolean {
  return !Number.isNaN(value);
}

class UnitTable {
  /** Names, by number. */
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #encoder = new TextEncoder();
  /** Bytes of all entered names, one after another. */
  #arena = new Uint8Array(4096);
  #used = 0;
  /** Start and length of the bytes of each name; -1 if they were not entered. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** By unit, the unit that followed it last time. */
  readonly #followers: number[] = [];
  #last = 0;
  /** Numbers by the hash of their bytes, with open addressing; -1: free. At most half full. */
  #slots: Int32Array = new Int32Array(256).fill(-1);
  #stored = 0;

  /** The number of the name; undefined for a new name. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** Adds a new name and returns its number. */
  add(name: string): number {
    const number = this.names.length;
    this.names.push(name);
    this.#numbers.set(name, number);
    this.#starts.push(-1);
    this.#lengths.push(0);
    this.#followers.push(number);
    return number;
  }

  /** Enters the bytes of the name, so that `find` returns its number. A name is not entered if too many names share its hash. */
  learn(number: number): void {
    if (this.#starts[number] !== -1) return;
    const bytes = this.#encoder.encode(this.names[number]);
    if (this.#used + bytes.length > this.#arena.length) {
      const longer = new Uint8Array(2 * this.#arena.length + bytes.length);
      longer.set(this.#arena);
      this.#arena = longer;
    }
    this.#arena.set(bytes, this.#used);
    this.#starts[number] = this.#used;
    this.#lengths[number] = bytes.length;
    this.#used += bytes.length;
    this.#stored++;
    if (2 * this.#stored > this.#slots.length) this.#rehash();
    else this.#place(number);
  }

  /** The number of the name in bytes [from, to); -1 if these bytes were not entered. */
  find(bytes: Uint8Array, from: number, to: number): number {
    const guess = this.#followers[this.#last];
    if (guess === undefined) return -1;
    if (this.#isAt(guess, bytes, from, to)) {
      this.#last = guess;
      return guess;
    }
    const mask = this.#slots.length - 1;
    const first = hash(bytes, from, to);
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const number = this.#slots[(first + probe) & mask]!;
      if (number < 0) return -1;
      if (!this.#isAt(number, bytes, from, to)) continue;
      this.#followers[this.#last] = number;
      this.#last = number;
      return number;
    }
    return -1;
  }

  #isAt(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[number]!;
    if (start < 0 || this.#lengths[number] !== to - from) return false;
    const arena = this.#arena;
    for (let i = from, k = start; i < to; i++, k++) if (bytes[i] !== arena[k]) return false;
    return true;
  }

  #rehash(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let number = 0; number < this.names.length; number++) {
      if (this.#starts[number]! >= 0) this.#place(number);
    }
  }

  #place(number: number): void {
    const start = this.#starts[number]!;
    const mask = this.#slots.length - 1;
    const first = hash(this.#arena, start, start + this.#lengths[number]!);
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const slot = (first + probe) & mask;
      if (this.#slots[slot]! >= 0) continue;
      this.#slots[slot] = number;
      return;
    }
  }
}

/** Hash of bytes by FNV-1a. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = FNV_BASIS;
  for (let i = from; i < to; i++) value = Math.imul(value ^ bytes[i]!, FNV_PRIME);
  return value ^ (value >>> 15);
}
