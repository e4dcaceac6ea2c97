/**
 * The fixes of files by unit, in columns: 24 bytes a fix, and 8 more for each further number of it. Many fixes go to a temporary file, so
 * that a larger file takes no more memory.
 */

import type { Fix, FixBatch, FixTable } from '../../core/fix.js';
import { pushTo } from '../../core/pushTo.js';
import { FIX_FLAGS, FixBatches, UNKNOWN_FLAG } from '../../interchange/common/fixBatches.js';
import { FixSpill, type SpilledTable, TRACK_NUMBERS } from './fixSpill.js';

/** Length of a run of one unit below which it is copied number by number. */
const SHORT_RUN = 16;

/**
 * Capacity of a unit's first table, and of its largest. Tables are never copied to larger ones, so that a long track takes no extra memory.
 */
const FIRST_FIXES = 64;
const MOST_FIXES = 1024;

/** Largest number of fixes of all units in memory. */
const MOST_KEPT = 524_288;

/** Fixes of one unit in the order of their arrival, as tables. A table is valid until the next one is read. */
export class UnitColumns implements Iterable<FixTable> {
  readonly #tables: UnitFixTable[] = [];
  readonly #spare: SpareTables;
  readonly #spilled: SpilledTable[] = [];
  #spill: FixSpill | null = null;

  constructor(spare: SpareTables) {
    this.#spare = spare;
  }

  *[Symbol.iterator](): Iterator<FixTable> {
    if (this.#spill !== null) yield* this.#spill.read(this.#spilled);
    yield* this.#tables;
  }

  /** Appends the fixes [from, to) of a batch. */
  append(batch: FixTable, from: number, to: number): void {
    for (let at = from; at < to; ) {
      let table = this.#tables.at(-1);
      if (table === undefined || table.length === table.capacity) {
        table = this.#spare.take(Math.min(MOST_FIXES, FIRST_FIXES * 2 ** this.#tables.length));
        this.#tables.push(table);
      }
      const end = Math.min(to, at + table.capacity - table.length);
      table.append(batch, at, end);
      at = end;
    }
  }

  /** Copies the tables to the file. They stay in memory until `forget`. */
  copyTo(spill: FixSpill): SpilledTable[] {
    return this.#tables.map((table) => spill.add(table));
  }

  /** Drops the tables, which are in the file now. */
  forget(spill: FixSpill, copies: readonly SpilledTable[]): void {
    this.#spill = spill;
    for (const copy of copies) this.#spilled.push(copy);
    for (const table of this.#tables) this.#spare.give(table);
    this.#tables.length = 0;
  }
}

/** Tables for reuse, because the memory of dropped tables is freed late. */
export class SpareTables {
  readonly #byCapacity = new Map<number, UnitFixTable[]>();

  take(capacity: number): UnitFixTable {
    return this.#byCapacity.get(capacity)?.pop() ?? new UnitFixTable(capacity);
  }

  give(table: UnitFixTable): void {
    table.clear();
    pushTo(this.#byCapacity, table.capacity, table);
  }
}

/** A table of fixes of one unit, up to a fixed number. */
export class UnitFixTable implements FixTable {
  length = 0;
  readonly capacity: number;
  readonly time: Float64Array;
  readonly lon: Float64Array;
  readonly lat: Float64Array;
  speedKph: Float64Array | null = null;
  readonly courseDegrees: null = null;
  readonly altitudeMeters: null = null;
  accuracyMeters: Float64Array | null = null;
  satellites: Float64Array | null = null;
  mileageMeters: Float64Array | null = null;
  mileageDeltaMeters: Float64Array | null = null;
  valid: Uint8Array | null = null;
  ignition: Uint8Array | null = null;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.time = new Float64Array(capacity);
    this.lon = new Float64Array(capacity);
    this.lat = new Float64Array(capacity);
  }

  /** Removes all fixes. The columns stay, without values. */
  clear(): void {
    this.length = 0;
    for (const name of TRACK_NUMBERS) this[name]?.fill(Number.NaN);
    for (const name of FIX_FLAGS) this[name]?.fill(UNKNOWN_FLAG);
  }

  /** Appends the fixes [from, to) of a batch. The table must have room for them. */
  append(batch: FixTable, from: number, to: number): void {
    const start = this.length;
    this.length += to - from;
    put(this.time, start, batch.time, from, to);
    put(this.lon, start, batch.lon, from, to);
    put(this.lat, start, batch.lat, from, to);
    for (const name of TRACK_NUMBERS) {
      const given = batch[name];
      if (given === null) continue;
      this[name] ??= new Float64Array(this.capacity).fill(Number.NaN);
      put(this[name], start, given, from, to);
    }
    for (const name of FIX_FLAGS) {
      const given = batch[name];
      if (given === null) continue;
      this[name] ??= new Uint8Array(this.capacity).fill(UNKNOWN_FLAG);
      put(this[name], start, given, from, to);
    }
  }
}

/** Distributes batches of fixes to the columns of their units. */
export class UnitStore {
  readonly units: Map<string, UnitColumns> = new Map();
  readonly #spare = new SpareTables();
  readonly #most: number;
  #kept = 0;
  #spill: FixSpill | null = null;
  /** Whether a temporary file is open or can be opened. */
  #canSpill = true;

  /** `most`: largest number of fixes kept in memory. */
  constructor(most: number = MOST_KEPT) {
    this.#most = most;
  }

  /** Begins a file whose batches share one list of units. `count` returns the numbers of its units and fixes. */
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
        this.#count(length);
      },
      count: () => ({ units: byNumber.length, fixes }),
    };
  }

  /** Adds the fixes of one unit, given as objects. */
  add(unitId: string, fixes: readonly Fix[]): void {
    const columns = this.#columnsOf(unitId);
    const batches = new FixBatches((batch) => {
      columns.append(batch, 0, batch.length);
      this.#count(batch.length);
    });
    for (const fix of fixes) batches.add(0, fix);
    batches.flush();
  }

  /** Closes the temporary file. The fixes cannot be read after that. */
  close(): void {
    this.#spill?.close();
    this.#spill = null;
    this.#canSpill = false;
  }

  #count(fixes: number): void {
    this.#kept += fixes;
    if (this.#kept < this.#most || !this.#canSpill) return;
    this.#spill ??= FixSpill.open();
    // Without a file, or on a full disk, all further fixes stay in memory.
    this.#canSpill = this.#spill !== null && this.#spillTo(this.#spill);
    this.#kept = 0;
  }

  #spillTo(spill: FixSpill): boolean {
    const copies = new Map<UnitColumns, SpilledTable[]>();
    try {
      for (const columns of this.units.values()) copies.set(columns, columns.copyTo(spill));
      spill.flush();
    } catch {
      return false;
    }
    for (const [columns, own] of copies) columns.forget(spill, own);
    return true;
  }

  #columnsOf(unitId: string): UnitColumns {
    let columns = this.units.get(unitId);
    if (columns === undefined) {
      columns = new UnitColumns(this.#spare);
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
