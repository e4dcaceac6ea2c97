/** The fixes of files by unit, in columns: a fix takes 24 bytes, and 8 more for each number that it has. */

import type { Fix, FixBatch, FixTable } from '../../core/fix.js';
import { FIX_FLAGS, FixBatches, UNKNOWN_FLAG } from '../../interchange/common/fixBatches.js';

/** What a track takes of a fix beside its time and position. */
const NUMBERS = ['speedKph', 'accuracyMeters', 'mileageMeters', 'mileageDeltaMeters'] as const;

/** Runs of one unit that are shorter are copied number by number. */
const SHORT_RUN = 16;

/** The fixes of one unit in the order in which they came. */
export class UnitColumns implements FixTable {
  length = 0;
  time: Float64Array = new Float64Array(64);
  lon: Float64Array = new Float64Array(64);
  lat: Float64Array = new Float64Array(64);
  speedKph: Float64Array | null = null;
  readonly courseDegrees: null = null;
  readonly altitudeMeters: null = null;
  accuracyMeters: Float64Array | null = null;
  readonly satellites: null = null;
  mileageMeters: Float64Array | null = null;
  mileageDeltaMeters: Float64Array | null = null;
  valid: Uint8Array | null = null;
  ignition: Uint8Array | null = null;

  /** Takes the fixes [from, to) of a batch. */
  append(batch: FixTable, from: number, to: number): void {
    const start = this.length;
    this.length += to - from;
    if (this.length > this.time.length) this.#grow();
    put(this.time, start, batch.time, from, to);
    put(this.lon, start, batch.lon, from, to);
    put(this.lat, start, batch.lat, from, to);
    for (const name of NUMBERS) {
      const given = batch[name];
      if (given === null && this[name] === null) continue;
      const own: Float64Array = this[name] ?? new Float64Array(this.time.length).fill(Number.NaN);
      this[name] = own;
      if (given !== null) put(own, start, given, from, to);
    }
    for (const name of FIX_FLAGS) {
      const given = batch[name];
      if (given === null && this[name] === null) continue;
      const own: Uint8Array = this[name] ?? new Uint8Array(this.time.length).fill(UNKNOWN_FLAG);
      this[name] = own;
      if (given !== null) put(own, start, given, from, to);
    }
  }

  #grow(): void {
    let capacity = this.time.length;
    while (capacity < this.length) capacity *= 2;
    const longer = <Column extends Float64Array | Uint8Array>(column: Column, rest: number): Column => {
      const copy = new (column.constructor as new (length: number) => Column)(capacity);
      copy.set(column);
      return copy.fill(rest, column.length) as Column;
    };
    this.time = longer(this.time, 0);
    this.lon = longer(this.lon, 0);
    this.lat = longer(this.lat, 0);
    for (const name of NUMBERS) {
      const column = this[name];
      if (column !== null) this[name] = longer(column, Number.NaN);
    }
    for (const name of FIX_FLAGS) {
      const column = this[name];
      if (column !== null) this[name] = longer(column, UNKNOWN_FLAG);
    }
  }
}

/** Sorts batches into the columns of their units. */
export class UnitStore {
  readonly units: Map<string, UnitColumns> = new Map();

  /** Takes the fixes of one reading, whose batches share one list of units; returns how many units and fixes it had, when it is over. */
  reading(): {
    readonly take: (batch: FixBatch) => void;
    readonly count: () => { units: number; fixes: number };
  } {
    const byNumber: UnitColumns[] = [];
    let fixes = 0;
    return {
      take: (batch) => {
        fixes += batch.length;
        for (let number = byNumber.length; number < batch.unitIds.length; number++) {
          byNumber.push(this.#columnsOf(batch.unitIds[number]!));
        }
        const { unit, length } = batch;
        let from = 0;
        while (from < length) {
          const number = unit[from]!;
          let to = from + 1;
          while (to < length && unit[to] === number) to++;
          byNumber[number]!.append(batch, from, to);
          from = to;
        }
      },
      count: () => ({ units: byNumber.length, fixes }),
    };
  }

  /** Takes the fixes of one unit as objects. */
  add(unitId: string, fixes: readonly Fix[]): void {
    const columns = this.#columnsOf(unitId);
    const batches = new FixBatches((batch) => columns.append(batch, 0, batch.length));
    for (const fix of fixes) batches.add(0, fix);
    batches.flush();
  }

  #columnsOf(unitId: string): UnitColumns {
    let columns = this.units.get(unitId);
    if (columns === undefined) {
      columns = new UnitColumns();
      this.units.set(unitId, columns);
    }
    return columns;
  }
}

function put(
  to: Float64Array | Uint8Array,
  at: number,
  given: Float64Array | Uint8Array,
  from: number,
  end: number,
): void {
  if (end - from >= SHORT_RUN) to.set(given.subarray(from, end), at);
  else for (let i = from, k = at; i < end; i++, k++) to[k] = given[i]!;
}
