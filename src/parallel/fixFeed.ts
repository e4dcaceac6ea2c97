/** Reads and checks the fixes of one unit, and writes them to columns for a thread. */

import { inputError, isArray } from '../core/errors.js';
import type { Fix, FixTable } from '../core/fix.js';
import { FixColumns } from '../tracks/fixColumns.js';
import { FixReader } from '../tracks/fixReader.js';
import { noneRejected, type Rejected, rejectFix, type TrackRules } from '../tracks/readTrack.js';
import { CHUNK_FIXES } from './openReplay.js';

export type AnyIterable<Item> = Iterable<Item> | AsyncIterable<Item>;
export type AnyIterator<Item> = Iterator<Item> | AsyncIterator<Item>;

/** Receives full columns, and at the end the last ones. */
export type Send = (columns: FixColumns) => Promise<void> | void;

export class FixFeed {
  /** Number of fixes read. */
  count = 0;
  readonly rejected: Rejected = noneRejected();
  readonly #reader: FixReader;
  readonly #maxFixes: number;
  #columns: FixColumns = new FixColumns();
  readonly #row: { -readonly [Field in keyof Fix]: Fix[Field] | undefined } = {
    time: undefined,
    lon: undefined,
    lat: undefined,
    speedKph: undefined,
    accuracyMeters: undefined,
    satellites: undefined,
    mileageMeters: undefined,
    mileageDeltaMeters: undefined,
    valid: undefined,
    ignition: undefined,
  };

  constructor({ fixRules, rolloverWindow }: TrackRules, maxFixes: number) {
    this.#reader = new FixReader(fixRules, rolloverWindow);
    this.#maxFixes = maxFixes;
  }

  get rolledOver(): number {
    return this.#reader.rolledOver;
  }

  /** Reads fixes, or lists or tables of fixes, to the end or until `isStopped`. Returns whether the end was reached. Errors: `limit-fixes`. */
  async read(iterator: AnyIterator<unknown>, isStopped: () => boolean, send: Send): Promise<boolean> {
    while (!isStopped()) {
      const step = iterator.next();
      // Only promises are awaited, because `await` costs more than a fix.
      const { done, value } = 'then' in step ? await step : step;
      if (done === true) {
        if (this.#columns.length > 0) await send(this.#columns);
        return true;
      }
      if (isTable(value)) {
        for (let i = 0; i < value.length; i++) {
          this.#take(this.#rowOf(value, i));
          if (this.#isFull()) await send(this.#handOver());
        }
        continue;
      }
      if (!isArray(value)) {
        this.#take(value);
        if (this.#isFull()) await send(this.#handOver());
        continue;
      }
      for (const fix of value) {
        this.#take(fix);
        if (this.#isFull()) await send(this.#handOver());
      }
    }
    return false;
  }

  /** The fix at an index of a table; valid until the next call. */
  #rowOf(table: FixTable, i: number): object {
    const row = this.#row;
    row.time = table.time[i];
    row.lon = table.lon[i];
    row.lat = table.lat[i];
    row.speedKph = table.speedKph?.[i];
    row.accuracyMeters = table.accuracyMeters?.[i];
    row.satellites = table.satellites?.[i];
    row.mileageMeters = table.mileageMeters?.[i];
    row.mileageDeltaMeters = table.mileageDeltaMeters?.[i];
    row.valid = table.valid?.[i] !== 0;
    const ignition = table.ignition?.[i];
    row.ignition = ignition === 1 ? true : ignition === 0 ? false : undefined;
    return row;
  }

  #isFull(): boolean {
    return this.#columns.length === CHUNK_FIXES;
  }

  #handOver(): FixColumns {
    const full = this.#columns;
    this.#columns = new FixColumns();
    return full;
  }

  #take(fix: unknown): void {
    if (++this.count > this.#maxFixes) {
      throw inputError('limit-fixes', 'fixes', `at most ${this.#maxFixes} fixes`, 'more');
    }
    const reason = this.#reader.read(fix);
    if (reason === null) this.#columns.push(this.#reader);
    else rejectFix(this.rejected, reason, this.#reader);
  }
}

export function isIterable(value: unknown): value is AnyIterable<unknown> {
  return (
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
  );
}

function isTable(value: unknown): value is FixTable {
  return typeof value === 'object' && value !== null && 'time' in value && value.time instanceof Float64Array;
}

/** Closes the iterator; errors while closing are ignored. */
export function close(iterator: AnyIterator<unknown>): void {
  try {
    const end: unknown = iterator.return?.();
    if (end instanceof Promise) end.catch(() => undefined);
  } catch {
    // The iterator was closed while it ran, or has no `return`.
  }
}
