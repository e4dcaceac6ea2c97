/** Collects fixes in columns and passes them on in batches. Fix objects are created on request. */

import type { Fix, FixBatch, FixFlagName, FixNumberName, FixTable } from '../../core/fix.js';
import { UnitTable } from './unitTable.js';

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
export const BATCH_FIXES = 8192;

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
